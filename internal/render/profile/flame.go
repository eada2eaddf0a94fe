package profile

import (
	"bytes"
	"fmt"
	"hash/fnv"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	scripts "github.com/tarebench/tare/internal/render/script"
	"github.com/tarebench/tare/internal/termtext"
	"github.com/tarebench/tare/internal/units"
)

// Measures of the image, in pixels.
const (
	flameWidth  = 1200.0
	flameRow    = 17.0
	flameMargin = 10.0
	flameTop    = 56.0
	flameLeast  = 0.3  // what is narrower is not drawn
	flameChar   = 6.6  // width of a character, rather too much
	flameDeep   = 2000 // rows at most
)

// flameStyle follows the reader's preference for light or dark, as the charts do.
const flameStyle = `text { font-family: ui-monospace, Menlo, Consolas, monospace; font-size: 11px; fill: #16202b }
.paper { fill: #ffffff }
.title { font-family: system-ui, sans-serif; font-size: 16px; font-weight: 600 }
.minor { font-family: system-ui, sans-serif; font-size: 12px; fill: #4b535d }
rect { stroke: #ffffff; stroke-width: 0.5 }
` + FlameColours + `
@media (prefers-color-scheme: dark) {
.paper { fill: #0d1117; stroke: none }
.title { fill: #e6edf3 }
.minor { fill: #b1bac4 }
rect { stroke: #0d1117 }
}
`

// FlameColours are the colours of packages, which are the same in light and dark. Functions that were blocked all the
// time are paler, with a broken outline.
const FlameColours = `.blocked { fill-opacity: 0.45; stroke: #4b535d; stroke-dasharray: 3 2 } .h0 { fill: #f2c14e } .h1 { fill: #f0a35e } .h2 { fill: #e98a6b } .h3 { fill: #d9c27a } .h4 { fill: #a9c98f } .h5 { fill: #8fbfc4 } .h6 { fill: #b3a6d9 } .h7 { fill: #c9cfd6 }`

const flameHues = 8

// node is a function at a place in the tree of calls.
type node struct {
	name    string
	value   int64
	blocked int64 // part of value
	below   map[string]*node
}

func (n *node) child(name string) *node {
	c := n.below[name]
	if c == nil {
		c = &node{name: name}
		if n.below == nil {
			n.below = map[string]*node{}
		}
		n.below[name] = c
	}
	return c
}

// tree merges the stacks that begin alike.
func tree(stacks []stack) *node {
	root := &node{name: "all"}
	for _, s := range stacks {
		n := root
		n.add(s)
		for _, name := range s.names[:min(len(s.names), flameDeep)] {
			n = n.child(name)
			n.add(s)
		}
	}
	return root
}

func (n *node) add(s stack) {
	n.value += s.value
	if s.did == blocked {
		n.blocked += s.value
	}
}

// depth returns how many rows it takes, of what is wide enough to be drawn.
func (n *node) depth(least float64) int {
	most := 0
	for _, c := range n.below {
		if float64(c.value) >= least {
			most = max(most, c.depth(least))
		}
	}
	return 1 + most
}

// flame draws on an image.
type flame struct {
	bytes.Buffer
	v      *View
	all    int64
	scale  float64 // pixels of a unit
	height float64
	narrow int // calls that are not drawn
}

// Flame writes a flame graph as one SVG image: outer functions below, the width of each its
// value, names and figures in tool tips. Where a browser shows it by itself, a click on a
// function widens it, and a search finds names; it needs no other file. The same view
// gives the same bytes. It has the stacks that tables count, so blocked ones only with
// [Config.Blocked].
func (v *View) Flame(w io.Writer) error {
	title, note := v.flameWords()
	return v.flame(w, v.shown(), title, note)
}

// BlockedApart reports whether there is blocked time that [View.Flame] does not show.
func (v *View) BlockedApart() bool { return v.apart && v.Blocked > 0 }

// FlameBlocked writes the flame graph of the stacks that were blocked, like [View.Flame].
func (v *View) FlameBlocked(w io.Writer) error {
	title, _ := v.flameTitle()
	return v.flame(w, v.only(blocked), title+", blocked", value(v.Blocked, v.Unit)+" in all; callers below callees")
}

