package render

import (
	"slices"
	"strings"

	"github.com/tarebench/tare/internal/base/termtext"
	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/internal/show/table"
	"github.com/tarebench/tare/internal/show/textpage"
)

// verdictShape is where the words of an undecided verdict stand.
type verdictShape int

const (
	oneLine verdictShape = iota // in their column
	phrases                     // in their column, a line each
	below                       // the verdict in its column, the rest in a line below
	ownLine                     // all in a line below
)

// pairShape is one way to lay out a comparison.
type pairShape struct {
	verdict verdictShape
	name    int  // shorten names, but to no less; 0: not at all
	stacked bool // names in lines of their own
	gap     int  // before ratio, interval and verdict
	title   int  // columns of a side's name
	unit    int  // columns of a unit; 0: all
	loose   bool // figures are not lined up at their points
}

// lostFirst names what the first side has and another has not.
func (t *textReport) lostFirst() {
	for _, l := range t.lost {
		t.Hang(termtext.Red, "lost: ", l)
	}
	if len(t.lost) > 0 {
		t.Blank()
	}
}

// comparisons prints each side against the first, and what could not be compared.
func (t *textReport) comparisons() {
	for i := range t.versus {
		v := &t.versus[i]
		if len(t.versus) > 1 {
			t.Print(termtext.Bold, t.Middle(v.side+" against "+v.base, t.Columns))
			t.Blank()
		}
		t.against(v)
		t.Blank()
		t.tally(v)
		t.Items(termtext.Dim, v.legend...)
		t.Blank()
		if t.Verbose {
			t.tests(v)
		}
	}
	for _, b := range t.broken {
		t.Hang(termtext.Red, "failed: ", b.name+" on "+b.side+": "+b.why)
	}
	for _, l := range t.lacking {
		t.Hang(termtext.Normal, "not compared: ", l)
	}
	t.Blank()
}

// against prints one table in the first of several shapes that fits: the words
// of undecided verdicts go below each other, then under the name, then names are
// shortened down to 32 columns, then they take lines of their own.
func (t *textReport) against(v *versus) {
	const enough = 32 // columns of a shortened name that still tell what it is
	shapes := []pairShape{
		{verdict: oneLine, gap: 3, title: maxSide}, {verdict: phrases, gap: 3, title: maxSide},
		{verdict: below, gap: 3, title: maxSide}, {verdict: below, name: enough, gap: 3, title: maxSide},
		{verdict: below, stacked: true, gap: 2, title: 8}, {verdict: ownLine, stacked: true, gap: 2, title: 8},
		{verdict: ownLine, stacked: true, gap: 1, title: 8, unit: 8, loose: true},
	}
	t.Table(table.First(t.Charset, t.Columns, len(shapes), func(i int) (*table.Table, int) {
		return t.pairTable(v, shapes[i]), shapes[i].name
	}))
}

// pairTable builds the table.
func (t *textReport) pairTable(v *versus, shape pairShape) *table.Table {
	tb := &table.Table{Columns: []table.Column{
		{},
		{Title: t.Middle(v.base, shape.title), Gap: 3, Kind: table.Figures},
		{Title: t.Middle(v.side, shape.title), Gap: 2, Kind: table.Figures},
		{Gap: 1},
		{Title: "ratio", Gap: shape.gap, Kind: table.Figures},
		{Title: t.level + " interval", Gap: shape.gap, Kind: table.Right, Join: units.Dots, Mid: true},
	}}
	if shape.verdict != ownLine {
		tb.Columns = append(tb.Columns, table.Column{Title: "verdict", Gap: shape.gap})
	}
	for _, b := range v.blocks {
		tblock := table.Block{Title: b.pkg}
		for _, x := range b.pairs {
			tblock.Lines = append(tblock.Lines, t.pairLines(&x, shape)...)
		}
		tb.Blocks = append(tb.Blocks, tblock)
	}
	if len(v.geomeans) > 0 {
		var means table.Block
		for i := range v.geomeans {
			means.Lines = append(means.Lines, t.meanLines(&v.geomeans[i], shape)...)
		}
		tb.Blocks = append(tb.Blocks, means)
	}
	return tb
}

