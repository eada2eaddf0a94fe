package chart

import (
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/tarebench/tare/internal/base/units"
)

// Ratios is a chart of ratios with their intervals, on a logarithmic axis around 1.
type Ratios struct {
	Title    string
	Subtitle string  // a line below the title; may be empty
	Band     float64 // ratios from 1/(1+Band) to 1+Band do not matter, and are shaded; 0: none
	Ratios   []Ratio // in the order drawn; at least one
	Notes    []string
}

// A Ratio is one ratio with its interval.
type Ratio struct {
	Label         string
	Value, Lo, Hi float64 // above 0; without an interval, Lo > Hi. What is beyond the axis is drawn as an arrow at its end
	Words         string  // beside it: the figures, and the verdict
	Muted         bool    // grey: nothing follows from it
}

var errNoRatios = errors.New("no ratios")

// ends are the ends of the axis that a chart of ratios chooses from.
var ratioEnds = []float64{1.02, 1.05, 1.1, 1.2, 1.5, 2, 5, 10, 100}

// Write writes the chart as one SVG image.
func (r Ratios) Write(w io.Writer) error { return write(w, r) }

func (r Ratios) draw() (*canvas, caption, error) {
	if len(r.Ratios) == 0 {
		return nil, caption{}, fmt.Errorf("chart %q: %w", r.Title, errNoRatios)
	}
	const row = 28
	c := &canvas{width: barsWidth, style: ratioStyle}
	y := head(c, r.Title, r.Subtitle)
	left, right := margin+8.0, 0.0
	for _, x := range r.Ratios {
		left, right = max(left, margin+20+widthOf(x.Label)), max(right, widthOf(x.Words))
	}
	left = min(left, barsWidth/2)
	s := ratioScale{from: left, to: max(barsWidth-margin-8-right, left+100), end: r.end()}
	bottom := y + row*float64(len(r.Ratios))
	if r.Band > 0 {
		c.rect("band", s.at(1/(1+r.Band)), y, s.at(1+r.Band)-s.at(1/(1+r.Band)), bottom-y)
	}
	for _, v := range []float64{1 / s.end, 1, s.end} {
		c.line("grid", s.at(v), y, s.at(v), bottom)
		c.text("minor", s.at(v), bottom+lineStep, middle, units.Trimmed(v, 3))
	}
	for i, x := range r.Ratios {
		mid := y + row*(float64(i)+0.5)
		c.text("label", left-12, mid+4, end, x.Label)
		s.draw(c, x, mid)
		c.text("minor", s.to+8, mid+4, start, x.Words)
	}
	c.height = notes(c, bottom+lineStep, r.Notes) + margin
	return c, caption{r.Title, r.describe()}, nil
}

// end returns the end of the axis: the first that nearly all intervals are within.
func (r Ratios) end() float64 {
	far := 1.0
	for _, x := range r.Ratios {
		for _, v := range []float64{x.Value, x.Lo, x.Hi} {
			if v > 0 && v < math.Inf(1) {
				far = max(far, v, 1/v)
			}
		}
	}
	for _, e := range ratioEnds {
		if far <= e {
			return e
		}
	}
	return ratioEnds[len(ratioEnds)-1]
}

func (r Ratios) describe() string {
	text := ""
	for i, x := range r.Ratios {
		if i > 0 {
			text += "; "
		}
		text += x.Label + ": " + x.Words
	}
	return text
}

// ratioScale maps ratios from 1/end to end to pixels.
type ratioScale struct{ from, to, end float64 }

func (s ratioScale) at(v float64) float64 {
	share := (math.Log(v)/math.Log(s.end) + 1) / 2
	return s.from + (s.to-s.from)*min(max(share, 0), 1)
}

// draw draws the interval, with an arrow at an end beyond the axis, and the ratio.
func (s ratioScale) draw(c *canvas, x Ratio, mid float64) {
	if !(x.Value > 0) {
		return
	}
	if x.Lo <= x.Hi {
		lo, hi := s.at(x.Lo), s.at(x.Hi)
		c.line("whisker", lo, mid, hi, mid)
		s.tip(c, lo, mid, x.Lo < 1/s.end, 1)
		s.tip(c, hi, mid, x.Hi > s.end, -1)
	}
	class := "bar"
	if x.Muted {
		class = "muted"
	}
	c.rect(class, s.at(x.Value)-4, mid-4, 8, 8)
}

func (s ratioScale) tip(c *canvas, x, mid float64, beyond bool, turn float64) {
	if !beyond {
		c.line("whisker", x, mid-capSize, x, mid+capSize)
		return
	}
	c.path("whisker", []point{{x + turn*capSize, mid - capSize}, {x, mid}, {x + turn*capSize, mid + capSize}})
}

const ratioStyle = `.band { fill: #dfe7ef }
@media (prefers-color-scheme: dark) {
.band { fill: #26313d }
}
`
