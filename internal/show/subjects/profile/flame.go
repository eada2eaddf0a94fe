package profile

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"

	"github.com/tarebench/tare/internal/base/termtext"
	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/internal/binary/gofunc"
	"github.com/tarebench/tare/internal/show/chart"
	scripts "github.com/tarebench/tare/internal/show/script"
)

// Measures of the image, in pixels.
const (
	flameWidth  = 1200.0
	flameRow    = 17.0
	flameMargin = 10.0
	flameTop    = 76.0 // of the title, the note and the legend
	flameLeast  = 0.3  // what is narrower is not drawn
	flameChar   = 6.6  // width of a character, rather too much
	flameDeep   = 2000 // rows at most
	flameInner  = flameWidth - 2*flameMargin
)

// Graph is a flame graph: outer functions below, the width of each its value. Of two profiles, widths are those of the new
// one, and colours say which shares changed.
type Graph struct {
	Title  string
	Note   string // on how much it is based
	Legend []chart.Swatch
	Sides  []string // names of the old and the new side, if there are two
	Narrow int      // calls that are not drawn

	kept   [2]float64 // share of all that the whole width stands for: old, new
	frames []frame    // callers before callees
	rows   int
}

// frame is a function at a place.
type frame struct {
	name, words, class string
	x, w, old          float64 // pixels; old: width in the old profile, where there are two
	depth              int
}

// Flame writes a flame graph as one SVG image, with names and figures in tool tips. Where a browser shows it by itself, a
// click on a function widens it, and names can be searched, kept and dropped; it needs no other file. The same view
// gives the same bytes. It has the stacks that tables count, so blocked ones only with
// [Config.Blocked].
func (v *View) Flame(w io.Writer) error { return v.Graph().Write(w) }

// FlameBlocked writes the flame graph of the stacks that were blocked, like [View.Flame].
func (v *View) FlameBlocked(w io.Writer) error { return v.GraphBlocked().Write(w) }

// ExcludesBlocked reports whether there is blocked time that [View.Flame] does not show.
func (v *View) ExcludesBlocked() bool { return v.excludeBlocked && v.Blocked > 0 }

// Flame writes the flame graph of two profiles, like [View.Flame].
func (d *Difference) Flame(w io.Writer) error { return d.Graph().Write(w) }

// Graph returns the flame graph of what is shown.
func (v *View) Graph() *Graph {
	title, note := v.flameWords()
	return v.graph(v.shown(), v.Shown, title, note)
}

// GraphBlocked returns that of the stacks that were blocked.
func (v *View) GraphBlocked() *Graph {
	title, _ := v.flameTitle()
	return v.graph(v.only(blocked), v.Blocked, title+", blocked", value(v.Blocked, v.Unit)+" in all; callers below callees")
}

// graph draws stacks, which are all of a value or a part of it.
func (v *View) graph(stacks []stack, all int64, title, note string) *Graph {
	root := tree(stacks, nil)
	g := &Graph{Title: title, Note: note, kept: [2]float64{1: shareOf(root.value, all)}}
	scale := flameInner / float64(max(root.value, 1))
	used := [gofunc.Modules]bool{}
	g.layOut(root, scale, 0, func(f *frame, n *node) {
		f.words = fmt.Sprintf("%s: %s, %s", n.name, value(n.value, v.Unit), share(shareOf(n.value, all), v.chance(n.value, all)))
		f.class = "root"
		if f.depth > 0 {
			m := gofunc.ModuleOf(n.name, v.files[n.name])
			used[m], f.class = true, moduleClass(m)
		}
		if n.blocked > 0 && n.blocked == n.value {
			f.class += " blocked"
		}
	})
	for m := range gofunc.Modules {
		if used[m] {
			g.Legend = append(g.Legend, chart.Swatch{Class: moduleClass(m), Words: m.String()})
		}
	}
	return g
}

// Graph returns the flame graph of both: of the old one, the widths that it has there.
func (d *Difference) Graph() *Graph {
	root := tree(d.New.shown(), d.Old.shown())
	g := &Graph{Sides: d.Names[:], kept: [2]float64{shareOf(root.old, d.Old.Shown), shareOf(root.value, d.New.Shown)}}
	what := d.New.Type
	if d.New.ExcludesBlocked() {
		what += ", running"
	}
	g.Title = fmt.Sprintf("%s, %s against %s", what, d.Names[1], d.Names[0])
	if d.New.program != "" {
		g.Title = d.New.program + ": " + g.Title
	}
	g.Note = fmt.Sprintf("%s: %s; %s: %s; widths are shares of %[3]s; callers below callees", d.Names[0], d.side(d.Old), d.Names[1], d.side(d.New))
	var changes []ShareChange
	scale := flameInner / float64(max(root.value, 1))
	oldScale := flameInner / float64(max(root.old, 1))
	g.layOut(root, scale, oldScale, func(_ *frame, n *node) {
		c := ShareChange{Old: d.Old.shareShown(n.old), New: d.New.shareShown(n.value)}
		d.compare(&c, d.Old.chance(n.old, d.Old.Shown), d.New.chance(n.value, d.New.Shown))
		changes = append(changes, c)
	})
	list := make([]*ShareChange, len(changes))
	for i := range changes {
		list[i] = &changes[i]
	}
	adjust(list)
	places := d.places()
	for i, c := range changes {
		f := &g.frames[i]
		f.class = d.changeClass(c)
		f.words = fmt.Sprintf("%s: %s %s, %s %s; %s points", f.name, d.Names[0], units.PercentTo(c.Old, places), d.Names[1], units.PercentTo(c.New, places), Points(c.Value, places))
		if d.Sampled {
			f.words += fmt.Sprintf(" (%s … %s), %s", Points(c.Lo, places), Points(c.Hi, places), d.Verdict(c))
		}
	}
	g.Legend = d.legend()
	return g
}

