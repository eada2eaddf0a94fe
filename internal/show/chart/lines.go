package chart

import (
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
)

// Lines is a chart of values over others: percentiles over time, latency over
// throughput.
type Lines struct {
	Title    string
	Subtitle string // a line below the title; may be empty
	X, Y     Axis
	Lines    []Line // at least one; those drawn later lie above
	Notes    []string
}

// A Line is a curve through points, with its name at its end.
type Line struct {
	Label  string
	Points []Point // in the order drawn
	Hue    int     // which of the colours, from 0; there are 8, and then they repeat
	Stroke Stroke
	Marks  bool // a dot at each point, for lines of few points
	// Spans are the intervals of the points' Y, in the same order; there may be none. One is drawn unless both ends are
	// values that a point may have.
	Spans    [][2]float64
	Unjoined bool // points that no line joins
	Plain    bool // without its name at its end: another line has it
}

// A Point of a line. If one of its values is negative, above 1e15 or NaN, the line
// has a gap there. What a logarithmic axis has no place for, such as 0, lies at its
// end.
type Point struct{ X, Y float64 }

func (p Point) known() bool {
	return p.X >= 0 && p.Y >= 0 && p.X <= most && p.Y <= most
}

// A Stroke is how a line is drawn.
type Stroke int

// The strokes.
const (
	Solid Stroke = iota
	Dashed
	Dotted
)

var errNoLines = errors.New("no lines")

// Write writes the chart as one SVG image.
func (l Lines) Write(w io.Writer) error { return write(w, l) }

func (l Lines) draw() (*canvas, caption, error) {
	if len(l.Lines) == 0 {
		return nil, caption{}, fmt.Errorf("chart %q: %w", l.Title, errNoLines)
	}
	c := &canvas{width: plotWidth, style: plotStyle}
	var names []string
	for _, x := range l.Lines {
		if !x.Plain {
			names = append(names, x.Label)
		}
	}
	low, high := l.bounds()
	p := newPlot(head(c, l.Title, l.Subtitle), names, func(from, to float64) (r ruler, title string) {
		r, title, _ = l.Y.rule(low.Y, high.Y, from, to)
		return r, title
	})
	p.x, p.xName, _ = l.X.rule(low.X, high.X, p.left, p.right)
	y := p.axes(c)
	var tags []tag
	for _, x := range l.Lines {
		if last, ok := x.draw(c, p); ok && !x.Plain {
			tags = append(tags, tag{hue: x.Hue, text: x.Label, x: last.x, y: last.y})
		}
	}
	p.name(c, tags)
	c.height = notes(c, y, l.Notes) + margin
	return c, caption{l.Title, l.describe(low, high)}, nil
}

// bounds returns the smallest and the largest values; the smallest are those above 0,
// which is what an axis from zero need not know and a logarithmic one does.
func (l Lines) bounds() (low, high Point) {
	low = Point{math.Inf(1), math.Inf(1)}
	for _, x := range l.Lines {
		for _, p := range x.Points {
			if !p.known() {
				continue
			}
			high = Point{max(high.X, p.X), max(high.Y, p.Y)}
			if p.X > 0 {
				low.X = min(low.X, p.X)
			}
			if p.Y > 0 {
				low.Y = min(low.Y, p.Y)
			}
		}
		for _, s := range x.Spans {
			if lo, hi := (Point{0, s[0]}), (Point{0, s[1]}); lo.known() && hi.known() && s[0] <= s[1] {
				high.Y = max(high.Y, s[1])
				if s[0] > 0 {
					low.Y = min(low.Y, s[0])
				}
			}
		}
	}
	return low, high
}

// draw draws the line piece by piece, and returns its last point.
func (l Line) draw(c *canvas, p *plot) (last point, any bool) {
	var piece []point
	flush := func() {
		if len(piece) > 0 {
			if !l.Unjoined {
				c.path(l.Stroke.class()+" "+hue(l.Hue), thin(piece))
			}
			last, any = piece[len(piece)-1], true
		}
		piece = nil
	}
	for i, v := range l.Points {
		if !v.known() {
			flush()
			continue
		}
		l.span(c, p, i)
		at := point{p.x.at(v.X), p.y.at(v.Y)}
		piece = append(piece, at)
		if l.Marks {
			c.path("mark "+hue(l.Hue), []point{at, at})
		}
	}
	flush()
	return last, any
}

// span draws the interval of a point.
func (l Line) span(c *canvas, p *plot, i int) {
	if i >= len(l.Spans) {
		return
	}
	x, lo, hi := l.Points[i].X, l.Spans[i][0], l.Spans[i][1]
	if !(Point{x, lo}).known() || !(Point{x, hi}).known() || lo > hi {
		return
	}
	at, low, high := p.x.at(x), p.y.at(lo), p.y.at(hi)
	fmt.Fprintf(&c.body, `<path class="whisker" d="M%s %sV%sM%s %sH%sM%s %[3]sH%[6]s"/>`+"\n", px(at), px(low), px(high), px(at-capSize), px(low), px(at+capSize), px(at-capSize))
}

// describe returns the chart's content in words, for readers who do not see it.
func (l Lines) describe(low, high Point) string {
	_, _, x := l.X.rule(low.X, high.X, 0, 1)
	_, _, y := l.Y.rule(low.Y, high.Y, 0, 1)
	var text []string
	for _, line := range l.Lines {
		if !line.Plain {
			text = append(text, line.words(x, y))
		}
	}
	return strings.Join(text, "; ")
}

// words returns where a line goes: its ends and its highest point.
func (l Line) words(x, y func(float64) string) string {
	var first, last, top *Point
	for i := range l.Points {
		p := &l.Points[i]
		if !p.known() {
			continue
		}
		if first == nil {
			first = p
		}
		if last = p; top == nil || p.Y > top.Y {
			top = p
		}
	}
	if first == nil {
		return l.Label + ": no values"
	}
	return fmt.Sprintf("%s: from %s at %s to %s at %s, at most %s at %s",
		l.Label, y(first.Y), x(first.X), y(last.Y), x(last.X), y(top.Y), x(top.X))
}
