package calls

import (
	"slices"
	"strings"

	"github.com/tarebench/tare/internal/screen"
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
	names := screen.Width(title)
	for i := range rows {
		rows[i].name = t.g.Line(rows[i].name)
		names = max(names, screen.Width(rows[i].lead)+screen.Width(rows[i].name))
	}
	used, room, gone := t.fit(used, min(names, leastName))
	names = max(min(names, room), screen.Width(title))
	lines := make([]strings.Builder, len(rows)+1)
	lines[0].WriteString(title + screen.Pad(names-screen.Width(title)))
	for i, r := range rows {
		name := r.lead + t.g.middle(r.name, names-screen.Width(r.lead))
		lines[i+1].WriteString(name + screen.Pad(names-screen.Width(name)))
	}
	for _, c := range used {
		for i, s := range t.align(c) {
			lines[i].WriteString(screen.Pad(gap) + s)
		}
	}
	for i := range lines {
		st := screen.Normal
		if i == 0 {
			st = screen.Bold
		}
		t.Print(st, lines[i].String())
	}
	if len(gone) > 0 {
		t.para(screen.Normal, "not shown in %d columns: %s", t.Columns, strings.Join(gone, ", "))
	}
}

const gap = 2 // between columns

// fit takes columns away until the names have what they need at least.
func (t *text) fit(columns []column, need int) (fit []column, room int, gone []string) {
	for {
		room = t.Columns
		least := -1
		for i, c := range columns {
			room -= gap + screen.Width(t.align(c)[0])
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
		whole, part, unit = max(whole, screen.Width(f.whole)), max(part, screen.Width(f.part)), max(unit, screen.Width(f.unit))
	}
	if unit > 0 {
		unit++
	}
	all := max(whole+part+unit, screen.Width(c.title))
	out := []string{screen.Pad(all-screen.Width(c.title)) + c.title}
	for _, f := range cells {
		s := screen.Pad(whole-screen.Width(f.whole)) + f.whole + f.part + screen.Pad(part-screen.Width(f.part))
		if f.unit != "" {
			s += " " + f.unit
		}
		s += screen.Pad(whole + part + unit - screen.Width(s))
		out = append(out, screen.Right(s, all))
	}
	return out
}
