package render

import (
	"strings"

	"github.com/tarebench/tare/internal/termtext"
)

// verdictShape is where the words of an undecided verdict stand.
type verdictShape int

const (
	oneLine verdictShape = iota // in their column
	phrases                     // in their column, a line each
	below                       // the verdict in its column, the rest in a line below
	apart                       // all in a line below
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

// comparisons prints each side against the first, and what could not be compared.
func (t *textReport) comparisons(verbose bool) {
	for i := range t.versus {
		v := &t.versus[i]
		if len(t.versus) > 1 {
			t.print(termtext.Bold, t.Middle(v.side+" against "+v.base, t.n), "")
		}
		t.against(v)
		t.print(termtext.Normal, "")
		t.tally(v)
		t.print(termtext.Dim, t.join(v.legend, t.n)...)
		t.print(termtext.Normal, "")
		if verbose {
			t.tests(v)
		}
	}
	const failed, lacking = "failed: ", "not compared: "
	for _, b := range t.broken {
		t.hung(termtext.Red, failed, termtext.Wrap(b.name+" on "+b.side+": "+b.why, t.n-termtext.Width(failed)))
	}
	for _, l := range t.lacking {
		t.hung(termtext.Normal, lacking, termtext.Wrap(l, t.n-termtext.Width(lacking)))
	}
	if len(t.broken)+len(t.lacking) > 0 {
		t.print(termtext.Normal, "")
	}
}

// against prints one table in the first of several shapes that fits: the words
// of undecided verdicts go below each other, then under the name, then names are
// shortened down to 32 columns, then they take lines of their own.
func (t *textReport) against(v *versus) {
	const enough = 32 // columns of a shortened name that still tell what it is
	shapes := []pairShape{
		{verdict: oneLine, gap: 3, title: maxSide}, {verdict: phrases, gap: 3, title: maxSide},
		{verdict: below, gap: 3, title: maxSide}, {verdict: below, name: enough, gap: 3, title: maxSide},
		{verdict: below, stacked: true, gap: 2, title: 8}, {verdict: apart, stacked: true, gap: 2, title: 8},
		{verdict: apart, stacked: true, gap: 1, title: 8, unit: 8, loose: true},
	}
	for i, shape := range shapes {
		tb := t.pairTable(v, shape)
		sizes := tb.layout()
		room := t.n - (tb.total(sizes) - sizes[0].whole)
		switch {
		case sizes[0].whole <= room:
		case shape.name > 0 && room >= shape.name:
			tb.shrink(t.glyphs, room, sizes)
		case i < len(shapes)-1:
			continue
		}
		t.print(termtext.Normal, tb.render(t.glyphs, sizes, t.n, t.color)...)
		break
	}
}

// pairTable builds the table.
func (t *textReport) pairTable(v *versus, shape pairShape) *table {
	tb := &table{columns: []column{
		{},
		{title: t.Middle(v.base, shape.title), gap: 3, kind: figures},
		{title: t.Middle(v.side, shape.title), gap: 2, kind: figures},
		{gap: 1},
		{title: "ratio", gap: shape.gap, kind: figures},
		{title: t.level + " interval", gap: shape.gap, kind: ends, join: t.dots, mid: true},
	}}
	if shape.verdict != apart {
		tb.columns = append(tb.columns, column{title: "verdict", gap: shape.gap})
	}
	for _, b := range v.blocks {
		tblock := tableBlock{title: b.pkg}
		for _, x := range b.pairs {
			tblock.lines = append(tblock.lines, t.pairLines(&x, shape)...)
		}
		tb.blocks = append(tb.blocks, tblock)
	}
	if len(v.geomeans) > 0 {
		var means tableBlock
		for i := range v.geomeans {
			means.lines = append(means.lines, t.meanLines(&v.geomeans[i], shape)...)
		}
		tb.blocks = append(tb.blocks, means)
	}
	return tb
}

// pairLines are the lines of one benchmark. The figures of its other units are
// not lined up with those of the main units at their points.
func (t *textReport) pairLines(x *pair, shape pairShape) []tableLine {
	var out []tableLine
	marks := t.notes.marks(t.glyphs, x.notes())
	if x.main != nil {
		out = t.ratioLines(2, x.name, x.main, x.main.long, marks, shape)
	} else if shape.stacked {
		out = []tableLine{{wide: t.Middle(x.name, t.n-2), indent: 2}}
	} else {
		out = []tableLine{{cells: []cell{{text: "  " + x.name}}}}
	}
	for i := range x.under {
		r := &x.under[i]
		if x.main != nil || i > 0 {
			marks = "" // one row has them, the forks are the same
		}
		lines := t.ratioLines(4, r.unit, r, r.short, marks, shape)
		for _, l := range lines {
			if len(l.cells) > 0 {
				l.cells[1].loose, l.cells[2].loose = true, true
			}
		}
		out = append(out, lines...)
	}
	return out
}

// ratioLines are the lines of one row.
func (t *textReport) ratioLines(indent int, name string, r *ratio, unit, marks string, shape pairShape) []tableLine {
	var out []tableLine
	lead := termtext.Pad(indent) + name
	if shape.stacked {
		out = append(out, tableLine{wide: t.Middle(name, t.n-indent), indent: indent})
		lead = ""
	}
	if shape.unit > 0 {
		unit = t.Middle(unit, shape.unit)
	}
	interval := cell{text: r.lo, tail: r.hi}
	if r.lo == "" {
		interval = cell{text: r.note, free: true}
	}
	if r.doubt {
		interval.style = termtext.Yellow
	}
	cells := []cell{
		{text: lead}, {text: r.old, loose: shape.loose}, {text: r.new, loose: shape.loose}, {text: unit},
		{text: r.ratio, loose: shape.loose || !strings.ContainsAny(r.ratio, "0123456789")}, interval,
	}
	verdict := r.verdict(marks)
	switch {
	case shape.verdict == apart:
		out = append(out, tableLine{cells: cells})
		return append(out, tableLine{wide: strings.Join(verdict, " "), indent: indent + 2, style: r.style})
	case shape.verdict == below && len(r.why) > 0:
		why := strings.TrimPrefix(strings.Join(verdict, " "), r.word+": ")
		out = append(out, tableLine{cells: append(cells, cell{text: r.word, style: r.style})})
		return append(out, tableLine{wide: why, indent: indent + 2, style: r.style})
	case shape.verdict == oneLine:
		verdict = []string{strings.Join(verdict, " ")}
	}
	for i, words := range verdict {
		if i > 0 {
			cells = []cell{{}, {}, {}, {}, {}, {free: true}}
		}
		out = append(out, tableLine{cells: append(cells, cell{text: words, style: r.style})})
	}
	return out
}

// meanLines are the lines of a geometric mean.
func (t *textReport) meanLines(r *ratio, shape pairShape) []tableLine {
	interval := cell{text: r.lo, tail: r.hi, style: termtext.Dim}
	if r.lo == "" {
		interval.free = true
	}
	name := r.unit + " (descriptive)"
	cells := []cell{{text: name, style: termtext.Dim}, {}, {}, {}, {text: r.ratio, style: termtext.Dim}, interval}
	if !shape.stacked {
		return []tableLine{{cells: cells}}
	}
	cells[0].text = ""
	return []tableLine{{wide: t.Middle(name, t.n), style: termtext.Dim}, {cells: cells}}
}

// tally prints how many benchmarks have which verdict.
func (t *textReport) tally(v *versus) {
	words := make([]string, len(v.counts))
	painted := map[string]string{}
	for i, c := range v.counts {
		words[i] = c.String()
		painted[words[i]] = c.style.Paint(words[i], t.color)
	}
	for _, l := range t.join(words, t.n) {
		parts := strings.Split(l, t.sep)
		for i, w := range parts {
			if p, ok := painted[w]; ok {
				parts[i] = p
			}
		}
		t.print(termtext.Normal, strings.Join(parts, t.sep))
	}
}
