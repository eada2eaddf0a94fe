package cli

import (
	"errors"
	"io"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tarebench/tare/internal/cli/flags"
	"github.com/tarebench/tare/internal/result/histfiles"
	"github.com/tarebench/tare/internal/show/subjects/latency"
)

const percentilesLong = `tare hist percentiles prints the latency distribution of each tag of a log, over all
intervals or those of a range. Several files are printed below each other; merge
them first to have one distribution of all. A file without an interval is left out, and
the command exits with 1.

A percentile with fewer than 10 values beyond it is marked: it is one of the largest
values that happened to occur, and not reproducible.

--correct prints beside each row what a closed loop left out: a loop that waits for
an answer before it sends again sends nothing during a stall, and so records one bad
value where there should be many (coordinated omission). It is an estimate; measure
with tare load, whose latencies count from the time at which an operation was due.`

func newHistPercentiles(s streams) *cobra.Command {
	f := &histFlags{}
	percentiles, format := "", ""
	return verb{
		use:   "percentiles [flags] FILE...",
		short: "Print count, mean and percentiles of each tag",
		long:  percentilesLong,
		example: `  tare hist percentiles run.hlog
  tare hist percentiles --tag 'READ.*' --from 10s --to 1m run.hlog
  tare hist percentiles --percentiles 50,99,99.999 --unit ms a.hlog b.hlog
  tare hist percentiles --values us --correct 4ms ycsb-READ.hdr
  tare hist percentiles --format json run.jsonl`,
		args: needHistFiles,
		run:  func(cmd *cobra.Command, args []string) error { return f.percentiles(s, percentiles, format, args) },
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
