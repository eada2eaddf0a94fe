package trends

import (
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/internal/result/history/trend"
	"github.com/tarebench/tare/internal/show/chart"
)

// ErrSeveral says that a picture shows one series, and there are several.
var ErrSeveral = errors.New("a picture shows one benchmark in one unit")

// writeSVG writes the picture of the only row that is shown.
func writeSVG(w io.Writer, t *trend.Trends) error {
	var only *trend.Row
	for _, r := range t.Rows {
		if !r.Main && t.Unit == "" {
			continue
		}
		if only != nil {
			return ErrSeveral
		}
		only = r
	}
	if only == nil {
		return ErrSeveral
	}
	return picture(t, only).Write(w)
}

// Colours of a picture.
const (
	hueValue = 0
	hueWorse = 4
	hueFine  = 2
	hueOther = 7
)

// picture draws a row: the median of each commit with its interval, the level between suspects, and each suspect.
func picture(t *trend.Trends, r *trend.Row) chart.Lines {
	scale := units.ScaleOf(r.Unit, last(r))
	first, final := t.Points[0], t.Points[len(t.Points)-1]
	l := chart.Lines{
		Title:    nameOf(r, severalProcs(t)),
		Subtitle: r.Pkg + " · machine " + t.Machine + " · " + t.Toolchain,
		X:        chart.Axis{Name: fmt.Sprintf("measured commits, 1 is %s and %d is %s", first.Short(), len(t.Points), final.Short()), Plain: true},
		Y:        chart.Axis{Name: scale.Long(), Unit: "", Plain: true, Near: true},
		Notes:    []string{"medians of forks with their 95 % intervals; lines: the medians between suspects"},
	}
	values := chart.Line{Label: "median of forks", Hue: hueValue, Marks: true, Unjoined: true, Plain: true}
	for i, xs := range r.Values {
		x, span := float64(i+1), [2]float64{math.NaN(), math.NaN()}
		if len(xs) > 0 {
			span[0], span[1] = bounds(xs)
		}
		values.Points = append(values.Points, chart.Point{X: x, Y: r.Medians[i] / scale.Div})
		values.Spans = append(values.Spans, [2]float64{span[0] / scale.Div, span[1] / scale.Div})
	}
	l.Lines = append(l.Lines, values)
	if line, ok := sameBinaries(r, scale.Div); ok {
		l.Lines = append(l.Lines, line)
	}
	low, high := extremes(values)
	for _, level := range levels(r) {
		l.Lines = append(l.Lines, chart.Line{Label: "level", Hue: hueOther, Stroke: chart.Dashed, Plain: true,
			Points: []chart.Point{{X: float64(level.from + 1), Y: level.median / scale.Div}, {X: float64(level.to), Y: level.median / scale.Div}}})
	}
	for _, s := range r.Suspects {
		x := float64(s.At) + 0.5 // between the commit before and this one
		l.Lines = append(l.Lines, chart.Line{Label: fmt.Sprintf("%s %s %s, %s", sign(s.Ratio), Change(s.Ratio), t.Points[s.At].Short(), state(s)),
			Hue: hueOf(r, s), Stroke: chart.Dotted, Points: []chart.Point{{X: x, Y: low}, {X: x, Y: high}}})
	}
	return l
}

// sameBinaries returns the points of commits that were not measured because their test binary is that of another one.
func sameBinaries(r *trend.Row, div float64) (line chart.Line, any bool) {
	line = chart.Line{Label: "same test binary as another commit", Hue: hueOther, Marks: true, Unjoined: true}
	for i, same := range r.Same {
		y := math.NaN()
		if same >= 0 {
			y, any = r.Medians[same]/div, true
		}
		line.Points = append(line.Points, chart.Point{X: float64(i + 1), Y: y})
	}
	return line, any
}

func hueOf(r *trend.Row, s trend.Suspect) int {
	switch {
	case r.Better == "":
		return hueOther
	case r.Worse(s):
		return hueWorse
	}
	return hueFine
}

// extremes returns the lowest and the highest value that is drawn of a line.
func extremes(l chart.Line) (low, high float64) {
	low = math.Inf(1)
	for i, p := range l.Points {
		for _, y := range []float64{p.Y, l.Spans[i][0], l.Spans[i][1]} {
			if y >= 0 && !math.IsInf(y, 1) {
				low, high = min(low, y), max(high, y)
			}
		}
	}
	return low, high
}

// level is a stretch of a row between two suspects.
type level struct {
	from, to int // of points: [from, to)
	median   float64
}
