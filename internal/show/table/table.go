package table

import (
	"strings"

	"github.com/tarebench/tare/internal/base/termtext"
)

// Table is laid out in columns of cells. A cell is one text, or a pair: a number and
// its unit, the bounds of an interval. Figures are aligned at their decimal points
// within a block, and the halves of pairs meet in one place of the whole column.
type Table struct {
	Columns []Column
	Blocks  []Block
	Short   func(name string) string // leaves out of a name that is too long what tells least, before it is cut; nil: nothing
}

// Column is a column.
type Column struct {
	Title string
	Gap   int // blanks before it; 0: 2, but none before the first
	Kind  Kind
	Join  string // between the halves of pairs, the second of which starts at the left
	Mid   bool   // in the middle under a wider title, not at the right
	Drop  int    // where there is no room, the column with the lowest goes first; 0: it stays
	Quiet bool   // where it is dropped, no note says so, because the others say as much
	Max   int    // the most cells of its texts, which lose their middle; 0: no limit
}

// Kind is how the texts of a column are lined up.
type Kind int

const (
	Words   Kind = iota // at the left
	Figures             // at the decimal point
	Right               // at the right
)

// Block is a part of a table of which the figures are of one kind: one package, say.
type Block struct {
	Title string // on a line of its own; "": none
	Lines []Line
}

// Line is a line of a table.
type Line struct {
	Cells []Cell // may be fewer than columns
	Rest  string // instead of further cells: words that are wrapped behind them
	Style termtext.Style

	Wide   string // instead of all cells: words that are wrapped over all columns
	Indent int    // of Wide
}

// Cell is what stands in a line and a column.
type Cell struct {
	Text, Tail string
	Lead       string // before Text: the branches of a tree, never shortened
	Free       bool   // words in a column of pairs
	Loose      bool   // at the right, wherever its decimal point is
	Style      termtext.Style
}

// Add adds lines to a block without a title, of which the table has one at most at its end.
func (t *Table) Add(lines ...Line) { t.Under("", lines...) }

// Under adds lines to the last block if that has this title, else to a new one.
func (t *Table) Under(title string, lines ...Line) {
	if k := len(t.Blocks) - 1; k < 0 || t.Blocks[k].Title != title {
		t.Blocks = append(t.Blocks, Block{Title: title})
	}
	b := &t.Blocks[len(t.Blocks)-1]
	b.Lines = append(b.Lines, lines...)
}

// Row adds a line of plain texts.
func (t *Table) Row(texts ...string) {
	var l Line
	for _, s := range texts {
		l.Cells = append(l.Cells, Cell{Text: s})
	}
	t.Add(l)
}

// gap returns how many blanks stand before a column.
func (t *Table) gap(c int) int {
	if g := t.Columns[c].Gap; g > 0 || c == 0 {
		return g
	}
	return 2
}

// clone returns a copy of the table with the columns keep, its texts in characters of cs.
func (t *Table) clone(cs termtext.Charset, keep []int) *Table {
	out := &Table{Short: t.Short}
	for _, c := range keep {
		col := t.Columns[c]
		col.Gap = t.gap(c)
		col.Title, col.Join = cs.Text(col.Title), cs.Text(col.Join)
		out.Columns = append(out.Columns, col)
	}
	for _, b := range t.Blocks {
		block := Block{Title: cs.Text(b.Title)}
		for _, l := range b.Lines {
			line := l
			line.Cells, line.Rest, line.Wide = nil, cs.Text(l.Rest), cs.Text(l.Wide)
			for _, c := range keep {
				if c >= len(l.Cells) {
					continue
				}
				ce := l.Cells[c]
				ce.Lead, ce.Text, ce.Tail = cs.Text(ce.Lead), cs.Text(ce.Text), cs.Text(ce.Tail)
				if most := t.Columns[c].Max; most > 0 {
					ce.Text = cs.Middle(ce.Text, most)
				}
				line.Cells = append(line.Cells, ce)
			}
			block.Lines = append(block.Lines, line)
		}
		out.Blocks = append(out.Blocks, block)
	}
	return out
}

// align gives the figures of one column of a block the same number of cells before
// and after the decimal point.
func (b *Block) align(c int) {
	var before, after int
	each := func(f func(ce *Cell, whole, part int)) {
		for i := range b.Lines {
			if c < len(b.Lines[i].Cells) {
				if ce := &b.Lines[i].Cells[c]; !ce.Free && !ce.Loose && ce.Text != "" {
					at := point(ce.Text)
					f(ce, termtext.Width(ce.Text[:at]), termtext.Width(ce.Text[at:]))
				}
			}
		}
	}
	each(func(_ *Cell, whole, part int) { before, after = max(before, whole), max(after, part) })
	each(func(ce *Cell, whole, part int) {
		ce.Text = termtext.Pad(before-whole) + ce.Text + termtext.Pad(after-part)
	})
}

// point returns where the decimal point of s is or would be.
func point(s string) int {
	if i := strings.IndexByte(s, '.'); i >= 0 {
		return i
	}
	if i := strings.IndexByte(s, 'e'); i >= 0 && s != "" && s[0] >= '0' && s[0] <= '9' {
		return i
	}
	return len(s)
}
