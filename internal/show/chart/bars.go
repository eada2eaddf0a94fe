package chart

import (
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"

	"github.com/tarebench/tare/internal/base/termtext"
)

// Bars is a chart of horizontal bars from zero, each with the interval of its value.
type Bars struct {
	Title    string
	Subtitle string // a line below the title; may be empty
	Unit     string // of the values: "op/s", "B". The axis gives it a prefix: MB is 1e6 B
	Plain    bool   // no prefix, for units that take none: "%"
	Bars     []Bar  // in the order drawn; at least one
	Notes    []string
	Live     bool // bars and their axis have their values as attributes, for scripts of a page that draw them anew
}

// A Bar is one value with its interval.
type Bar struct {
	Label string
	// Group is the heading above the first of the bars that have it one after the other.
	Group string
	// Value is at least 0. Of one that is negative, NaN or above 1e15 nothing is
	// drawn but a dash.
	Value float64
	// Lo and Hi are the ends of the interval. Unless both are within ±1e15 and
	// Lo ≤ Hi there is no whisker. Equal ends are drawn as one stroke.
	Lo, Hi float64
	Muted  bool // grey: what is shown for comparison only
}

func (b Bar) known() bool { return b.Value >= 0 && b.Value <= most }

func (b Bar) whiskers() bool {
	return b.known() && b.Lo <= b.Hi && b.Lo >= -most && b.Hi <= most
}

// lo returns the lower end as far as there is room for it.
func (b Bar) lo() float64 { return max(b.Lo, 0) }
func (b Bar) hi() float64 { return max(b.Hi, 0) }

// Sizes in pixels.
const (
	barsWidth = 760
	margin    = 16
	lineStep  = 18 // from one line of text to the next
	capSize   = 4  // half of a whisker's ends
	ticksWish = 5
)

var errNoBars = errors.New("no bars")

// Write writes the chart as one SVG image.
func (b Bars) Write(w io.Writer) error { return write(w, b) }

func (b Bars) draw() (*canvas, caption, error) {
	if len(b.Bars) == 0 {
		return nil, caption{}, fmt.Errorf("chart %q: %w", b.Title, errNoBars)
	}
	c := &canvas{width: barsWidth}
	y := head(c, b.Title, b.Subtitle)
	y = b.rows(c, y)
	c.height = notes(c, y, b.Notes) + margin
	return c, caption{b.Title, b.describe()}, nil
}

// largest returns the largest value that is drawn.
func (b Bars) largest() float64 {
	top := 0.0
	for _, x := range b.Bars {
		if x.known() {
			top = max(top, x.Value)
		}
		if x.whiskers() {
			top = max(top, x.hi())
		}
	}
	return top
}

// Heights in pixels.
const (
	rowHeight   = 28
	groupHeight = 24
	barHeight   = 16
)

// rows draws the bars, from y on.
func (b Bars) rows(c *canvas, y float64) float64 {
	left := margin + 8.0
	right := 0.0
	s := newScale(b.largest(), ticksWish, 0, 1, b.Unit, b.Plain)
	for _, x := range b.Bars {
		left = max(left, margin+8+widthOf(x.Label))
		right = max(right, widthOf(b.words(s, x)))
	}
	left = min(left, barsWidth/2)
	s.from, s.to = left, max(barsWidth-margin-8-right, left+100)
	bottom := y + b.height()
	b.axis(c, s, y, bottom)
	group := ""
	for _, x := range b.Bars {
		if x.Group != group {
			if group = x.Group; group != "" {
				c.style = groupStyle
				c.text("group", margin, y+groupHeight-6, start, group)
				y += groupHeight
			}
		}
		b.lay(c, s, x, y+rowHeight/2)
		y += rowHeight
	}
	c.line("axis", left, bottom-b.height(), left, bottom)
	c.text("minor", s.to+8+widthOf(s.tick(s.max))/2, bottom+lineStep, start, s.unit.name)
	return bottom + lineStep
}

const groupStyle = ".group { font-weight: 600 }\n"

// height returns how many pixels the bars take, with the headings of their groups.
func (b Bars) height() float64 {
	h, group := rowHeight*len(b.Bars), ""
	for _, x := range b.Bars {
		if x.Group != group {
			if group = x.Group; group != "" {
				h += groupHeight
			}
		}
	}
	return float64(h)
}

// axis draws the grid with its labels.
func (b Bars) axis(c *canvas, s scale, top, bottom float64) {
	if b.Live {
		fmt.Fprintf(&c.body, `<g class="ticks" data-from="%s" data-to="%s" data-top="%s" data-bottom="%s" data-unit="%s" data-plain="%t">`+"\n",
			px(s.from), px(s.to), px(top), px(bottom), termtext.XML(b.Unit), b.Plain || b.Unit == "")
	}
	for _, v := range s.ticks() {
		c.line("grid", s.at(v), top, s.at(v), bottom)
		c.text("minor", s.at(v), bottom+lineStep, middle, s.tick(v))
	}
	if b.Live {
		c.body.WriteString("</g>\n")
	}
}

func (b Bars) lay(c *canvas, s scale, x Bar, mid float64) {
	if b.Live {
		fmt.Fprintf(&c.body, `<g class="item" data-label="%s" data-group="%s" data-y="%s" data-value="%s" data-lo="%s" data-hi="%s">`+"\n",
			termtext.XML(x.Label), termtext.XML(x.Group), px(mid), exact(x.Value), exact(x.Lo), exact(x.Hi))
		defer c.body.WriteString("</g>\n")
	}
	c.text("label", s.from-8, mid+4, end, x.Label)
	if x.known() {
		c.rect(x.class(), s.from, mid-barHeight/2, s.at(x.Value)-s.from, barHeight)
	}
	if x.whiskers() {
		lo, hi := s.at(x.lo()), s.at(x.hi())
		c.line("whisker", lo, mid, hi, mid)
		c.line("whisker", lo, mid-capSize, lo, mid+capSize)
		c.line("whisker", hi, mid-capSize, hi, mid+capSize)
	}
	c.text("minor", s.to+8, mid+4, start, b.words(s, x))
}

// exact writes a number for scripts: nothing for one that is not finite.
func exact(x float64) string {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return ""
	}
	return strconv.FormatFloat(x, 'g', 8, 64)
}

func (b Bar) class() string {
	if b.Muted {
		return "muted"
	}
	return "bar"
}

// words returns the value in figures, with its interval.
func (b Bars) words(s scale, x Bar) string {
	switch {
	case !x.known():
		return "–"
	case !x.whiskers():
		return s.figure(x.Value)
	}
	return fmt.Sprintf("%s (%s … %s)", s.figure(x.Value), s.figure(x.Lo), s.figure(x.Hi))
}

// describe returns the chart's content in words, for readers who do not see it.
func (b Bars) describe() string {
	s := newScale(b.largest(), ticksWish, 0, 1, b.Unit, b.Plain)
	text := ""
	for i, x := range b.Bars {
		if i > 0 {
			text += "; "
		}
		text += x.Label + ": " + b.words(s, x)
	}
	if s.unit.name != "" {
		text += "; in " + s.unit.name
	}
	return text
}
