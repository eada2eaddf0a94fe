package render

import (
	"strings"

	"github.com/tarebench/tare/internal/termtext"
)

// A table is laid out in columns of cells. A cell is one text, or a pair: a
// number and its unit, the bounds of an interval. Numbers are aligned at their
// decimal points within a block, which is a package: figures of one package are
// of a kind, and one long fraction elsewhere should not tear all of them apart.
// The bounds of an interval meet at the dots between them.
type table struct {
	columns []column
	blocks  []tableBlock
}

type column struct {
	title string
	gap   int    // blanks before it
	kind  kind   // of the text, or of the first half of a pair
	join  string // between the halves of pairs, the second of which starts at the left
	mid   bool   // stand in the middle under a wider title, not at the right
}

// kind is how the texts of a column are lined up.
type kind int

const (
	words   kind = iota // at the left
	figures             // at the decimal point
	ends                // at the right
)

type tableBlock struct {
	title string
	lines []tableLine
}

type tableLine struct {
	cells []cell
	rest  string         // words that take the place of all further columns
	style termtext.Style // of rest

	wide   string // instead: words that take no heed of columns
	indent int    // of wide
}

type cell struct {
	text, tail string
	free       bool // words in a column of pairs
	loose      bool // a figure of another kind than those above: at the right, wherever its point is
	style      termtext.Style
}

// sizes are the widths of one column's parts.
type sizes struct{ first, second, pair, whole int }

// layout lines up the figures of all blocks in place, and measures the columns.
// It must be called once, before width and render.
func (t *table) layout() []sizes {
	out := make([]sizes, len(t.columns))
	for c, col := range t.columns {
		s := &out[c]
		s.whole = termtext.Width(col.title)
		for b := range t.blocks {
			t.blocks[b].align(c, col)
			for _, l := range t.blocks[b].lines {
				if c < len(l.cells) {
					s.measure(l.cells[c])
				}
			}
		}
		pair := s.first
		if s.second > 0 {
			pair += termtext.Width(col.join) + s.second
		}
		s.pair = max(s.pair, pair)
		s.whole = max(s.whole, s.pair)
	}
	return out
}

func (s *sizes) measure(c cell) {
	if c.free {
		s.pair = max(s.pair, termtext.Width(c.text))
		return
	}
	s.first, s.second = max(s.first, termtext.Width(c.text)), max(s.second, termtext.Width(c.tail))
}

// align gives the figures of one column of a block the same number of columns
// before and after the decimal point.
func (b *tableBlock) align(c int, col column) {
	if col.kind != figures {
		return
	}
	var texts []*string
	for i := range b.lines {
		if c < len(b.lines[i].cells) && !b.lines[i].cells[c].free && !b.lines[i].cells[c].loose {
			texts = append(texts, &b.lines[i].cells[c].text)
		}
	}
	var before, after int
	for _, s := range texts {
		i := point(*s)
		before, after = max(before, termtext.Width((*s)[:i])), max(after, termtext.Width((*s)[i:]))
	}
	for _, s := range texts {
		if *s != "" {
			i := point(*s)
			*s = termtext.Pad(before-termtext.Width((*s)[:i])) + *s + termtext.Pad(after-termtext.Width((*s)[i:]))
		}
	}
}

// point is where the decimal point of s is or would be.
func point(s string) int {
	if i := strings.IndexByte(s, '.'); i >= 0 {
		return i
	}
	if i := strings.IndexByte(s, 'e'); i >= 0 && s != "" && s[0] >= '0' && s[0] <= '9' {
		return i
	}
	return len(s)
}

// total is the width of the whole table, words in place of columns left out:
// they are wrapped.
func (t *table) total(s []sizes) int {
	n := 0
	for c := range t.columns {
		n += t.columns[c].gap + s[c].whole
	}
	return n
}

// shrink shortens the names in the first column to n columns, with the gap where
// the fewest of them become the same.
func (t *table) shrink(g glyphs, n int, s []sizes) {
	best, fewest := termtext.InTheMiddle, -1
	for _, gap := range []termtext.Gap{termtext.InTheMiddle, termtext.NearTheFront, termtext.NearTheEnd} {
		names := map[string]string{}
		same := 0
		t.names(func(name *string) {
			short := g.Cut(*name, n, gap)
			if was, ok := names[short]; ok && was != *name {
				same++
			}
			names[short] = *name
		})
		if fewest < 0 || same < fewest {
			best, fewest = gap, same
		}
	}
	t.names(func(name *string) { *name = g.Cut(*name, n, best) })
	s[0].first, s[0].pair, s[0].whole = min(s[0].first, n), min(s[0].pair, n), min(s[0].whole, n)
}

// names calls f for each cell of the first column.
func (t *table) names(f func(*string)) {
	for b := range t.blocks {
		for _, l := range t.blocks[b].lines {
			if len(l.cells) > 0 {
				f(&l.cells[0].text)
			}
		}
	}
}

// render writes the table in at most n columns.
func (t *table) render(g glyphs, s []sizes, n int, color bool) []string {
	lines := []string{t.head(s, color)}
	for _, b := range t.blocks {
		if b.title != "" {
			lines = append(lines, termtext.Bold.Paint(strings.TrimRight(g.Middle(b.title, n), " "), color))
		}
		for _, l := range b.lines {
			lines = append(lines, t.line(l, s, n, color)...)
		}
	}
	return lines
}

func (t *table) head(s []sizes, color bool) string {
	var b strings.Builder
	for c, col := range t.columns {
		left := s[c].whole - termtext.Width(col.title)
		switch {
		case col.kind == words:
			left = 0
		case col.mid:
			left /= 2
		}
		b.WriteString(termtext.Pad(col.gap+left) + termtext.Dim.Paint(col.title, color) + termtext.Pad(s[c].whole-left-termtext.Width(col.title)))
	}
	return strings.TrimRight(b.String(), " ")
}

func (t *table) line(l tableLine, s []sizes, n int, color bool) []string {
	if l.wide != "" {
		var out []string
		for _, part := range termtext.Wrap(l.wide, n-l.indent) {
			out = append(out, termtext.Pad(l.indent)+l.style.Paint(part, color))
		}
		return out
	}
	var b strings.Builder
	at := 0
	for c, ce := range l.cells {
		text := t.columns[c].compose(ce, s[c])
		b.WriteString(termtext.Pad(t.columns[c].gap) + ce.style.Paint(text, color))
		at += t.columns[c].gap + termtext.Width(text)
	}
	if l.rest == "" {
		return []string{strings.TrimRight(b.String(), " ")}
	}
	const gap = 3
	var out []string
	for i, part := range termtext.Wrap(l.rest, max(n-at-gap, 20)) {
		lead := termtext.Pad(at)
		if i == 0 {
			lead = b.String()
		}
		out = append(out, lead+termtext.Pad(gap)+l.style.Paint(part, color))
	}
	return out
}

// compose puts the halves of a cell together, as wide as the column.
func (col column) compose(c cell, s sizes) string {
	var text string
	switch {
	case c.free:
		text = c.text
	case col.kind == words:
		text = c.text + termtext.Pad(s.first-termtext.Width(c.text))
	default:
		text = termtext.Pad(s.first-termtext.Width(c.text)) + c.text
	}
	if c.tail != "" && !c.free {
		text += col.join + c.tail
	}
	text += termtext.Pad(s.pair - termtext.Width(text))
	left := s.whole - s.pair
	switch {
	case col.kind == words:
		left = 0
	case col.mid:
		left = (left + 1) / 2
	}
	return termtext.Pad(left) + text + termtext.Pad(s.whole-s.pair-left)
}
