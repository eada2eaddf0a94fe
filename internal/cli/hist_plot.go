package cli

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/tarebench/tare/hist"
	"github.com/tarebench/tare/internal/render/chart"
)

// plotFlags are the flags of tare hist plot.
type plotFlags struct {
	input       inputFlags
	values      valueFlags
	overTime    bool
	percentiles string
	every       time.Duration
	scale       string
	title       string
	out         string

	at  []float64
	set func(flag string) bool
}

const histPlotLong = `tare hist plot draws the latency at each percentile, over the logarithm of 1/(1-p), so
that each further nine has the same room: a curve for each tag of each file. Where
fewer than 10 values lie beyond, it is dotted. The picture is an SVG file that any
browser shows, light or dark as the reader has it.

With --over-time it draws percentiles of each interval over the time since the log's
start, median, p99 and maximum unless --percentiles says otherwise. --every merges
the counts of intervals, so that a high percentile rests on more values.`

func newHistPlot(s streams) *cobra.Command {
	f := &plotFlags{}
	cmd := &cobra.Command{
		Use:   "plot [flags] FILE...",
		Short: "Draw latency by percentile, or over time",
		Long:  histPlotLong,
		Example: `  tare hist plot -o latency.svg run.hlog
  tare hist plot --tag READ.response -o reads.svg before.hlog after.hlog
  tare hist plot --values us --correct 4ms -o estimate.svg ycsb-READ.hdr
  tare hist plot --over-time --every 10s --tag READ.response -o time.svg run.hlog`,
		Args: needHistFiles,
		RunE: func(cmd *cobra.Command, args []string) error {
			f.set = cmd.Flags().Changed
			return f.run(s, args)
		},
	}
	fl := cmd.Flags()
	fl.SortFlags = false
	oneOutput(fl, &f.out, "write to `FILE.svg` instead of stdout")
	f.input.register(fl)
	fl.StringVar(&f.scale, "scale", "log", "of latency: log or linear")
	fl.BoolVar(&f.overTime, "over-time", false, "percentiles of each interval over time")
	fl.StringVar(&f.percentiles, "percentiles", "50,99,100", "over time: which percentiles, a `list` of at most 3; 100 is the maximum")
	fl.DurationVar(&f.every, "every", 0, "over time: merge the intervals of this long to one point (default: each is a point)")
	f.values.register(fl, true)
	fl.StringVar(&f.title, "title", "", "of the picture")
	return cmd
}

func (f *plotFlags) run(s streams, files []string) error {
	if err := f.check(); err != nil {
		return err
	}
	in, err := f.input.open(s, files)
	if err != nil {
		return err
	}
	draw := f.distributions
	if f.overTime {
		draw = f.time
	}
	return histOutput(s, f.out, files, func(w io.Writer) error { return draw(in, w) })
}

func (f *plotFlags) check() (err error) {
	switch {
	case f.scale != "log" && f.scale != "linear":
		return usageError(fmt.Errorf("--scale %q is none of log, linear", f.scale), "")
	case f.every < 0:
		return usageError(fmt.Errorf("--every %s is negative", f.every), "")
	case f.overTime && f.values.correct != "":
		return usageError(errors.New("--correct: what was left out cannot be told to have been at a certain time"), "leave out --over-time")
	case f.out != "" && f.out != "-" && filepath.Ext(f.out) != ".svg":
		return usageError(fmt.Errorf("-o %s: pictures are .svg", f.out), "")
	}
	for _, flag := range []string{"percentiles", "every"} {
		if f.set(flag) && !f.overTime {
			return usageError(fmt.Errorf("--%s is of pictures over time", flag), "give --over-time, too")
		}
	}
	if f.at, err = parsePercentiles(f.percentiles); err != nil {
		return err
	}
	if len(f.at) > 3 {
		return usageError(fmt.Errorf("--percentiles %s: more than 3 lines of a tag cannot be told apart", f.percentiles), "")
	}
	return f.values.check()
}

