package cli

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tarebench/tare/internal/cli/flags"
	"github.com/tarebench/tare/internal/result/histfiles"
)

const histCutLong = `tare hist cut writes a log of the intervals that start in a range of time, or that
have a tag. The log keeps its start time, so that seconds mean the same in the part
as in the whole, and adjacent parts merge to the whole again.`

func newHistCut(s streams) *cobra.Command {
	f := &histFlags{}
	return verb{
		use:   "cut [flags] FILE",
		short: "Cut a range of time out of a log",
		long:  histCutLong,
		example: `  tare hist cut --from 10s --to 70s -o steady.hlog run.hlog
  tare hist cut --from 2026-01-02T03:04:05Z --tag READ.response run.hlog >reads.hlog
  tare hist cut --to 60 run.jsonl | tare hist -`,
		args: needHistFiles,
		run: func(cmd *cobra.Command, args []string) error {
			switch {
			case len(args) > 1:
				return usageError(fmt.Errorf("cut takes one log, and was given %d", len(args)), "tare hist merge takes several, and --from and --to as well")
			case f.from == "" && f.to == "" && len(f.tags) == 0:
				return usageError(errors.New("cut needs --from, --to or --tag"), "tare hist cut --from 10s --to 70s "+args[0])
			}
			in, err := f.input(s, args)
			if err != nil {
				return err
			}
			return histOutput(s, f.out, args, in.Cut)
		},
		register: func(fl *pflag.FlagSet) {
			f.registerTag(fl)
			f.registerRange(fl)
			flags.Output(fl, &f.out, "write to `FILE` instead of stdout")
		},
	}.command()
}

const histMergeLong = `tare hist merge makes one log of several: of the clients of one run, of parts that
were cut, of runs that belong together. Tags stay separate.

Two intervals of the same tag become one if the middle of the later one lies within
the earlier one. So the seconds of several clients become seconds again, although no
two clocks tick together. Intervals that follow each other stay separate. With --total
everything of a tag becomes one interval.

Each value is counted once, whatever the order of the files.`

func newHistMerge(s streams) *cobra.Command {
	f, total := &histFlags{}, false
	return verb{
		use:   "merge [flags] FILE...",
		short: "Make one log of several",
		long:  histMergeLong,
		example: `  tare hist merge -o all.hlog client1.hlog client2.hlog
  tare hist merge --total --tag READ.response *.hlog | tare hist convert --format hgrm -`,
		args: needHistFiles,
		run: func(cmd *cobra.Command, args []string) error {
			in, err := f.input(s, args)
			if err != nil {
				return err
			}
			return histOutput(s, f.out, args, func(w io.Writer) error { return in.Merge(w, total) })
		},
		register: func(fl *pflag.FlagSet) {
			f.registerTag(fl)
			f.registerRange(fl)
			fl.BoolVar(&total, "total", false, "one interval for each tag, over the whole time")
			flags.Output(fl, &f.out, "write to `FILE` instead of stdout")
		},
	}.command()
}

const histConvertLong = `tare hist convert writes a log or a record in another form:

  hlog  a log of HdrHistogram, version 1.3, with values in ns
  csv   a line for each interval: when, how many values, percentiles
  json  each interval with its percentiles and all its buckets: [lowest, highest,
        count], of values in ns; nothing of a log is missing
  hgrm  the distribution of one tag over the whole range, exactly as HdrHistogram's
        HistogramLogProcessor prints it, for plotters; in ms unless --unit says
        otherwise

To convert a range of time, cut it out before.`

func newHistConvert(s streams) *cobra.Command {
	f, to := &histFlags{}, ""
	return verb{
		use:   "convert [flags] FILE...",
		short: "Write a log as hlog, csv, json or hgrm",
		long:  histConvertLong,
		example: `  tare hist convert --format csv run.hlog
  tare hist convert --format hgrm --tag READ.response -o reads.hgrm run.hlog
  tare hist cut --from 10s --to 70s run.hlog | tare hist convert --format hgrm -
  tare hist convert --format hlog --values us -o run.hlog ycsb-READ.hdr
  tare hist convert -o run.json run.jsonl`,
		args: needHistFiles,
		run:  func(cmd *cobra.Command, args []string) error { return f.convert(s, to, args) },
		register: func(fl *pflag.FlagSet) {
			fl.StringVar(&to, "format", "", "hlog, csv, json or hgrm (default: what the suffix of -o names)")
			flags.Offer(fl, "format", histfiles.Formats()...)
			f.registerTag(fl)
			fl.StringVar(&f.unit, "unit", "", "of the figures in csv and hgrm: ns, us, ms or s (default: csv ns, hgrm ms)")
			f.registerValues(fl)
			fl.Lookup("correct").Usage = "hgrm: with what a closed loop left out that was to send every `INTERVAL`, an estimate"
			flags.Output(fl, &f.out, "write to `FILE` instead of stdout")
		},
	}.command()
}

func (f *histFlags) convert(s streams, to string, files []string) error {
	toFile := f.out != "" && f.out != "-"
	if to == "" && !toFile {
		return usageError(errors.New("convert needs a format"), "give --format: hlog, csv, json or hgrm")
	}
	c := histfiles.Conversion{ToFile: toFile}
	var err error
	if c.Format, err = formatOf("--format", to, f.out, histfiles.Formats()...); err != nil {
		return err
	}
	in, err := f.input(s, files)
	if err != nil {
		return err
	}
	if c.Correct, err = f.correction(); err != nil {
		return err
	}
	if c.Unit, err = parseUnit("--unit", f.unit); err != nil {
		return err
	}
	if err := c.Check(len(files)); err != nil {
		return err
	}
	return histOutput(s, f.out, files, func(w io.Writer) error { return in.Convert(w, c) })
}
