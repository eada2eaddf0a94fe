package calls

import (
	"slices"
	"strings"

	"github.com/tarebench/tare/internal/termtext"
)

// column is one of a table's, right of the names.
type column struct {
	title string
	cells []figure
	keep  int // columns with the least go first where there is no room; 0: never
}

// row is the beginning of a table's line.
type row struct{ lead, name string } // lead: of a tree, never shortened

const leastName = 24 // columns of a name, before columns of figures go

// table writes names and the figures behind them, decimal points below each other.
// Columns without figures are left out.
func (t *text) table(title string, rows []row, columns []column) {
	var used []column
	for _, c := range columns {
		for _, f := range c.cells {
			if !f.empty() {
				used = append(used, c)
				break
			}
		}
	}
	names := termtext.Width(title)
	for i := range rows {
		rows[i].name = t.g.Line(rows[i].name)
		names = max(names, termtext.Width(rows[i].lead)+termtext.Width(rows[i].name))
	}
	used, room, gone := t.fit(used, min(names, leastName))
	names = max(min(names, room), termtext.Width(title))
	lines := make([]strings.Builder, len(rows)+1)
	lines[0].WriteString(title + termtext.Pad(names-termtext.Width(title)))
	for i, r := range rows {
		name := r.lead + t.g.middle(r.name, names-termtext.Width(r.lead))
		lines[i+1].WriteString(name + termtext.Pad(names-termtext.Width(name)))
	}
	for _, c := range used {
		for i, s := range t.align(c) {
			lines[i].WriteString(termtext.Pad(gap) + s)
		}
	}
	for i := range lines {
		st := termtext.Normal
		if i == 0 {
			st = termtext.Bold
		}
		t.Print(st, lines[i].String())
	}
	if len(gone) > 0 {
		t.para(termtext.Normal, "not shown in %d columns: %s", t.Columns, strings.Join(gone, ", "))
	}
}

const gap = 2 // between columns

// fit takes columns away until the names have what they need at least.
func (t *text) fit(columns []column, need int) (fit []column, room int, gone []string) {
	for {
		room = t.Columns
		least := -1
		for i, c := range columns {
			room -= gap + termtext.Width(t.align(c)[0])
			if c.keep > 0 && (least < 0 || c.keep < columns[least].keep) {
				least = i
			}
		}
		if room >= need || least < 0 {
			return columns, room, gone
		}
		gone = append(gone, columns[least].title)
		columns = append(columns[:least:least], columns[least+1:]...)
	}
}

// align writes the title and the cells of a column in the same width.
func (t *text) align(c column) []string {
	var whole, part, unit int
	cells := slices.Clone(c.cells)
	for i := range cells {
		f := &cells[i]
		f.whole, f.part, f.unit = t.g.Text(f.whole), t.g.Text(f.part), t.g.Text(f.unit)
		whole, part, unit = max(whole, termtext.Width(f.whole)), max(part, termtext.Width(f.part)), max(unit, termtext.Width(f.unit))
	}
	if unit > 0 {
		unit++
	}
	all := max(whole+part+unit, termtext.Width(c.title))
	out := []string{termtext.Pad(all-termtext.Width(c.title)) + c.title}
	for _, f := range cells {
		s := termtext.Pad(whole-termtext.Width(f.whole)) + f.whole + f.part + termtext.Pad(part-termtext.Width(f.part))
		if f.unit != "" {
			s += " " + f.unit
		}
		s += termtext.Pad(whole + part + unit - termtext.Width(s))
		out = append(out, termtext.Right(s, all))
	}
	return out
}
