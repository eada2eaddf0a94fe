package listing

import (
	"cmp"
	"fmt"
	"io"
	"math"

	"github.com/tarebench/tare/internal/base/termtext"
	"github.com/tarebench/tare/stat"

	"github.com/tarebench/tare/internal/base/units"
)

// Text writes the comparison: its header, then regions, functions and areas with both
// sides' shares or times, their difference with its interval, and the verdict. An error
// of w is returned wrapped.
func (m *Comparison) Text(w io.Writer, o Options) error {
	t := newText(o)
	t.compareHeader(m, o.Title)
	t.comparison(m, "regions", "region", m.regions)
	t.comparison(m, "functions, after inlining", "function", m.inlined)
	t.comparison(m, "by area", "area", m.areas)
	t.Warn(m.warnings)
	return t.Flush(w)
}

func (t *text) compareHeader(m *Comparison, title string) {
	e := &m.old.l.asm.Events[0]
	t.items([]string{t.g.Line(cmp.Or(title, m.new.l.asm.Binary, "program")), t.g.Line(m.new.l.asm.Arch), t.g.Line(e.Name)}, termtext.Bold)
	for i, s := range []*listedSide{m.old, m.new} {
		x := &s.l.asm.Events[0]
		items := []string{[...]string{"old: ", "new: "}[i] + t.g.Line(cmp.Or(s.l.asm.Binary, "program")),
			units.Count(x.Samples) + " samples of " + units.Plural(len(s.forks), "fork"), units.Count(x.Lost) + " lost"}
		if ns := s.l.unit.perOp(); ns != "" {
			items = append(items, ns+" ns/op")
		}
		t.items(items, termtext.Normal)
	}
	test := "two proportions (Newcombe)"
	if m.trusted() {
		test = "forks are the samples (median shift, U test)"
	}
	t.items([]string{"95 % intervals, " + test, "verdicts BH-corrected", "within " + t.margin(m) + " is the same"}, termtext.Normal)
	if m.old.l.unit.counts != PerOp {
		hint := ""
		if m.old.l.unit.perOp() != "" && m.new.l.unit.perOp() != "" {
			hint = " (times: --counts perop)"
		}
		t.para("shares of each side's own time"+hint+": one may grow because the others shrank", termtext.Dim)
	}
}

// margin returns the difference that does not count, for people.
func (t *text) margin(m *Comparison) string {
	if m.old.l.unit.counts == PerOp {
		return t.value(m, same*m.old.scale()) + " ns/op"
	}
	return t.g.Text("± 1 point")
}

// value writes a share as percent, or a time.
func (t *text) value(m *Comparison, x float64) string {
	if m.old.l.unit.counts == PerOp {
		return nanoseconds(x, m.old.l.unit.places[0])
	}
	return units.Fixed(100*x, 2)
}

func (t *text) signed(m *Comparison, x float64) string {
	s := t.value(m, math.Abs(x))
	if x < 0 && s != t.value(m, 0) { // not -0.00
		return "-" + s
	}
	return "+" + s
}

// comparison writes one list: its top, one row for the rest, and the total.
func (t *text) comparison(m *Comparison, title, noun string, all []compared) {
	unit := "%"
	if m.old.l.unit.counts == PerOp {
		unit = "ns/op"
	}
	cols := make([]column, 4)
	for i, title := range []string{"old " + unit, "new " + unit, "diff", "95 % interval"} {
		cols[i].title = title
	}
	var names, verdicts []string
	add := func(r *compared, cells ...string) {
		cells = append([]string{t.value(m, r.d.old), t.value(m, r.d.new)}, cells...)
		for i := range cols {
			cols[i].cells = append(cols[i].cells, cells[i])
		}
		names = append(names, r.where(t.g))
	}
	for i := range all {
		r := &all[i]
		if i >= m.cfg.Top && i < len(all)-1 { // a rest of one would be no shorter
			add(restOf(all[i:], noun), "", "")
			verdicts = append(verdicts, "")
			break
		}
		add(r, t.signed(m, r.d.diff), t.signed(m, r.d.lo)+" "+t.g.dots+" "+t.signed(m, r.d.hi))
		verdicts = append(verdicts, r.d.word())
	}
	add(&compared{name: "all samples", d: difference{old: m.old.scale(), new: m.new.scale()}}, "", "")
	t.line()
	t.Print(termtext.Bold, title)
	t.comparedRows(cols, names, append(verdicts, ""))
}

// restOf adds up rows.
func restOf(rows []compared, noun string) *compared {
	rest := &compared{name: units.Plural(len(rows), "more "+noun)}
	for _, r := range rows {
		rest.d.old += r.d.old
		rest.d.new += r.d.new
	}
	return rest
}

// comparedRows writes the columns, the verdicts, and the names, which take what is
// left of the line.
func (t *text) comparedRows(cols []column, names, verdicts []string) {
	head := "  "
	for i := range cols {
		cols[i].width = termtext.Width(cols[i].title)
		for _, c := range cols[i].cells {
			cols[i].width = max(cols[i].width, termtext.Width(c))
		}
		head += termtext.Right(cols[i].title, cols[i].width) + "  "
	}
	words := termtext.Width("verdict")
	for _, v := range verdicts {
		words = max(words, termtext.Width(v))
	}
	t.Print(termtext.Dim, head+"verdict")
	room := t.Columns - termtext.Width(head) - words - 2
	for i := range names {
		row := "  "
		for _, c := range cols {
			row += termtext.Right(c.cells[i], c.width) + "  "
		}
		st := termtext.Normal
		switch stat.Verdict(verdicts[i]) {
		case "":
			st = termtext.Dim
		case stat.More, stat.Less:
			st = termtext.Yellow
		}
		t.line(row, st.Paint(termtext.Left(verdicts[i], words), t.Color), "  ", t.g.Middle(names[i], room))
	}
}

// where names a row.
func (r *compared) where(g glyphs) string {
	s := g.Line(r.name)
	if r.place != "" {
		s += "  " + g.Text(base(r.place))
	}
	return s
}

// inconclusive is what a text says for stat.Undecided.
const inconclusive = "inconclusive"

// word returns the verdict, with a mark if it is not trusted.
func (d *difference) word() string {
	switch {
	case d.verdict == stat.Undecided:
		return inconclusive
	case d.trusted:
		return string(d.verdict)
	}
	return fmt.Sprintf("%s (?)", d.verdict)
}
