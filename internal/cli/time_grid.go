package cli

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/tarebench/tare/internal/render"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/termtext"
)

// grid is a table of figures. Numbers are lined up at their points where all of a
// column have one unit, else at their right, with units and intervals behind them.
type grid struct {
	titles []string
	rows   [][]timeCell // a row may have fewer cells than there are titles
}

// timeCell is a figure, or words (a unit without a number).
type timeCell struct{ number, unit, half string }

// cellWidths are those of the parts of a column.
type cellWidths struct {
	before, after, unit, half int
	mixed                     bool // units differ: points have nothing to do with each other
}

func (w cellWidths) whole() int {
	n := w.before + w.after
	for _, part := range []int{w.unit, w.half} {
		if part > 0 {
			n += part + 1
		}
	}
	return n
}

const gridGap = 3

// write writes the table in at most width columns. Where first cells are too long
// for that, they get lines of their own: cut, two of them might look the same.
func (g *grid) write(b *bytes.Buffer, width int) {
	widths := make([]cellWidths, len(g.titles))
	for c := range g.titles {
		widths[c] = g.measure(c)
	}
	rest := 0
	for c, w := range widths[1:] {
		rest += gridGap + max(w.whole(), runes(g.titles[c+1]))
	}
	first := max(g.first(), runes(g.titles[0]))
	stacked := first > width-rest
	if stacked {
		first = 0
	}
	g.line(b, first, widths, func(c int) string { return g.titles[c] })
	for _, row := range g.rows {
		name := row[0].unit
		if len(row) == 1 || stacked {
			b.WriteString((termtext.Charset{UTF8: true}).Middle(name, width) + "\n")
			name = ""
		}
		if len(row) == 1 {
			continue
		}
		g.line(b, first, widths, func(c int) string {
			if c == 0 {
				return name
			}
			return widths[c].text(row[c])
		})
	}
}

// first is the width of the first column.
func (g *grid) first() (n int) {
	for _, row := range g.rows {
		if len(row) > 1 {
			n = max(n, runes(row[0].unit))
		}
	}
	return n
}

func (g *grid) line(b *bytes.Buffer, first int, widths []cellWidths, text func(c int) string) {
	line := text(0)
	line += blanks(first - runes(line))
	for c := 1; c < len(widths); c++ {
		cell := text(c)
		whole := max(widths[c].whole(), runes(g.titles[c]))
		line += blanks(gridGap+whole-runes(cell)) + cell
	}
	b.WriteString(strings.TrimRight(line, " ") + "\n")
}

func (g *grid) measure(c int) (w cellWidths) {
	if c == 0 {
		return w
	}
	w.mixed = g.mixed(c)
	for _, row := range g.rows {
		if c < len(row) {
			x := row[c]
			before, after := w.split(x)
			w.before, w.after = max(w.before, runes(before)), max(w.after, runes(after))
			if x.number != "" {
				w.unit, w.half = max(w.unit, runes(x.unit)), max(w.half, runes(x.half))
			}
		}
	}
	return w
}

// mixed tells whether the figures of a column have different units.
func (g *grid) mixed(c int) bool {
	unit := ""
	for _, row := range g.rows {
		if c >= len(row) || row[c].number == "" || row[c].number == "0" {
			continue
		}
		if unit != "" && row[c].unit != unit {
			return true
		}
		unit = row[c].unit
	}
	return false
}

func (w cellWidths) split(x timeCell) (before, after string) {
	if i := strings.IndexByte(x.number, '.'); i >= 0 && !w.mixed {
		return x.number[:i], x.number[i:]
	}
	return x.number, ""
}

func (w cellWidths) text(x timeCell) string {
	if x.number == "" {
		return x.unit
	}
	before, after := w.split(x)
	out := blanks(w.before-runes(before)) + x.number + blanks(w.after-runes(after))
	if w.unit > 0 {
		out += " " + x.unit + blanks(w.unit-runes(x.unit))
	}
	if w.half > 0 {
		out += " " + x.half + blanks(w.half-runes(x.half))
	}
	return out
}

func runes(s string) int { return utf8.RuneCountInString(s) }

func blanks(n int) string { return strings.Repeat(" ", max(n, 0)) }

// amount is one value, without an interval.
func amount(unit string, v result.Number) timeCell {
	number, shown := render.Value(unit, v)
	return timeCell{number: number, unit: shown}
}
