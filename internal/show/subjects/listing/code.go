package listing

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/tarebench/tare/internal/base/termtext"
	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/record"
)

// code is a region being written.
type code struct {
	*text
	l       *Listing
	r       *region
	d       *gutter
	leaving map[int]string // arrows of jumps that leave the region
	notes   map[int]string
	source  map[place]string
	numbers bool // lines are noted at the right: that of assembly is the instruction
	events  []int
	counts  []int // widths of their columns
	addr    int   // width of addresses
	op      int   // of mnemonics
	body    int   // of instructions
	last    []frame
}

// regions writes the regions that are shown, each with its rank among all regions. Those that are folded are one line.
func (t *text) regions(l *Listing) {
	explained, folded, lines := false, 0, false
	for n, r := range l.shown() {
		if l.cfg.Func == nil {
			n = slices.Index(l.regions, r)
		}
		if l.folded(r) {
			if !lines {
				t.line()
			}
			t.regionTitle(l, r, n+1)
			folded, lines = folded+1, true
			continue
		}
		explained, lines = t.region(l, r, n+1, explained), false
	}
	if folded > 0 {
		t.line()
		t.para("the code of "+units.Plural(folded, "region")+" of the runtime is left out; --runtime prints it", termtext.Dim)
	}
}

// region writes a region and its code. Below the first region with a skid mark it explains the mark. It returns
// whether the mark has been explained.
func (t *text) region(l *Listing, r *region, n int, explained bool) bool {
	t.line()
	t.regionTitle(l, r, n)
	if !r.fn.coded {
		t.para(r.fn.codeless(), termtext.Dim)
		return explained
	}
	if size := r.to - r.from; size > l.cfg.TooBig && l.cfg.Func == nil {
		r = r.around(min(l.cfg.TooBig, aroundHottest))
		t.para(fmt.Sprintf("%s of %d, around the hottest; --too-big %d shows all", units.Plural(r.to-r.from, "instruction"), size, size), termtext.Dim)
	}
	c := newCode(t, l, r)
	t.line()
	c.titles()
	skid := false
	for i := r.from; i < r.to; i++ {
		c.sourceOf(i)
		c.inst(i)
		skid = skid || strings.HasSuffix(c.notes[i], t.g.skid)
	}
	if c.d.omitted > 0 {
		t.para(units.Plural(c.d.omitted, "longer jump")+" not drawn", termtext.Dim)
	}
	if skid && !explained {
		t.line()
		t.para("‹ skid: "+l.asm.Events[0].Name+" is not precise. Samples at this line usually belong to the instruction that ran before it: the line above, or one that jumps here.", termtext.Dim)
	}
	return explained || skid
}

// codeless returns why a function has no code.
func (f *function) codeless() string {
	if len(f.rec.Code) > 0 {
		return "its code cannot be disassembled"
	}
	what := "no code of it was kept"
	if f.rec.Area == record.AreaKernel {
		what = "it is in the kernel, whose code is not kept"
	}
	return what + "; samples are at " + units.Plural(len(f.insts), "place")
}

// amount returns how much of an event a region has, with its unit.
func (l *Listing) amount(g glyphs, r *region, e int) string {
	s := cmp.Or(l.unit.text(e, r.samples[e]), g.none)
	switch l.unit.of(e) {
	case Raw:
		s += " samples"
	case PerOp:
		s += " ns/op"
	}
	return s
}

// regionTitle names a region.
func (t *text) regionTitle(l *Listing, r *region, n int) {
	items := []string{"region " + strconv.Itoa(n)}
	if l.cfg.Func != nil {
		items[0] = "function " + strconv.Itoa(n)
	}
	for _, e := range t.events(l) {
		s := l.amount(t.g, r, e)
		if l.many() {
			s += " " + t.g.Middle(t.g.Line(l.asm.Events[e].Name), 20)
		}
		items = append(items, s)
	}
	lead := strings.Join(items, t.g.sep) + t.g.sep
	name, where := t.g.Line(r.fn.rec.Name), t.g.Text(r.place(t.g))
	room := t.Columns - termtext.Width(lead)
	if room < 30 { // several events leave no room for the name
		t.items(items, termtext.Bold)
		lead, room = "  ", t.Columns-2
	}
	if termtext.Width(name)+2+termtext.Width(where) > room {
		where = base(where)
	}
	where = t.g.Middle(where, room/2)
	name = t.g.Middle(name, room-termtext.Width(where)-2)
	t.line(termtext.Bold.Paint(lead+name, t.Color), "  ", termtext.Dim.Paint(where, t.Color))
}