// mostCurves is how many there may be in a picture in which anything is to be seen.
const mostCurves = 12

// tooMany refuses a picture of more curves than that.
func tooMany(n int, all []*distribution) error {
	if n <= mostCurves {
		return nil
	}
	var names []string
	for _, d := range all {
		names = append(names, tagName(d.tag))
	}
	return usageError(fmt.Errorf("%d curves are too many for one picture, of at most %d", n, mostCurves), "choose with --tag: "+someOf(names))
}

// yAxis is that of latency, in seconds.
func (f *plotFlags) yAxis() chart.Axis {
	return chart.Axis{Name: "latency", Unit: "s", Log: f.scale == "log"}
}

// distributions draws latency by percentile.
func (f *plotFlags) distributions(in *input, w io.Writer) error {
	all, err := in.distributions()
	if err != nil {
		return err
	}
	if all, err = f.values.withCorrected(all); err != nil {
		return err
	}
	if err := tooMany(len(all), all); err != nil {
		return err
	}
	labels := labelsOf(in, all)
	c := chart.Percentiles{Title: f.titleOr("Latency by percentile"), Subtitle: f.subtitle(in), Y: f.yAxis(), Few: fewBeyond}
	weak := false
	for n, d := range all {
		c.Curves = append(c.Curves, chart.Curve{Label: labels[n], Hue: n, Steps: f.steps(d.hist)})
		weak = weak || d.hist.Count() > 0
	}
	if weak { // every curve ends so
		c.Notes = append(c.Notes, fmt.Sprintf("dotted: fewer than %d values lie beyond", fewBeyond))
	}
	if d := f.values.expected; d > 0 {
		c.Notes = append(c.Notes, fmt.Sprintf("corrected: an estimate, as if the loop had sent every %s", d))
	}
	return c.Write(w)
}

// steps are the buckets of a histogram, in seconds.
func (f *plotFlags) steps(h *hist.Histogram) (out []chart.Step) {
	seen := int64(0)
	for b, n := range h.Buckets() {
		seen += n
		out = append(out, chart.Step{Value: f.seconds(min(b.Highest, h.Max())), Count: seen})
	}
	return out
}

// seconds are those of a value of the log.
func (f *plotFlags) seconds(v int64) float64 { return float64(v) * float64(f.values.unit) / 1e9 }

func (f *plotFlags) titleOr(title string) string {
	if f.title != "" {
		return f.title
	}
	return title
}

// subtitle names the file, if it is one, and the range.
func (f *plotFlags) subtitle(in *input) string {
	var parts []string
	if len(in.files) == 1 {
		parts = append(parts, fileName(in.files[0]))
	}
	if in.span.from.set || in.span.to.set {
		parts = append(parts, "intervals that start "+in.span.String())
	}
	return strings.Join(parts, ", ")
}

func fileName(path string) string {
	if path == "-" {
		return stdinName
	}
	return filepath.Base(path)
}

// labelsOf names the curves by what tells them apart: tags, files, or both.
func labelsOf(in *input, all []*distribution) []string {
	tags, bases := map[string]bool{}, map[string]string{}
	full := false // base names do not tell files apart
	for _, d := range all {
		tags[d.tag] = true
		base := fileName(in.files[d.src.number])
		if was, ok := bases[base]; ok && was != d.src.name {
			full = true
		}
		bases[base] = d.src.name
	}
	var out []string
	for _, d := range all {
		file := strings.TrimSuffix(strings.TrimSuffix(fileName(in.files[d.src.number]), ".hlog"), ".jsonl")
		if full {
			file = d.src.name
		}
		switch label := d.name(); {
		case len(in.files) == 1:
			out = append(out, label)
		case len(tags) == 1 && d.corrected == 0:
			out = append(out, file)
		case len(tags) == 1:
			out = append(out, file+", corrected")
		default:
			out = append(out, file+" "+label)
		}
	}
	return out
}
