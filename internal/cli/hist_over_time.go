package cli

import (
	"fmt"
	"io"
	"math"
	"slices"
	"time"

	"github.com/tarebench/tare/hist"
	"github.com/tarebench/tare/internal/render/chart"
)

// timeLine is a tag of a file over time: a point for each percentile of each window.
type timeLine struct {
	distribution // without its histogram
	points       [][]chart.Point
	window       hist.Interval // that is being merged, if it has a histogram
	number       int64         // of the window
	end          time.Duration // of the last one, since the start
	weak, all    int           // points of percentiles with few values beyond
}

// time draws percentiles over time.
func (f *plotFlags) time(in *input, w io.Writer) error {
	lines, err := f.timeLines(in)
	if err != nil {
		return err
	}
	var all []*distribution
	end := time.Duration(0)
	for _, l := range lines {
		all = append(all, &l.distribution)
		end = max(end, l.end)
	}
	if err := tooMany(len(lines)*len(f.at), all); err != nil {
		return err
	}
	unit, one := timeAxisUnit(end)
	c := chart.Lines{
		Title: f.titleOr("Latency over time"), Subtitle: f.subtitle(in),
		X: chart.Axis{Name: "time since the start", Unit: unit, Plain: true}, Y: f.yAxis(), Notes: f.timeNotes(lines),
	}
	labels := labelsOf(in, all)
	for n, l := range lines {
		for k, p := range f.at {
			line := chart.Line{Label: percentileName(p), Hue: k}
			if p == 100 {
				line.Label = "max"
			}
			if len(lines) > 1 {
				line.Label, line.Hue = labels[n]+" "+line.Label, n
				line.Stroke = chart.Stroke(slices.Index(descending(f.at), p))
			}
			for _, at := range l.points[k] {
				line.Points = append(line.Points, chart.Point{X: at.X / one, Y: at.Y})
			}
			c.Lines = append(c.Lines, line)
		}
	}
	return c.Write(w)
}

// descending is the percentiles, the highest first: it gets the boldest stroke.
func descending(at []float64) []float64 {
	out := slices.Sorted(slices.Values(at))
	slices.Reverse(out)
	return out
}

// timeAxisUnit is what time is counted in, and how many seconds that is.
func timeAxisUnit(d time.Duration) (string, float64) {
	switch {
	case d > 10*time.Hour:
		return "h", 3600
	case d > 10*time.Minute:
		return "min", 60
	}
	return "s", 1
}

// timeNotes say what the points are.
func (f *plotFlags) timeNotes(lines []*timeLine) (notes []string) {
	what := "each point is an interval of the log"
	if f.every > 0 {
		what = "each point is " + f.every.String()
	}
	weak, all := 0, 0
	for _, l := range lines {
		weak, all = weak+l.weak, all+l.all
	}
	if weak > 0 {
		what += fmt.Sprintf("; %d of %d percentiles rest on fewer than %d values beyond them", weak, all, fewBeyond)
	}
	return []string{what}
}

// timeLines reads all files.
func (f *plotFlags) timeLines(in *input) ([]*timeLine, error) {
	type key struct {
		file int
		tag  string
	}
	var all []*timeLine
	at := map[key]*timeLine{}
	err := in.each(func(src *histSource, i hist.Interval) error {
		k := key{src.number, i.Tag}
		l := at[k]
		if l == nil {
			l = &timeLine{distribution: distribution{src: src, tag: i.Tag}, points: make([][]chart.Point, len(f.at))}
			at[k] = l
			all = append(all, l)
		}
		return f.add(l, i)
	})
	for _, l := range all {
		f.point(l)
	}
	return all, err
}

// add takes an interval: into the window that it is in, or as one of its own.
func (f *plotFlags) add(l *timeLine, i hist.Interval) error {
	after := i.Start.Sub(l.src.start())
	if f.every > 0 {
		number := int64(math.Floor(float64(after) / float64(f.every)))
		if l.window.Histogram != nil && number == l.number {
			if err := l.window.Histogram.Merge(i.Histogram); err != nil {
				return failed(fmt.Errorf("%s: %s: %w", l.src.name, tagName(l.tag), err), "")
			}
			return nil
		}
		f.point(l)
		l.number = number
		i.Start, i.Length = l.src.start().Add(time.Duration(number)*f.every), f.every
	} else {
		f.point(l)
	}
	l.window = i
	return nil
}

// point puts the window that was merged on the lines, at its middle. Without values
// it is a gap.
func (f *plotFlags) point(l *timeLine) {
	h := l.window.Histogram
	if h == nil {
		return
	}
	after := l.window.Start.Sub(l.src.start())
	l.end = max(l.end, after+l.window.Length)
	for k, p := range f.at {
		at := chart.Point{X: (after + l.window.Length/2).Seconds(), Y: math.NaN()}
		if h.Count() > 0 {
			at.Y = f.seconds(percentileOf(h, p))
			if p > 50 && p < 100 {
				l.all++
				if h.CountBeyond(p) < fewBeyond {
					l.weak++
				}
			}
		}
		l.points[k] = append(l.points[k], at)
	}
	l.window.Histogram = nil
}