func newCode(t *text, l *Listing, r *region) *code {
	inside, leaving := r.drawn()
	c := &code{text: t, l: l, r: r, d: newGutter(t.g, inside), leaving: map[int]string{}, source: map[place]string{}}
	for _, x := range r.fn.rec.Texts {
		c.source[place{x.File, x.Line}] = x.Text
	}
	for _, i := range leaving {
		in := &r.fn.insts[i]
		c.leaving[i] = " " + t.g.down
		if in.Target < in.Addr {
			c.leaving[i] = " " + t.g.up
		}
	}
	c.numbers = strings.HasSuffix(r.fn.rec.File, ".s") || strings.HasSuffix(r.fn.rec.File, ".S")
	c.notes = l.notes(r, t.g, c.numbers)
	c.measure()
	return c
}

// measure finds the widths of columns.
func (c *code) measure() {
	const most = 12 // of a mnemonic that others are lined up with
	c.events = c.text.events(c.l)
	c.counts = make([]int, len(c.events))
	for e := range c.counts {
		if c.l.many() {
			c.counts[e] = min(termtext.Width(c.g.Line(c.l.asm.Events[e].Name)), 12)
		}
		c.counts[e] = max(c.counts[e], len("00.00 %"))
	}
	notes := 0
	for i := c.r.from; i < c.r.to; i++ {
		in := &c.r.fn.insts[i]
		for _, e := range c.events {
			c.counts[e] = max(c.counts[e], termtext.Width(c.l.unit.text(e, c.r.fn.n(i)[e])))
		}
		c.addr = max(c.addr, len(strconv.FormatUint(in.Addr, 16))+2)
		if n := len(in.Op); n <= most {
			c.op = max(c.op, n)
		}
		notes = max(notes, termtext.Width(c.notes[i]))
	}
	for i := c.r.from; i < c.r.to; i++ {
		c.body = max(c.body, termtext.Width(c.instText(i)))
	}
	room := c.Columns - c.lead() - c.addr - 2
	const least = 16
	switch {
	case notes > 0 && room-notes-2 < least:
		c.notes = nil
	case notes > 0:
		room -= notes + 2
	}
	c.body = min(c.body, room)
}

// lead returns the width of what stands before the address.
func (c *code) lead() int {
	n := 2 // the bar
	for _, w := range c.counts {
		n += w + 2
	}
	if w := c.d.width(); w > 0 {
		n += w + 1
	}
	return n
}

// titles names the columns of counts, where there is more than one or it is not the
// usual one.
func (c *code) titles() {
	if !c.l.many() && c.l.unit.counts == Percent {
		return
	}
	s := ""
	for e, w := range c.counts {
		title := c.l.unit.title(e)
		if c.l.many() {
			title = c.g.Middle(c.g.Line(c.l.asm.Events[e].Name), w)
		}
		s += termtext.Right(title, w) + "  "
	}
	c.line(termtext.Dim.Paint(s, c.Color))
}

// inst writes the row of an instruction.
func (c *code) inst(i int) {
	var lead strings.Builder
	hottest := termtext.Normal
	for _, e := range c.events {
		n, st := c.r.fn.n(i)[e], termtext.Normal
		if c.l.all[e] > 0 {
			st = heat(float64(n) / float64(c.l.all[e]))
		}
		if e == 0 {
			hottest = st
		}
		if e > 0 {
			lead.WriteString("  ")
		}
		lead.WriteString(st.Paint(termtext.Right(c.l.unit.text(e, n), c.counts[e]), c.Color))
	}
	lead.WriteString(" " + hottest.Paint(c.bar(i), c.Color) + "  ")
	if c.d.width() > 0 {
		lead.WriteString(c.d.row(i) + " ")
	}
	addr := termtext.Right("0x"+strconv.FormatUint(c.r.fn.insts[i].Addr, 16), c.addr)
	body, note := c.instText(i), c.notes[i]
	room := c.Columns - c.lead() - c.addr - 2
	if note != "" {
		room = c.body
	}
	body = c.g.Middle(body, room)
	if note != "" {
		body = termtext.Left(body, c.body)
		note = "  " + termtext.Dim.Paint(note, c.Color)
	}
	c.line(lead.String(), termtext.Dim.Paint(addr, c.Color), "  ", hottest.Paint(body, c.Color), note)
}

// bar leads the eye where there is no colour: the hottest instruction of the region
// has the highest.
func (c *code) bar(i int) string {
	if c.r.most == 0 {
		return " "
	}
	top := float64(len(c.g.bars) - 1)
	return c.g.bars[int(math.Round(top*float64(c.r.fn.n(i)[0])/float64(c.r.most)))]
}

// instText returns an instruction with its operands lined up.
func (c *code) instText(i int) string {
	in := &c.r.fn.insts[i]
	s := c.g.Line(in.Text)
	if rest, ok := strings.CutPrefix(s, in.Op+" "); ok {
		s = termtext.Left(in.Op, c.op) + " " + strings.TrimLeft(rest, " ")
	}
	return s + c.leaving[i]
}