// flame writes an image of stacks.
func (v *View) flame(w io.Writer, of []stack, title, note string) error {
	root := tree(of)
	f := &flame{v: v, all: root.value}
	f.scale = (flameWidth - 2*flameMargin) / float64(max(root.value, 1))
	rows := root.depth(flameLeast / f.scale)
	f.height = flameTop + float64(rows)*flameRow + 2*flameMargin + 16
	f.draw(root, flameMargin, f.height-2*flameMargin-16-flameRow)
	var out bytes.Buffer
	h := f.px(f.height)
	fmt.Fprintf(&out, `<svg xmlns="http://www.w3.org/2000/svg" class="flame" width="%s" height="%s" viewBox="0 0 %[1]s %[2]s" role="img" data-left="%[3]s" data-width="%[4]s" data-char="%[5]s">`+"\n",
		f.px(flameWidth), h, f.px(flameMargin), f.px(flameWidth-2*flameMargin), f.px(flameChar))
	fmt.Fprintf(&out, "<title>%s</title>\n<desc>%s</desc>\n<style>\n%s</style>\n", termtext.XML(title), termtext.XML(note), flameStyle)
	fmt.Fprintf(&out, `<rect class="paper" width="%s" height="%s"/>`+"\n", f.px(flameWidth), h)
	fmt.Fprintf(&out, `<text class="title" x="%s" y="26">%s</text>`+"\n", f.px(flameMargin), termtext.XML(title))
	fmt.Fprintf(&out, `<text class="minor" x="%s" y="44">%s</text>`+"\n", f.px(flameMargin), termtext.XML(note))
	out.Write(f.Bytes())
	if f.narrow > 0 {
		fmt.Fprintf(&out, `<text class="minor" x="%s" y="%s">%d calls are too narrow to be drawn</text>`+"\n", f.px(flameMargin), f.px(f.height-flameMargin), f.narrow)
	}
	fmt.Fprintf(&out, `<text class="minor found" x="%s" y="26" text-anchor="end" display="none">search</text>`+"\n", f.px(flameWidth-flameMargin))
	out.WriteString("<script><![CDATA[\n" + script() + "]]></script>\n</svg>\n")
	if _, err := w.Write(out.Bytes()); err != nil {
		return fmt.Errorf("profile: flame graph: %w", err)
	}
	return nil
}

// script makes the image interactive where a browser opens it by itself. In a page that shows it as a picture nothing runs.
func script() string {
	return "(function () {\n\"use strict\";\n" + scripts.Join("flame") + "addFlame(document.documentElement, 0);\n})();\n"
}

// flameTitle returns what stands above an image, and on how many samples it is based.
func (v *View) flameTitle() (title, samples string) {
	title = v.Type
	if v.program != "" {
		title = v.program + ": " + title
	}
	if h := v.how; h != nil {
		samples = units.Plural(h.Samples, "sample") + "; "
	}
	return title, samples
}

// flameWords returns what stands above the image of what is shown.
func (v *View) flameWords() (title, note string) {
	title, note = v.flameTitle()
	switch {
	case v.Total == 0:
		return title, note + "no function was sampled"
	case v.BlockedApart():
		return title + ", running", note + value(v.Shown, v.Unit) + " in all, and " + value(v.Blocked, v.Unit) + " blocked, not in this image; callers below callees"
	}
	return title, note + value(v.Shown, v.Unit) + " in all; callers below callees"
}

// draw draws a function and what it called above it.
func (f *flame) draw(n *node, x, y float64) {
	w := float64(n.value) * f.scale
	if w < flameLeast {
		f.narrow++
		return
	}
	words := fmt.Sprintf("%s: %s, %s", n.name, value(n.value, f.v.Unit), share(shareOf(n.value, f.all), f.v.chance(n.value, f.all)))
	class := fmt.Sprintf("h%d", hue(n.name))
	if n.blocked > 0 && n.blocked == n.value {
		class += " blocked"
	}
	fmt.Fprintf(f, `<g data-n="%s"><title>%s</title><rect class="%s" x="%s" y="%s" width="%s" height="%s"/>`, termtext.XML(n.name), termtext.XML(words), class, f.px(x), f.px(y), f.px(w), f.px(flameRow-1))
	if room := int((w - 6) / flameChar); room >= 3 {
		fmt.Fprintf(f, `<text x="%s" y="%s">%s</text>`, f.px(x+3), f.px(y+12), termtext.XML(short(n.name, room)))
	}
	f.WriteString("</g>\n")
	for _, name := range slices.SortedFunc(maps.Keys(n.below), strings.Compare) {
		c := n.below[name]
		f.draw(c, x, y-flameRow)
		x += float64(c.value) * f.scale
	}
}

func (f *flame) px(x float64) string {
	return strconv.FormatFloat(hundredths(x), 'f', -1, 64)
}

// hundredths rounds to them.
func hundredths(x float64) float64 { return float64(int64(x*100+0.5)) / 100 }

// short returns the end of a name, without the path of its package if there is no room for it.
func short(name string, room int) string {
	if termtext.Width(name) <= room {
		return name
	}
	return termtext.Charset{UTF8: true}.Head(WithoutPath(name), room)
}

// hue returns a colour for a package.
func hue(name string) int {
	dir, base := "", name
	if i := strings.LastIndexByte(strings.SplitN(name, "[", 2)[0], '/'); i >= 0 {
		dir, base = name[:i], name[i:]
	}
	pkg, _, _ := strings.Cut(base, ".")
	h := fnv.New32a()
	io.WriteString(h, dir+pkg)
	return int(h.Sum32() % flameHues)
}
