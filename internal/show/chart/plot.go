package chart

import (
	"cmp"
	"slices"
	"strings"
)

// A plot is the area in which curves are drawn, between two axes.
type plot struct {
	x, y                     ruler
	xName, yName             string
	left, right, top, bottom float64
}

// A ruler is an axis that has been laid out: where values are, and its ticks.
type ruler struct {
	at    func(float64) float64
	ticks []rulerTick
}

type rulerTick struct {
	at    float64 // pixel
	label string
}

// A tag is the name of a curve, which stands beside its end.
type tag struct {
	hue   int
	text  string
	x, y  float64 // end of the curve
	place float64 // of the text
}

const (
	plotWidth  = 760
	plotHeight = 320
	tagStep    = 15.0 // from one name of a curve to the next
	tagGap     = 22.0 // between the plot and the names, for the lines that lead there
	longestTag = 0.38 // of the width
)

// An Axis is one of the two directions of a chart.
type Axis struct {
	Name  string // what it shows: "time since the start"
	Unit  string // of the values: "s", "op/s". The axis gives it a prefix: ms is 1e-3 s
	Plain bool   // no prefix, for units that take none: "%", "min"
	Log   bool   // logarithmic, and not from zero
	Near  bool   // not from zero, if all values are far from it: of values whose changes are small
}

// title returns what stands at the axis.
func (a Axis) title(unit string) string {
	switch {
	case unit == "":
		return a.Name
	case a.Name == "":
		return unit
	}
	return a.Name + ", " + unit
}

// rule lays the axis out over pixels, for values between smallest and largest. It
// returns the title, and how it writes a value.
func (a Axis) rule(smallest, largest, from, to float64) (r ruler, title string, words func(float64) string) {
	if a.Log {
		s := newLogScale(smallest, largest, from, to, a.Unit, a.Plain)
		return ruler{s.at, rulerTicks(s.ticks(), s.at, s.tick)}, a.Name, s.words
	}
	s := newScale(largest, ticksWish, from, to, a.Unit, a.Plain)
	if a.Near {
		s = newNearScale(smallest, largest, ticksWish, from, to, a.Unit, a.Plain)
	}
	words = func(v float64) string { return strings.TrimSpace(s.figure(v) + " " + s.unit.name) }
	return ruler{s.at, rulerTicks(s.ticks(), s.at, s.tick)}, a.title(s.unit.name), words
}

func rulerTicks(values []float64, at func(float64) float64, label func(float64) string) []rulerTick {
	var out []rulerTick
	for _, v := range values {
		out = append(out, rulerTick{at(v), label(v)})
	}
	return out
}

// widest returns the width of the widest label.
func (r ruler) widest() float64 {
	w := 0.0
	for _, t := range r.ticks {
		w = max(w, widthOf(t.label))
	}
	return w
}

// newPlot divides the canvas from y on: labels to the left, names of curves to the
// right. rule makes the ruler of y for pixels.
func newPlot(y float64, names []string, yAxis func(from, to float64) (ruler, string)) *plot {
	p := &plot{top: y + lineStep + 8}
	p.bottom = p.top + max(plotHeight, tagStep*float64(len(names)))
	p.y, p.yName = yAxis(p.bottom, p.top)
	p.left = margin + p.y.widest() + 8
	tags := 2.0 * margin // which the last label of the axis needs as well
	for _, n := range names {
		tags = max(tags, widthOf(n))
	}
	p.right = plotWidth - margin - tagGap - min(tags, plotWidth*longestTag)
	return p
}

// every returns how many ticks there must be for each label that has room.
func (r ruler) every() int {
	for n := 1; n < len(r.ticks); n++ {
		fit := true
		for i := n; i < len(r.ticks); i += n {
			a, b := r.ticks[i-n], r.ticks[i]
			fit = fit && b.at-a.at > (widthOf(a.label)+widthOf(b.label))/2+4
		}
		if fit {
			return n
		}
	}
	return max(len(r.ticks), 1)
}

// axes draws the grid with its labels.
func (p *plot) axes(c *canvas) (bottom float64) {
	for _, t := range p.y.ticks {
		c.line("grid", p.left, t.at, p.right, t.at)
		c.text("minor", p.left-6, t.at+4, end, t.label)
	}
	c.text("minor", margin, p.top-12, start, p.yName)
	every := p.x.every()
	for i, t := range p.x.ticks {
		c.line("grid", t.at, p.top, t.at, p.bottom)
		if i%every == 0 {
			c.text("minor", t.at, p.bottom+lineStep, middle, t.label)
		}
	}
	c.line("axis", p.left, p.bottom, p.right, p.bottom)
	bottom = p.bottom + lineStep
	if p.xName != "" {
		bottom += lineStep
		c.text("minor", (p.left+p.right)/2, bottom, middle, p.xName)
	}
	return bottom
}

// name writes the names of curves beside their ends, with a thin line to each. Names do not overlap.
func (p *plot) name(c *canvas, tags []tag) {
	spread(tags, p.top+4, p.bottom)
	for _, t := range tags {
		x := p.right + tagGap
		c.path("lead "+hue(t.hue), []point{{t.x, t.y}, {max(t.x, p.right), t.y}, {x - 3, t.place}})
		c.text("tag "+hue(t.hue), x, t.place+4, start, cutTo(t.text, plotWidth*longestTag))
	}
}

// spread finds places for the names between two lines: in the order of the ends,
// as near to them as can be without touching each other.
func spread(tags []tag, top, bottom float64) {
	slices.SortStableFunc(tags, func(a, b tag) int { return cmp.Compare(a.y, b.y) })
	next := top
	for i := range tags {
		tags[i].place = max(tags[i].y, next)
		next = tags[i].place + tagStep
	}
	next = bottom
	for i := len(tags) - 1; i >= 0; i-- {
		tags[i].place = min(tags[i].place, next)
		next = tags[i].place - tagStep
	}
}

// cutTo shortens a text to a width. It removes the middle, because names differ most at their ends. What has room for
// less than three characters of a longer text is left empty.
func cutTo(s string, width float64) string {
	r := []rune(s)
	n := int(width / (textSize * charWidth))
	switch {
	case len(r) <= n:
		return s
	case n < 3:
		return ""
	}
	tail := (n - 1) / 2
	return string(r[:n-1-tail]) + "…" + string(r[len(r)-tail:])
}
