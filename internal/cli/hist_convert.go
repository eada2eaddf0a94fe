package cli

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/tarebench/tare/hist"
)

const histConvertLong = `tare hist convert writes a log or a record in another form:

  hlog  a log of HdrHistogram, version 1.3, with values in ns
  csv   a line for each interval: when, how many values, percentiles
  json  each interval with its percentiles and all its buckets: [lowest, highest,
        count], of values in ns; nothing of a log is missing
  hgrm  the distribution of one tag over the whole range, in the very form in which
        HdrHistogram's HistogramLogProcessor prints it, in ms unless --unit says
        otherwise, for the plotters that read that

To convert a range of time, cut it out before.`

// convertFlags are the flags of tare hist convert.
type convertFlags struct {
	input  inputFlags
	values valueFlags
	to     string
	unit   string
	out    string
}

func newHistConvert(s streams) *cobra.Command {
	f := &convertFlags{}
	cmd := &cobra.Command{
		Use:   "convert [flags] FILE...",
		Short: "Write a log as hlog, csv, json or hgrm",
		Long:  histConvertLong,
		Example: `  tare hist convert --to csv run.hlog
  tare hist convert --to hgrm --tag READ.response -o reads.hgrm run.hlog
  tare hist cut --from 10s --to 70s run.hlog | tare hist convert --to hgrm -
  tare hist convert --to hlog --values us -o run.hlog ycsb-READ.hdr
  tare hist convert -o run.json run.jsonl`,
		Args: needHistFiles,
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(s, args) },
	}
	fl := cmd.Flags()
	fl.SortFlags = false
	fl.StringVar(&f.to, "to", "", "hlog, csv, json or hgrm (default: what the suffix of -o names)")
	f.input.registerTag(fl)
	fl.StringVar(&f.unit, "unit", "", "of the figures in csv and hgrm: ns, us, ms or s (default: csv ns, hgrm ms)")
	f.values.register(fl, true)
	fl.Lookup("correct").Usage = "hgrm: with what a closed loop left out that was to send every `INTERVAL`, an estimate"
	oneOutput(fl, &f.out, "write to `FILE` instead of stdout")
	return cmd
}

func (f *convertFlags) run(s streams, files []string) error {
	to, err := f.check(files)
	if err != nil {
		return err
	}
	in, err := f.input.open(s, files)
	if err != nil {
		return err
	}
	return histOutput(s, f.out, files, func(w io.Writer) error {
		switch to {
		case "csv":
			return f.csv(in, w)
		case "json":
			return f.json(in, w)
		case "hgrm":
			return f.hgrm(in, w)
		}
		return f.hlog(in, w)
	})
}

// check finds mistakes in the flags, and the format.
func (f *convertFlags) check(files []string) (to string, err error) {
	formats := []string{"hlog", "csv", "json", "hgrm"}
	if f.to == "" && (f.out == "" || f.out == "-") {
		return "", usageError(errors.New("convert needs a format"), "give --to: hlog, csv, json or hgrm")
	}
	if to, err = histFormat("--to", f.to, f.out, formats); err != nil {
		return "", err
	}
	if err = f.values.check(); err != nil {
		return "", err
	}
	if f.unit != "" {
		if _, err = parseUnit("--unit", f.unit); err != nil {
			return "", err
		}
	}
	switch {
	case f.unit != "" && (to == "hlog" || to == "json"):
		return "", usageError(fmt.Errorf("--unit: %s has values in ns", to), "")
	case f.values.expected > 0 && to != "hgrm":
		return "", usageError(fmt.Errorf("--correct: %s has what was recorded, and no estimates", to), "--to hgrm")
	case len(files) > 1 && (to == "hlog" || to == "hgrm"):
		return "", usageError(fmt.Errorf("--to %s takes one log, and was given %d", to, len(files)), "make one of them first: tare hist merge")
	}
	return to, nil
}

// hlog writes the log again.
func (f *convertFlags) hlog(in *input, w io.Writer) error {
	o := &logOutput{out: w, comment: "converted by tare hist from " + in.files[0]}
	return in.each(func(src *histSource, i hist.Interval) error {
		o.start = src.start
		if unit := f.values.unit; unit > 1 {
			i.Histogram, i.Max = inUnits(i.Histogram, unit), 0
		}
		return o.write(i)
	})
}

// inUnits multiplies all values by a unit. They stay exact to the histogram's digits.
func inUnits(h *hist.Histogram, unit int64) *hist.Histogram {
	out := hist.New(hist.Config{Digits: h.Config().Digits, Lowest: h.Config().Lowest})
	for b, n := range h.Buckets() {
		out.RecordN(times(b.Lowest+(b.Highest-b.Lowest)/2, unit), n)
	}
	return out
}

// hgrm writes the distribution of the tag that there is.
func (f *convertFlags) hgrm(in *input, w io.Writer) error {
	all, err := in.distributions()
	if err != nil {
		return err
	}
	if len(all) > 1 {
		var names []string
		for _, d := range all {
			names = append(names, tagName(d.tag))
		}
		return usageError(fmt.Errorf("--to hgrm has one distribution, and %s has %d", all[0].src.name, len(all)), "choose with --tag: "+someOf(names))
	}
	if all, err = f.values.withCorrected(all); err != nil {
		return err
	}
	d := all[len(all)-1]
	unit := f.unit
	if unit == "" {
		unit = "ms"
	}
	ns, err := parseUnit("--unit", unit)
	if err != nil {
		return err
	}
	g := &hgrm{hist: d.hist, start: d.src.start(), ratio: float64(ns) / float64(f.values.unit)}
	if f.out != "" && f.out != "-" {
		g.span = "between 0.000 and <Infinite> seconds (relative to StartTime)"
	}
	return g.write(w)
}
