package render

import (
	"github.com/tarebench/tare/internal/result"

	"github.com/tarebench/tare/internal/termtext"
)

// growths prints the curves in the first of several shapes that fits: names are
// shortened, the names of the curves go, which the fits say as well, and at last
// each row becomes a sentence under its name.
func (t *textReport) growths(s *result.Result, all bool) {
	blocks := t.complexity(s, all)
	if len(blocks) == 0 {
		return
	}
	const enough = 16 // columns of a shortened name that still tell what it is
	sided := false
	for _, b := range blocks {
		for _, r := range b.rows {
			sided = sided || r.side != ""
		}
	}
	for _, shape := range []struct {
		curve bool
		name  int // shorten names, but to no less; 0: not at all
	}{{true, 0}, {true, enough}, {false, 0}, {false, enough}} {
		tb := t.growthTable(blocks, sided, shape.curve)
		sizes := tb.layout()
		room := t.n - (tb.total(sizes) - sizes[0].whole)
		if sizes[0].whole > room && (shape.name == 0 || room < shape.name) {
			continue
		}
		tb.shrink(t.glyphs, max(room, shape.name), sizes)
		t.print(termtext.Normal, tb.render(t.glyphs, sizes, t.n, t.color)...)
		t.growthFoot(s, blocks)
		return
	}
	for _, b := range blocks {
		t.print(termtext.Bold, termtext.Wrap(b.title, t.n)...)
		for _, r := range b.rows {
			t.print(termtext.Normal, "  "+t.Middle(r.sided(), t.n-2))
			for _, l := range termtext.Wrap(r.sentence(t.page), t.n-4) {
				t.print(termtext.Normal, "    "+l)
			}
		}
	}
	t.growthFoot(s, blocks)
}

func (t *textReport) growthFoot(s *result.Result, blocks []growthBlock) {
	for _, text := range growthNotes(s, blocks) {
		t.print(termtext.Dim, termtext.Wrap(text, t.n)...)
	}
	t.print(termtext.Normal, "")
}

func (t *textReport) growthTable(blocks []growthBlock, sided, curve bool) *table {
	tb := &table{columns: []column{{}}}
	add := func(c column) {
		c.gap = 3
		tb.columns = append(tb.columns, c)
	}
	if sided {
		add(column{title: "side"})
	}
	if curve {
		add(column{title: "curve"})
	}
	add(column{title: "fit"})
	add(column{title: t.level + " interval", kind: ends, join: t.dots, mid: true})
	add(column{title: "rms", kind: ends, join: " "})
	add(column{title: "chosen"})
	for _, b := range blocks {
		tblock := tableBlock{title: b.title}
		for _, r := range b.rows {
			tblock.lines = append(tblock.lines, r.line(sided, curve))
		}
		tb.blocks = append(tb.blocks, tblock)
	}
	return tb
}

// line is a row of the table.
func (g growth) line(sided, curve bool) tableLine {
	cells := []cell{{text: "  " + g.name}}
	if sided {
		cells = append(cells, cell{text: g.side})
	}
	if g.why != "" {
		return tableLine{cells: cells, rest: g.why, style: termtext.Yellow}
	}
	if curve {
		cells = append(cells, cell{text: g.curve})
	}
	interval := cell{text: g.lo, tail: g.hi}
	if g.note != "" {
		interval = cell{text: g.note, free: true, style: termtext.Yellow}
	}
	rms := cell{text: g.rms}
	if g.rough {
		rms.tail, rms.style = distrusted, termtext.Yellow
	}
	return tableLine{cells: append(cells, cell{text: g.fit}, interval, rms, cell{text: g.chosen})}
}

// sided is the name with the side.
func (g growth) sided() string {
	if g.side == "" {
		return g.name
	}
	return g.name + ", " + g.side
}

// sentence is a row where there is no room for columns.
func (g growth) sentence(p *page) string {
	if g.why != "" {
		return g.why
	}
	interval := g.note
	if g.lo != "" {
		interval = g.lo + p.dots + g.hi
	}
	rms := g.rms
	if g.rough {
		rms += " " + distrusted
	}
	return g.curve + ": " + g.fit + " (" + interval + "), rms " + rms + ", chosen " + g.chosen
}
