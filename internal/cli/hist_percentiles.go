package cli

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
)

// percentilesFlags are the flags of tare hist percentiles.
type percentilesFlags struct {
	input       inputFlags
	values      valueFlags
	percentiles string
	unit        string
	format, out string

	at []float64 // the percentiles
}

const percentilesLong = `tare hist percentiles prints the latency distribution of each tag of a log, over all
intervals or those of a range. Several files are printed below each other; merge
them first to have one distribution of all.

A percentile with fewer than 10 values beyond it is marked: it is one of the largest
that happened to occur, and the next run will have another.

--correct prints beside each row what a closed loop left out: a loop that waits for
an answer before it sends again sends nothing during a stall, and so records one bad
value where there should be many (coordinated omission). It is an estimate; measure
with tare load, whose latencies count from the time at which an operation was due.`

func newHistPercentiles(s streams) *cobra.Command {
	f := &percentilesFlags{}
	cmd := &cobra.Command{
		Use:   "percentiles [flags] FILE...",
		Short: "Print count, mean and percentiles of each tag",
		Long:  percentilesLong,
		Example: `  tare hist percentiles run.hlog
  tare hist percentiles --tag 'READ.*' --from 10s --to 1m run.hlog
  tare hist percentiles --percentiles 50,99,99.999 --unit ms a.hlog b.hlog
  tare hist percentiles --values us --correct 4ms ycsb-READ.hdr
  tare hist percentiles --format json run.jsonl`,
		Args: needHistFiles,
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(s, args) },
	}
	fl := cmd.Flags()
	fl.SortFlags = false
	f.input.register(fl)
	fl.StringVar(&f.percentiles, "percentiles", "50,90,99,99.9,99.99", "which percentiles, a `list`")
	fl.StringVar(&f.unit, "unit", "", "of the figures: ns, us, ms or s (default: whatever gives few digits; csv: ns)")
	f.values.register(fl, true)
	oneOutput(fl, &f.out, "write to `FILE` instead of stdout; its suffix names the format: .txt, .json, .csv, .md")
	formatFlag(fl, &f.format, "text", "json", "csv", "md")
	return cmd
}

// run prints the distributions of all files.
func (f *percentilesFlags) run(s streams, files []string) error {
	format, err := f.check()
	if err != nil {
		return err
	}
	in, err := f.input.open(s, files)
	if err != nil {
		return err
	}
	if f.out != "" && f.out != "-" {
		if err := notInput(f.out, files); err != nil {
			return err
		}
	}
	all, err := in.distributions()
	if err != nil {
		return err
	}
	if all, err = f.values.withCorrected(all); err != nil {
		return err
	}
	t := &latencyTable{f: f, files: len(files), rows: all}
	return histOutput(s, f.out, files, func(w io.Writer) error {
		switch format {
		case "json":
			return t.json(w)
		case "csv":
			return t.csv(w)
		case "md":
			return t.markdown(w)
		}
		return t.text(w)
	})
}

// check finds mistakes in the flags, and the format.
func (f *percentilesFlags) check() (format string, err error) {
	if format, err = histFormat("--format", f.format, f.out, []string{"text", "json", "csv", "md"}); err != nil {
		return "", err
	}
	if err = f.values.check(); err != nil {
		return "", err
	}
	if f.unit != "" {
		ns, err := parseUnit("--unit", f.unit)
		if err != nil {
			return "", err
		}
		if format == "json" && ns != 1 {
			return "", usageError(errors.New("--unit: json is in ns, as all summaries are"), "")
		}
		f.unit = strings.Replace(f.unit, "µ", "u", 1)
	}
	f.at, err = parsePercentiles(f.percentiles)
	return format, err
}

// parsePercentiles reads a list of percentiles: 50,99,99.9.
func parsePercentiles(list string) ([]float64, error) {
	var out []float64
	for word := range strings.SplitSeq(list, ",") {
		word = strings.TrimSpace(word)
		p, err := strconv.ParseFloat(strings.TrimPrefix(word, "p"), 64)
		if err != nil || !(p >= 0 && p <= 100) {
			return nil, usageError(fmt.Errorf("--percentiles %s: %q is not a number from 0 to 100", list, word), "")
		}
		if !slices.Contains(out, p) {
			out = append(out, p)
		}
	}
	return out, nil
}

// percentileName writes p99.9.
func percentileName(p float64) string { return "p" + strconv.FormatFloat(p, 'f', -1, 64) }
