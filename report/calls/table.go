package calls

import "strings"

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
	names := width(title)
	for i := range rows {
		rows[i].name = t.g.clean(rows[i].name)
		names = max(names, width(rows[i].lead)+width(rows[i].name))
	}
	used, room, gone := t.fit(used, min(names, leastName))
	names = max(min(names, room), width(title))
	lines := make([]strings.Builder, len(rows)+1)
	lines[0].WriteString(title + pad(names-width(title)))
	for i, r := range rows {
		name := r.lead + t.g.middle(r.name, names-width(r.lead))
		lines[i+1].WriteString(name + pad(names-width(name)))
	}
	for _, c := range used {
		for i, s := range t.align(c) {
			lines[i].WriteString(pad(gap) + s)
		}
	}
	for i := range lines {
		st := normal
		if i == 0 {
			st = bold
		}
		t.line(lines[i].String(), st)
	}
	if len(gone) > 0 {
		t.para(normal, "not shown in %d columns: %s", t.width, strings.Join(gone, ", "))
	}
}

const gap = 2 // between columns

// fit takes columns away until the names have what they need at least.
func (t *text) fit(columns []column, need int) (fit []column, room int, gone []string) {
	for {
		room = t.width
		least := -1
		for i, c := range columns {
			room -= gap + width(t.align(c)[0])
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
	for _, f := range c.cells {
		whole, part, unit = max(whole, width(f.whole)), max(part, width(f.part)), max(unit, width(f.unit))
	}
	if unit > 0 {
		unit++
	}
	all := max(whole+part+unit, width(c.title))
	out := []string{pad(all-width(c.title)) + c.title}
	for _, f := range c.cells {
		s := pad(whole-width(f.whole)) + f.whole + f.part + pad(part-width(f.part))
		if f.unit != "" {
			s += " " + f.unit
		}
		s += pad(whole + part + unit - width(s))
		out = append(out, t.g.own(pad(all-width(s))+s))
	}
	return out
}