// pairLines returns the lines of one benchmark. The figures of its other units are
// not lined up with those of the main units at their points.
func (t *textReport) pairLines(x *pair, shape pairShape) []table.Line {
	var out []table.Line
	marks := t.marks(x.name, x.notes())
	if x.main != nil {
		out = t.ratioLines(2, x.name, x.main, x.main.long, marks, shape)
	} else if shape.stacked {
		out = []table.Line{{Wide: t.Middle(x.name, t.Columns-2), Indent: 2}}
	} else {
		out = []table.Line{{Cells: []table.Cell{{Text: "  " + x.name}}}}
	}
	for i := range x.under {
		r := &x.under[i]
		if x.main != nil || i > 0 {
			marks = "" // one row has them, the forks are the same
		}
		lines := t.ratioLines(4, r.unit, r, r.short, marks, shape)
		for _, l := range lines {
			if len(l.Cells) > 0 {
				l.Cells[1].Loose, l.Cells[2].Loose = true, true
			}
		}
		out = append(out, lines...)
	}
	return out
}

// ratioLines returns the lines of one row.
func (t *textReport) ratioLines(indent int, name string, r *ratio, unit, marks string, shape pairShape) []table.Line {
	var out []table.Line
	lead := termtext.Pad(indent) + name
	if shape.stacked {
		out = append(out, table.Line{Wide: t.Middle(name, t.Columns-indent), Indent: indent})
		lead = ""
	}
	if shape.unit > 0 {
		unit = t.Middle(unit, shape.unit)
	}
	cells := []table.Cell{
		{Text: lead}, {Text: r.old, Loose: shape.loose}, {Text: r.new, Loose: shape.loose}, {Text: unit},
		{Text: r.ratio, Loose: shape.loose || !strings.ContainsAny(r.ratio, "0123456789")}, r.cell(),
	}
	verdict := r.verdict(marks)
	switch {
	case shape.verdict == ownLine:
		out = append(out, table.Line{Cells: cells})
		return append(out, table.Line{Wide: strings.Join(verdict, " "), Indent: indent + 2, Style: r.style})
	case shape.verdict == below && len(r.why) > 0:
		why := strings.TrimPrefix(strings.Join(verdict, " "), r.word+": ")
		out = append(out, table.Line{Cells: append(cells, table.Cell{Text: r.word, Style: r.style})})
		return append(out, table.Line{Wide: why, Indent: indent + 2, Style: r.style})
	case shape.verdict == oneLine:
		verdict = []string{strings.Join(verdict, " ")}
	}
	for i, words := range verdict {
		if i > 0 {
			cells = []table.Cell{{}, {}, {}, {}, {}, {Free: true}}
		}
		out = append(out, table.Line{Cells: append(cells, table.Cell{Text: words, Style: r.style})})
	}
	return out
}

// meanLines returns the lines of a geometric mean.
func (t *textReport) meanLines(r *ratio, shape pairShape) []table.Line {
	interval := table.Cell{Text: r.lo, Tail: r.hi, Style: termtext.Dim}
	if r.lo == "" {
		interval.Free = true
	}
	name := r.unit + " (descriptive)"
	cells := []table.Cell{{Text: name, Style: termtext.Dim}, {}, {}, {}, {Text: r.ratio, Style: termtext.Dim}, interval}
	if !shape.stacked {
		return []table.Line{{Cells: cells}}
	}
	cells[0].Text = ""
	return []table.Line{{Wide: t.Middle(name, t.Columns), Style: termtext.Dim}, {Cells: cells}}
}

// tally prints how many benchmarks have which verdict.
func (t *textReport) tally(v *versus) {
	words := make([]string, len(v.counts))
	for i, c := range v.counts {
		words[i] = c.String()
	}
	sep := t.Text(textpage.Sep)
	for _, l := range termtext.Join(words, sep, t.Columns, termtext.Wrap) {
		parts := strings.Split(l, sep)
		for i, w := range parts {
			if at := slices.Index(words, w); at >= 0 {
				parts[i] = v.counts[at].style.Paint(w, t.Color)
			}
		}
		t.Print(termtext.Normal, strings.Join(parts, sep))
	}
}
