package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/cli/flags"
	"github.com/tarebench/tare/internal/measure/session"
	"github.com/tarebench/tare/internal/result/histfiles"
	"github.com/tarebench/tare/internal/result/latencies"
	"github.com/tarebench/tare/internal/show/subjects/latency"
)

const histLong = `tare hist reads latency histograms: logs of HdrHistogram (.hlog), as tare load, YCSB, latte and many
Java programs write them, and tare's own records (.jsonl). A FILE of - is standard input.

It prints the latency distribution of each tag of a log, over all intervals or those of a range. Several files are
printed below each other; merge them first to have one distribution of all. A file without an interval is left out,
and the command exits with 1.

A log holds intervals: all values of a second, say, under a tag such as READ.response. Counts are merged, never
percentiles: the figures of several intervals are those of one histogram over all of them. Of a record only the
measured phase counts. Its tags are the operation and the kind of latency, or the name of the benchmark.

Lines that cannot be read are skipped, and a warning counts them. A percentile with fewer than 10 values beyond it is
marked: it is one of the largest values that happened to occur, and not reproducible.

--correct prints beside each row what a closed loop left out: a loop that waits for an answer before it sends again
sends nothing during a stall, and so records one bad value where there should be many (coordinated omission). It is an
estimate; measure with tare load, whose latencies count from the time at which an operation was due.`

const histExample = `  tare hist run.hlog
  tare hist --tag 'READ.*' --from 10s --to 1m run.hlog
  tare hist --percentiles 50,99,99.999 --unit ms a.hlog b.hlog
  tare hist --values us --correct 4ms ycsb-READ.hdr
  tare hist --format json run.jsonl
  tare hist cut --from 10s --to 70s -o steady.hlog run.hlog
  tare hist plot -o latency.svg before.hlog after.hlog`

func newHist(s streams) *cobra.Command {
	f := &histFlags{}
	percentiles, format := "", ""
	cmd := verb{
		use:     "hist [flags] FILE...",
		short:   "Read latency histograms: percentiles, cut, merge, convert, plot",
		long:    histLong,
		example: histExample,
		args:    knownHistVerb,
		run: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return cmd.Help()
			}
			return f.percentiles(s, percentiles, format, args)
		},
		register: func(fl *pflag.FlagSet) {
			f.registerTag(fl)
			f.registerRange(fl)
			fl.StringVar(&percentiles, "percentiles", "50,90,99,99.9,99.99", "which percentiles, a `list`")
			fl.StringVar(&f.unit, "unit", "", "of the figures: ns, us, ms or s (default: whatever gives few digits; csv: ns)")
			f.registerValues(fl)
			flags.Output(fl, &f.out, "write to `FILE` instead of stdout; its suffix names the format: .txt, .json, .csv, .md")
			flags.Format(fl, &format, "text", "json", "csv", "md")
		},
	}.command()
	cmd.SuggestionsMinimumDistance = 2
	cmd.AddCommand(newHistCut(s), newHistMerge(s), newHistConvert(s), newHistPlot(s), newHistSlowest(s))
	return cmd
}

// knownHistVerb refuses a first word that is no file, and more likely a verb that there is not.
func knownHistVerb(cmd *cobra.Command, args []string) error {
	if len(args) == 0 && cmd.Flags().NFlag() == 0 {
		return nil // which prints the help
	}
	if len(args) == 0 {
		return needHistFiles(cmd, args)
	}
	if _, err := os.Stat(args[0]); err != nil {
		if now := flags.OldVerbs[cmd.CommandPath()+" "+args[0]]; now != "" {
			return usageError(errors.New(now), "")
		}
		if near := cmd.SuggestionsFor(args[0]); len(near) > 0 {
			return usageError(fmt.Errorf("hist has no verb %q", args[0]), "did you mean: tare hist "+near[0])
		}
	}
	return needHistFiles(cmd, args)
}

// percentiles prints the distributions of all files.
func (f *histFlags) percentiles(s streams, list, format string, files []string) (err error) {
	if format, err = formatOf("--format", format, f.out, "text", "json", "csv", "md"); err != nil {
		return err
	}
	in, err := f.input(s, files)
	if err != nil {
		return err
	}
	in.KeepOthers = true
	t := &latency.Table{Files: len(files)}
	if t.Unit, err = parseUnit("--unit", f.unit); err != nil {
		return err
	}
	if format == "json" && t.Unit.Ns > 1 {
		return usageError(errors.New("--unit: json is always in ns"), "")
	}
	if t.Percentiles, err = histfiles.ParsePercentiles(list); err != nil {
		return err
	}
	if f.out != "" && f.out != "-" {
		if err := notInput(f.out, files); err != nil {
			return err
		}
	}
	if t.Rows, _, err = f.distributions(in); err != nil {
		return err
	}
	err = histOutput(s, f.out, files, func(w io.Writer) error {
		switch format {
		case "json":
			return t.WriteJSON(w)
		case "csv":
			return t.WriteCSV(w)
		case "md":
			return t.WriteMarkdown(w)
		}
		return t.WriteText(w, (&outputFlags{color: "auto"}).options(w))
	})
	if err != nil {
		return err
	}
	return histError(in.LeftOut())
}

