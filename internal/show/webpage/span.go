package webpage

import (
	"fmt"
	"math"
	"strings"

	"github.com/tarebench/tare/internal/show/chart"
)

// Axis is the scale of a column of spans. A logarithmic one is given as logarithms.
type Axis struct {
	Lo, Hi float64
	Zero   float64 // where the line is drawn against which the spans are seen
	Band   float64 // half-width of the shaded band around Zero, 0 for none
	Left   string  // what stands at the left end
	Right  string  // at the right end
}

// Span is an interval with its middle and single values, on an axis. What lies beyond the axis is drawn as an arrow at
// its end.
type Span struct {
	Axis        *Axis
	Lo, Mid, Hi float64
	Values      []float64 // drawn as dots
	Series      string    // the values in figures, in the order of time; scripts draw them in that order
	Unit        string    // of Series
	Words       string    // what it says, for those who do not see it
	Bar         bool      // a bar is drawn from Axis.Zero to Mid
}

// Size of a drawn span, in pixels.
const (
	spanWidth  = 220.0
	spanHeight = 22.0
	spanPad    = 6.0
)

// at returns the place of a value.
func (a *Axis) at(x float64) float64 {
	share := (x - a.Lo) / (a.Hi - a.Lo)
	return spanPad + min(max(share, 0), 1)*(spanWidth-2*spanPad)
}

// drawSpan draws a span.
func drawSpan(s *Span) string {
	var b strings.Builder
	series := ""
	if s.Series != "" {
		series = fmt.Sprintf(` data-series="%s" data-unit="%s"`, esc(s.Series), esc(s.Unit))
	}
	a, mid := s.Axis, spanHeight/2
	if a.Band > 0 {
		fmt.Fprintf(&b, `<rect class="band" x="%.1f" y="0" width="%.1f" height="%g"/>`, a.at(a.Zero-a.Band), a.at(a.Zero+a.Band)-a.at(a.Zero-a.Band), spanHeight)
	}
	if from, to := a.at(a.Zero), a.at(s.Mid); s.Bar {
		fmt.Fprintf(&b, `<rect class="bar" x="%.1f" y="5" width="%.1f" height="%g"/>`, min(from, to), max(from, to)-min(from, to), spanHeight-10)
	}
	fmt.Fprintf(&b, `<path class="zero" d="M%.1f 0V%g"/>`, a.at(a.Zero), spanHeight)
	s.dots(&b, mid)
	if s.Lo <= s.Hi && !math.IsInf(s.Lo, 0) && !math.IsInf(s.Hi, 0) {
		fmt.Fprintf(&b, `<path class="whisker" d="M%.1f %gH%.1f"/>`, a.at(s.Lo), mid, a.at(s.Hi))
		s.ends(&b, mid)
	}
	if !math.IsNaN(s.Mid) && !math.IsInf(s.Mid, 0) {
		fmt.Fprintf(&b, `<circle class="mid" cx="%.1f" cy="%g" r="3.5"/>`, a.at(s.Mid), mid)
	}
	attributes := ` role="img" aria-label="` + esc(s.Words) + `"` + series
	return chart.Element("span", spanWidth, spanHeight, attributes, b.String())
}

// dots draws the values as one path: pages have many.
func (s *Span) dots(b *strings.Builder, mid float64) {
	begun := false
	for i, v := range s.Values {
		if math.IsNaN(v) {
			continue
		}
		if !begun {
			b.WriteString(`<path class="dots" d="`)
			begun = true
		}
		// The height spreads dots that would hide each other: 5 rows, by the order of forks.
		fmt.Fprintf(b, "M%.1f %gh0", s.Axis.at(v), mid-6+3*float64(i%5))
	}
	if begun {
		b.WriteString(`"/>`)
	}
}

// ends draws the ends of the interval: a stroke, or an arrow for an end beyond the axis.
func (s *Span) ends(b *strings.Builder, mid float64) {
	for _, end := range []struct {
		x      float64
		beyond bool
		turn   float64
	}{{s.Lo, s.Lo < s.Axis.Lo, 1}, {s.Hi, s.Hi > s.Axis.Hi, -1}} {
		x := s.Axis.at(end.x)
		if end.beyond {
			fmt.Fprintf(b, `<path class="whisker" d="M%.1f %gL%.1f %gL%.1f %g"/>`, x+4*end.turn, mid-4, x, mid, x+4*end.turn, mid+4)
			continue
		}
		fmt.Fprintf(b, `<path class="whisker" d="M%.1f %gV%g"/>`, x, mid-4, mid+4)
	}
}

// drawAxis draws the ends of an axis, below the title of its column.
func drawAxis(a *Axis) string {
	return `<span class="axis"><span>` + esc(a.Left) + `</span><span>` + esc(a.Right) + `</span></span>`
}
