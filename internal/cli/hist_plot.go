package cli

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tarebench/tare/internal/cli/flags"
	"github.com/tarebench/tare/internal/result/histfiles"
	"github.com/tarebench/tare/internal/result/latencies"
	"github.com/tarebench/tare/internal/show/subjects/latency"
)

// histPlotFlags are the flags of tare hist plot.
type histPlotFlags struct {
	histFlags
	overTime    bool
	percentiles string
	interval    time.Duration
	scale       string
	title       string

	at []float64 // the percentiles
}

const histPlotLong = `tare hist plot draws the latency at each percentile, over the logarithm of 1/(1-p), so
that each further nine has the same room: a curve for each tag of each file. Where there
are response times, only they are drawn unless --tag names others. A file has a colour,
and other times than response times are dashed. A curve is dotted where fewer than 10
values lie beyond. The picture is an SVG file that any browser shows, light or dark as
the reader has it.

With --over-time it draws percentiles of each interval over the time since the log's
start: median, p99 and maximum unless --percentiles says otherwise. --interval merges
the counts of intervals, so that a high percentile rests on more values.`

func newHistPlot(s streams) *cobra.Command {
	f := &histPlotFlags{}
	return verb{
		use:   "plot [flags] FILE...",
		short: "Draw latency by percentile, or over time",
		long:  histPlotLong,
		example: `  tare hist plot -o latency.svg run.hlog
  tare hist plot --tag READ.response -o reads.svg before.hlog after.hlog
  tare hist plot --values us --correct 4ms -o estimate.svg ycsb-READ.hdr
  tare hist plot --over-time --interval 10s --tag READ.response -o time.svg run.hlog`,
		args: needHistFiles,
		run: func(cmd *cobra.Command, args []string) error {
			if err := f.check(cmd.Flags().Changed); err != nil {
				return err
			}
			in, err := f.input(s, args)
			if err != nil {
				return err
			}
			return histOutput(s, f.out, args, func(w io.Writer) error { return f.draw(in, w) })
		},
		register: func(fl *pflag.FlagSet) {
			flags.Output(fl, &f.out, "write to `FILE.svg` instead of stdout")
			f.registerTag(fl)
			f.registerRange(fl)
			fl.StringVar(&f.scale, "scale", "log", "of latency: log or linear")
			fl.BoolVar(&f.overTime, "over-time", false, "percentiles of each interval over time")
			fl.StringVar(&f.percentiles, "percentiles", "50,99,100", "over time: which percentiles, a `list` of at most 3; 100 is the maximum")
			fl.DurationVar(&f.interval, "interval", 0, "over time: merge the intervals of this long to one point (default: each is a point)")
			f.registerValues(fl)
			fl.StringVar(&f.title, "title", "", "of the picture")
		},
	}.command()
}

func (f *histPlotFlags) check(set func(flag string) bool) (err error) {
	switch {
	case f.scale != "log" && f.scale != "linear":
		return usageError(fmt.Errorf("--scale %q is none of log, linear", f.scale), "")
	case f.interval < 0:
		return usageError(fmt.Errorf("--interval %s is negative", f.interval), "")
	case f.overTime && f.correct != "":
		return usageError(errors.New("--correct: the estimate does not say when an operation would have been sent"), "leave out --over-time")
	case f.out != "" && f.out != "-" && filepath.Ext(f.out) != ".svg":
		return usageError(fmt.Errorf("-o %s: pictures are .svg", f.out), "")
	}
	for _, flag := range []string{"percentiles", "interval"} {
		if set(flag) && !f.overTime {
			return usageError(fmt.Errorf("--%s is for pictures over time", flag), "give --over-time, too")
		}
	}
	if f.at, err = histfiles.ParsePercentiles(f.percentiles); err != nil {
		return err
	}
	if len(f.at) > 3 {
		return usageError(fmt.Errorf("--percentiles %s: at most 3 lines of a tag can be distinguished", f.percentiles), "")
	}
	_, err = f.correction()
	return err
}

// draw reads the files and draws one of the two pictures.
func (f *histPlotFlags) draw(in *histfiles.Input, w io.Writer) error {
	p := latency.Plot{Title: f.title, Subtitle: in.Subtitle(), Linear: f.scale == "linear", Files: len(in.Files)}
	if f.overTime {
		series, err := in.Series(f.at, f.interval)
		if err != nil {
			return err
		}
		series = drawn(f.tags, series, func(s *latencies.Series) *latencies.Source { return &s.Source })
		return p.PlotSeries(w, series, f.at, f.interval)
	}
	all, expected, err := f.distributions(in)
	if err != nil {
		return err
	}
	all = drawn(f.tags, all, func(d *latencies.Distribution) *latencies.Source { return &d.Source })
	return p.PlotDistributions(w, all, expected)
}

// drawn returns what a picture shows: all that was asked for by --tag, or else response times, where there are some.
func drawn[T any](tags []string, all []T, source func(T) *latencies.Source) []T {
	if len(tags) > 0 {
		return all
	}
	var sources []*latencies.Source
	for _, x := range all {
		sources = append(sources, source(x))
	}
	var out []T
	for _, i := range latency.Responses(sources) {
		out = append(out, all[i])
	}
	return out
}