// needHistFiles refuses to run without a file.
func needHistFiles(cmd *cobra.Command, args []string) error {
	if histfiles.UsesStdinTwice(args) {
		return usageError(errors.New("standard input can be read only once"), "")
	}
	if len(args) > 0 {
		return nil
	}
	return usageError(fmt.Errorf("%s needs a log, or - for standard input", strings.TrimPrefix(cmd.CommandPath(), "tare ")), cmd.CommandPath()+" FILE.hlog")
}

// histFlags are shared by the verbs of tare hist.
type histFlags struct {
	tags     []string
	from, to string
	values   string
	correct  string
	unit     string
	out      string
}

func (f *histFlags) registerTag(fl *pflag.FlagSet) {
	fl.StringArrayVar(&f.tags, "tag", nil, "only this `TAG`; * stands for anything, '' for no tag; repeatable")
}

func (f *histFlags) registerRange(fl *pflag.FlagSet) {
	fl.StringVar(&f.from, "from", "", "only intervals that start at this `TIME` or later: seconds or a duration since the log's start (90, 1m30s), or a time (2026-01-02T03:04:05Z, or seconds since 1970)")
	fl.StringVar(&f.to, "to", "", "only intervals that start before this `TIME`, in the same forms")
}

func (f *histFlags) registerValues(fl *pflag.FlagSet) {
	fl.StringVar(&f.values, "values", "ns", "unit of the values in the logs: ns, us, ms or s; YCSB for Java logs us")
	fl.StringVar(&f.correct, "correct", "", "estimate what a closed loop left out that was to send every `INTERVAL` (4ms)")
}

// input returns what the flags select of the files.
func (f *histFlags) input(s streams, files []string) (*histfiles.Input, error) {
	span, err := histfiles.ParseRange(f.from, f.to)
	if err != nil {
		return nil, err
	}
	unit, err := parseUnit("--values", f.values)
	if err != nil {
		return nil, err
	}
	warn := func(text string) { exit.Message(s.err, "warning", text) }
	return histfiles.Open(histfiles.Config{Files: files, Stdin: s.in, Tags: f.tags, Range: span, Unit: unit.Ns, Warn: warn}), nil
}

// correction returns the interval of --correct, 0 without it.
func (f *histFlags) correction() (time.Duration, error) {
	unit, err := parseUnit("--values", f.values)
	if err != nil {
		return 0, err
	}
	return histfiles.ParseCorrection(f.correct, unit.Ns, f.values)
}

// parseUnit reads the value of a flag that names a unit; the zero unit stands for none.
func parseUnit(flag, s string) (latencies.TimeUnit, error) {
	unit, err := latencies.ParseTimeUnit(s)
	if err != nil {
		return unit, usageError(fmt.Errorf("%s %w", flag, err), "")
	}
	return unit, nil
}

// distributions reads the files, and corrects what is to be corrected.
func (f *histFlags) distributions(in *histfiles.Input) ([]*latencies.Distribution, time.Duration, error) {
	expected, err := f.correction()
	if err != nil {
		return nil, 0, err
	}
	all, err := in.Distributions()
	if err == nil && expected > 0 {
		all, err = histfiles.Correct(all, expected)
	}
	return all, expected, histError(err)
}

// histError returns err, with a hint if a record is damaged.
func histError(err error) error {
	if err == nil || exit.As(err) != nil {
		return err
	}
	return recordError(err)
}

// histOutput writes a result to the file of -o, or to stdout. A file is replaced only
// when the whole result has been written, and never if it is one of the inputs.
func histOutput(s streams, out string, inputs []string, write func(io.Writer) error) error {
	if err := notInput(out, inputs); err != nil {
		return err
	}
	return session.WriteOutput(out, s.out, func(w io.Writer) error { return histError(write(w)) })
}

// notInput refuses an output that is one of the inputs.
func notInput(out string, inputs []string) error {
	there, err := os.Stat(out)
	if err != nil {
		return nil // no such file
	}
	for _, in := range inputs {
		if st, err := os.Stat(in); err == nil && os.SameFile(st, there) {
			return usageError(fmt.Errorf("-o %s: is one of the inputs", out), "name another file")
		}
	}
	return nil
}
