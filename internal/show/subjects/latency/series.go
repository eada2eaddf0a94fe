package latency

import (
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/internal/result/latencies"
	"github.com/tarebench/tare/internal/show/chart"
)

// PlotSeries draws percentiles over time, as SVG. The series have a point list for each of
// the percentiles; every is the length of a window, 0 for the intervals of the log.
func (p Plot) PlotSeries(w io.Writer, series []*latencies.Series, percentiles []float64, every time.Duration) error {
	var sources []*latencies.Source
	end := time.Duration(0)
	for _, s := range series {
		sources = append(sources, &s.Source)
		end = max(end, s.End)
	}
	if err := checkCurves(len(series)*len(percentiles), sources); err != nil {
		return err
	}
	unit, seconds := timeAxisUnit(end)
	c := chart.Lines{
		Title: p.titleOr("Latency over time"), Subtitle: p.Subtitle,
		X: chart.Axis{Name: "time since the start", Unit: unit, Plain: true}, Y: p.yAxis(), Notes: seriesNotes(series, every),
	}
	labels := p.labels(sources, make([]bool, len(sources)))
	for n, s := range series {
		for k, percentile := range percentiles {
			line := chart.Line{Label: percentileName(percentile), Hue: k}
			if percentile == 100 {
				line.Label = "max"
			}
			if len(series) > 1 {
				line.Label, line.Hue = labels[n]+" "+line.Label, n
				line.Stroke = chart.Stroke(slices.Index(descending(percentiles), percentile))
			}
			for _, at := range s.Points[k] {
				line.Points = append(line.Points, chart.Point{X: at.At.Seconds() / seconds, Y: at.Ns / 1e9})
			}
			c.Lines = append(c.Lines, line)
		}
	}
	return c.Write(w)
}

// descending returns the percentiles, the highest first: it gets the boldest stroke.
func descending(at []float64) []float64 {
	out := slices.Sorted(slices.Values(at))
	slices.Reverse(out)
	return out
}

// timeAxisUnit returns the unit of the time axis, and how many seconds it has.
func timeAxisUnit(d time.Duration) (string, float64) {
	switch {
	case d > 10*time.Hour:
		return "h", 3600
	case d > 10*time.Minute:
		return "min", 60
	}
	return "s", 1
}

// seriesNotes say what a point is, and how many of them rest on few values.
func seriesNotes(series []*latencies.Series, every time.Duration) []string {
	note := "each point is an interval of the log"
	if every > 0 {
		note = "each point is " + every.String()
	}
	weak, all := 0, 0
	for _, s := range series {
		weak, all = weak+s.Weak, all+s.Upper
	}
	if weak > 0 {
		note += fmt.Sprintf("; %d of %d percentiles rest on fewer than %d values beyond them", weak, all, latencies.FewBeyond)
	}
	return []string{note}
}

// percentileName writes p99.9.
func percentileName(p float64) string { return "p" + units.Plain(p) }
