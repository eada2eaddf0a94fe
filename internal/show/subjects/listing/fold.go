package listing

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/tarebench/tare/internal/base/termtext"
	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/internal/show/textpage"
)

// Folded is a region as pages have it: the functions that were inlined in it fold.
type Folded struct {
	Title string // its rank and its share
	Name  string // of the function
	Where string // its source
	Open  bool   // unfolded at first
	Note  string // instead of code, or about what is left out
	Rows  []Row
	After []string // below
}

// Row is an instruction, a line of source, or the title of what a function that was inlined has.
type Row struct {
	Counts string // samples, and a bar
	Heat   int    // 0, 1 or 2, as in texts: normal, from 1 %, from 5 %
	Arrows string // lanes of jumps
	Text   string // address and instruction, or the source
	Note   string
	Source bool  // Text is source
	Below  []Row // of an inlined function
}

// foldColumns is how wide the lines of regions in pages may be, which scroll.
const foldColumns = 160

// Fold returns the regions that a text shows, as pages have them.
func (l *Listing) Fold() (out []Folded) {
	t := newText(Options{UTF8: true, Width: foldColumns})
	shown := l.shown()
	for n, r := range shown {
		rank := n + 1
		if l.cfg.Func == nil {
			for i := range l.regions {
				if l.regions[i] == r {
					rank = i + 1
				}
			}
		}
		out = append(out, l.fold(t, r, rank))
	}
	return out
}

func (l *Listing) fold(t *text, r *region, rank int) Folded {
	f := Folded{Title: "region " + strconv.Itoa(rank), Name: t.g.Line(r.fn.rec.Name), Where: t.g.Text(r.place(t.g)), Open: !l.folded(r)}
	for e := range l.all {
		s := l.amount(t.g, r, e)
		if l.many() {
			s += " " + t.g.Line(l.asm.Events[e].Name)
		}
		f.Title += textpage.Sep + s
	}
	if !r.fn.coded {
		f.Note = r.fn.codeless()
		return f
	}
	if size := r.to - r.from; size > l.cfg.TooBig && l.cfg.Func == nil {
		r = r.around(min(l.cfg.TooBig, aroundHottest))
		f.Note = fmt.Sprintf("%s of %d, around the hottest; tare asm --too-big %d shows all", units.Plural(r.to-r.from, "instruction"), size, size)
	}
	c := newCode(t, l, r)
	f.Rows = c.fold(r.from, r.to, 0)
	if c.d.omitted > 0 {
		f.After = append(f.After, units.Plural(c.d.omitted, "longer jump")+" not drawn")
	}
	for i := r.from; i < r.to; i++ {
		if strings.HasSuffix(c.notes[i], t.g.skid) {
			f.After = append(f.After, "‹ skid: "+l.asm.Events[0].Name+" is not precise. Samples at this line usually belong to the instruction that ran before it: the line above, or one that jumps here.")
			break
		}
	}
	return f
}

// fold returns the rows of instructions that lie within so many inlined functions: those that lie within one more become
// one row.
func (c *code) fold(from, to, depth int) (out []Row) {
	var last place
	for i := from; i < to; {
		frames := c.r.fn.frames(i)
		if len(frames) > depth+1 {
			end := i + 1
			for end < to && c.within(end, i, depth+1) {
				end++
			}
			out = append(out, c.inlinedRow(i, end, depth))
			i, last = end, place{}
			continue
		}
		if at := (place{frames[depth].file, frames[depth].line}); at != last && at.line > 0 && !c.numbers {
			last = at
			out = append(out, Row{Counts: termtext.Pad(c.countsWidth()), Arrows: c.lanes(i), Text: c.sourceText(at), Source: true})
		}
		out = append(out, c.instRow(i))
		i++
	}
	return out
}

// within reports whether an instruction lies within the same inlined functions as another, so many of them.
func (c *code) within(i, as, depth int) bool {
	x, y := c.r.fn.frames(i), c.r.fn.frames(as)
	if len(x) <= depth || len(y) <= depth {
		return false
	}
	for k := range depth {
		if x[k] != y[k] {
			return false
		}
	}
	return x[depth].name == y[depth].name
}

// inlinedRow returns the row of what a function that was inlined has.
func (c *code) inlinedRow(from, to, depth int) Row {
	frames := c.r.fn.frames(from)
	var n int64
	for i := from; i < to; i++ {
		n += c.r.fn.n(i)[0]
	}
	call := frames[depth]
	text := c.g.inlined + c.g.Line(shortName(frames[depth+1].name))
	if call.line > 0 {
		text += "  called at " + c.sourceText(place{call.file, call.line})
	}
	if s := c.l.unit.text(0, n); s != "" {
		text += "  " + s + map[Counts]string{Raw: " samples", PerOp: " ns/op"}[c.l.unit.of(0)]
	}
	return Row{Counts: termtext.Pad(c.countsWidth()), Arrows: c.lanes(from), Text: text, Source: true, Below: c.fold(from, to, depth+1)}
}

// sourceText returns a place, with the line of source where the record has it.
func (c *code) sourceText(at place) string {
	s := c.g.Line(base(at.file)) + ":" + strconv.Itoa(at.line)
	if x := strings.TrimSpace(c.g.Line(c.source[at])); x != "" {
		s += "  " + x
	}
	return s
}

// lanes returns the lanes of jumps beside what stands above an instruction.
func (c *code) lanes(i int) string {
	if c.d.width() == 0 {
		return ""
	}
	return c.d.between(i) + " "
}

// countsWidth is how wide the counts and the bar are.
func (c *code) countsWidth() int {
	n := 4 // the bar, and the blanks around it
	for e, w := range c.counts {
		if n += w; e > 0 {
			n += 2
		}
	}
	return n
}

// instRow returns the row of an instruction.
func (c *code) instRow(i int) Row {
	r := Row{Note: c.notes[i]}
	for _, e := range c.events {
		n := c.r.fn.n(i)[e]
		if e > 0 {
			r.Counts += "  "
		} else if all := c.l.all[0]; all > 0 {
			r.Heat = map[termtext.Style]int{termtext.Yellow: 1, termtext.Hot: 2}[heat(float64(n)/float64(all))]
		}
		r.Counts += termtext.Right(c.l.unit.text(e, n), c.counts[e])
	}
	r.Counts += " " + c.bar(i) + "  "
	if c.d.width() > 0 {
		r.Arrows = c.d.row(i) + " "
	}
	r.Text = termtext.Right("0x"+strconv.FormatUint(c.r.fn.insts[i].Addr, 16), c.addr) + "  " + c.instText(i)
	return r
}