// layOut puts a tree into frames, and has each described.
func (g *Graph) layOut(root *node, scale, oldScale float64, describe func(*frame, *node)) {
	var draw func(n *node, x float64, depth int)
	draw = func(n *node, x float64, depth int) {
		f := frame{name: n.name, x: x, w: float64(n.value) * scale, old: float64(n.old) * oldScale, depth: depth}
		if max(f.w, f.old) < flameLeast {
			g.Narrow++
			return
		}
		describe(&f, n)
		g.frames = append(g.frames, f)
		g.rows = max(g.rows, depth+1)
		for _, name := range slices.Sorted(maps.Keys(n.below)) {
			c := n.below[name]
			draw(c, x, depth+1)
			x += float64(c.value) * scale
		}
	}
	draw(root, flameMargin, 0)
}

// Write writes the image.
func (g *Graph) Write(w io.Writer) error {
	var out bytes.Buffer
	height := flameTop + float64(g.rows)*flameRow + 2*flameMargin + 16
	fmt.Fprintf(&out, `<text class="title" x="%s" y="26">%s</text>`+"\n", px(flameMargin), termtext.XML(g.Title))
	fmt.Fprintf(&out, `<text class="minor" x="%s" y="44">%s</text>`+"\n", px(flameMargin), termtext.XML(g.Note))
	g.writeLegend(&out)
	g.writeFrames(&out, flameTop)
	if s := g.TooNarrow(); s != "" {
		fmt.Fprintf(&out, `<text class="minor" x="%s" y="%s">%s</text>`+"\n", px(flameMargin), px(height-flameMargin), s)
	}
	fmt.Fprintf(&out, `<text class="minor found" x="%s" y="26" text-anchor="end" display="none">search</text>`+"\n", px(flameWidth-flameMargin))
	out.WriteString("<script><![CDATA[\n" + script() + "]]></script>\n")
	return chart.Drawing{
		Title: g.Title, Description: g.Note, Width: flameWidth, Height: height,
		Attributes: ` class="flame"` + g.data(flameTop), Style: flameStyle, Body: out.String(),
	}.Write(w)
}

// Markup returns the functions as an element of a page, which has the style (see [chart.BoxColours]), the script, and what
// stands around it. label says what it is.
func (g *Graph) Markup(label string) string {
	var out bytes.Buffer
	g.writeFrames(&out, 1)
	attributes := ` role="group" tabindex="0" aria-label="` + termtext.XML(label) + `"` + g.data(1)
	return chart.Element("flame", flameWidth, float64(g.rows)*flameRow+2, attributes, "\n"+out.String())
}

// TooNarrow says how many calls are not drawn, "" for none.
func (g *Graph) TooNarrow() string {
	if g.Narrow == 0 {
		return ""
	}
	return units.Plural(g.Narrow, "call") + " too narrow to be drawn"
}

// data returns what scripts need to know.
func (g *Graph) data(top float64) string {
	s := fmt.Sprintf(` data-left="%s" data-width="%s" data-char="%s" data-row="%s" data-top="%s" data-kept="%s"`, px(flameMargin), px(flameInner), px(flameChar), px(flameRow), px(top), exact(g.kept[1]))
	if len(g.Sides) > 0 {
		s += fmt.Sprintf(` data-old="%s" data-base="%s" data-side="%s"`, exact(g.kept[0]), termtext.XML(g.Sides[0]), termtext.XML(g.Sides[1]))
	}
	return s
}

func exact(x float64) string { return strconv.FormatFloat(x, 'g', 6, 64) }

func (g *Graph) writeLegend(out *bytes.Buffer) {
	x := flameMargin
	for _, s := range g.Legend {
		fmt.Fprintf(out, `<rect class="%s" x="%s" y="55" width="11" height="11"/><text class="minor" x="%s" y="65">%s</text>`+"\n", s.Class, px(x), px(x+16), termtext.XML(s.Words))
		x += 16 + 6.4*float64(termtext.Width(s.Words)) + 18
	}
}

func (g *Graph) writeFrames(out *bytes.Buffer, top float64) {
	for i := range g.frames {
		f := &g.frames[i]
		y, old, hidden := top+flameRow*float64(g.rows-1-f.depth), "", ""
		if len(g.Sides) > 0 {
			old = ` data-o="` + px(f.old) + `"`
		}
		if f.w < flameLeast {
			hidden = ` display="none"`
		}
		fmt.Fprintf(out, `<g data-n="%s"%s%s><title>%s</title><rect class="%s" x="%s" y="%s" width="%s" height="%s"/>`, termtext.XML(f.name), old, hidden, termtext.XML(f.words), f.class, px(f.x), px(y), px(f.w), px(flameRow-1))
		if room := int((f.w - 6) / flameChar); room >= 3 {
			fmt.Fprintf(out, `<text x="%s" y="%s">%s</text>`, px(f.x+3), px(y+12), termtext.XML(short(f.name, room)))
		}
		out.WriteString("</g>\n")
	}
}

// script makes the image interactive where a browser opens it by itself. In a page that shows it as a picture nothing runs.
func script() string {
	return "(function () {\n\"use strict\";\n" + scripts.Join("flame") + "addFlame(document.documentElement, 0);\n})();\n"
}

func px(x float64) string { return strconv.FormatFloat(math.Floor(x*100+0.5)/100, 'f', -1, 64) }

// short returns the end of a name, without the path of its package if there is no room for it.
func short(name string, room int) string {
	if termtext.Width(name) <= room {
		return name
	}
	return termtext.Charset{UTF8: true}.Head(WithoutPath(name), room)
}
