package chart

import (
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/tarebench/tare/internal/base/units"
)

// Percentiles is a chart of distributions: the value at each percentile, over the
// logarithm of 1/(1-p), so that each further nine has the same room. It ends where
// the values do: at one in as many as there are.
type Percentiles struct {
	Title    string
	Subtitle string // a line below the title; may be empty
	Y        Axis   // of the values
	Curves   []Curve
	Few      int64 // where fewer values than this lie beyond, curves are dotted; 0: nowhere
	Notes    []string
}

// A Curve is one distribution, with its name at its end.
type Curve struct {
	Label string
	Steps []Step
	Hue   int // which of the colours, from 0; there are 8, and then they repeat

	Stroke Stroke // where enough values lie beyond
}

// A Step says how many values there are up to one: each step has a larger Value and
// a larger Count than the one before. The last has the largest value and the count
// of all. What is below 0 or above 1e15 is drawn at the end of the axis.
type Step struct {
	Value float64
	Count int64
}

func (s Step) drawn() float64 {
	if !(s.Value >= 0) {
		return 0
	}
	return min(s.Value, most)
}

var errNoCurves = errors.New("no curves")

// Write writes the chart as one SVG image.
func (d Percentiles) Write(w io.Writer) error { return write(w, d) }

func (d Percentiles) draw() (*canvas, caption, error) {
	if len(d.Curves) == 0 {
		return nil, caption{}, fmt.Errorf("chart %q: %w", d.Title, errNoCurves)
	}
	c := &canvas{width: plotWidth, style: plotStyle}
	var names []string
	low, high, count := math.Inf(1), 0.0, int64(1)
	for _, x := range d.Curves {
		names = append(names, x.Label)
		for _, s := range x.Steps {
			high, count = max(high, s.drawn()), max(count, s.Count)
			if v := s.drawn(); v > 0 {
				low = min(low, v)
			}
		}
	}
	var words func(float64) string
	p := newPlot(head(c, d.Title, d.Subtitle), names, func(from, to float64) (r ruler, title string) {
		r, title, words = d.Y.rule(low, high, from, to)
		return r, title
	})
	p.x, p.xName = nines(count, p.left, p.right), "percentile"
	y := p.axes(c)
	var tags []tag
	for _, x := range d.Curves {
		if last, ok := x.draw(c, p, d.Few); ok {
			tags = append(tags, tag{hue: x.Hue, text: x.Label, x: last.x, y: last.y})
		}
	}
	p.name(c, tags)
	c.height = notes(c, y, d.Notes) + margin
	return c, caption{d.Title, d.describe(words)}, nil
}

// nines returns the axis of percentiles, for so many values: its values are powers of
// ten of 1/(1-p).
func nines(count int64, from, to float64) ruler {
	top := max(math.Log10(float64(count)), 1)
	r := ruler{at: func(v float64) float64 { return from + (to-from)*min(v, top)/top }}
	r.ticks = append(r.ticks, rulerTick{from, "0 %"})
	if half := r.at(math.Log10(2)); half-from > (widthOf("0 %")+widthOf("50 %"))/2+6 {
		r.ticks = append(r.ticks, rulerTick{half, "50 %"})
	}
	for n := 1; float64(n) <= top*(1+1e-9); n++ {
		r.ticks = append(r.ticks, rulerTick{r.at(float64(n)), percentile(n)})
	}
	return r
}

// percentile writes 1 - 10^-n: 90 %, 99 %, 99.9 %.
func percentile(n int) string {
	if n == 1 {
		return "90 %"
	}
	text := "99"
	if n > 2 {
		text += "." + strings.Repeat("9", n-2)
	}
	return text + " %"
}

// draw draws the curve as the stairs that it is, and returns its end.
func (x Curve) draw(c *canvas, p *plot, few int64) (last point, any bool) {
	if len(x.Steps) == 0 || x.total() == 0 {
		return last, false
	}
	all := x.total()
	at := func(count int64) float64 {
		beyond := max(all-count, 1) // the last value: one in all of them
		return p.x.at(math.Log10(float64(all) / float64(beyond)))
	}
	var firm, weak []point
	from := int64(0)
	for _, s := range x.Steps {
		y := p.y.at(s.drawn())
		stair := []point{{at(from), y}, {at(s.Count), y}}
		if all-from >= few {
			firm = append(firm, stair...)
		} else {
			if len(weak) == 0 && len(firm) > 0 {
				weak = append(weak, firm[len(firm)-1])
			}
			weak = append(weak, stair...)
		}
		last, from = stair[1], s.Count
	}
	if len(firm) > 0 {
		c.path(x.Stroke.class()+" "+hue(x.Hue), thin(firm))
	}
	if len(weak) > 0 {
		c.path(Dotted.class()+" "+hue(x.Hue), thin(weak))
	}
	return last, true
}

func (x Curve) total() int64 {
	if len(x.Steps) == 0 {
		return 0
	}
	return x.Steps[len(x.Steps)-1].Count
}

// valueAt returns the value that so large a share of all values does not exceed.
func (x Curve) valueAt(share float64) float64 {
	need := share * float64(x.total()) * (1 - 1e-12)
	for _, s := range x.Steps {
		if float64(s.Count) >= need {
			return s.drawn()
		}
	}
	return math.NaN()
}

// describe returns the chart's content in words, for readers who do not see it.
func (d Percentiles) describe(words func(float64) string) string {
	var text []string
	for _, x := range d.Curves {
		if x.total() == 0 {
			text = append(text, x.Label+": no values")
			continue
		}
		line := x.Label + ": " + strconv.FormatInt(x.total(), 10) + " values"
		for _, p := range []float64{50, 99, 99.9, 100} {
			name := units.Plain(p) + " %"
			if p == 100 {
				name = "max"
			}
			line += ", " + name + " " + words(x.valueAt(p/100))
		}
		text = append(text, line)
	}
	return strings.Join(text, "; ")
}
