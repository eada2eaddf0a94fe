package calls

import (
	"github.com/tarebench/tare/internal/show/table"
)

// column is one of a table's, right of the names.
type column struct {
	title string
	cells []figure
	keep  int // columns with the least go first where there is no room; 0: never
}

// row is the beginning of a table's line.
type row struct{ lead, name string } // lead: of a tree, never shortened

const leastName = 24 // cells of a name, before columns of figures go

// table writes names and the figures behind them.
func (t *text) table(title string, rows []row, columns []column) {
	tb := &table.Table{Columns: []table.Column{{Title: title}}}
	for _, c := range columns {
		tb.Columns = append(tb.Columns, table.Column{Title: c.title, Kind: table.Figures, Join: " ", Drop: c.keep})
	}
	for i, r := range rows {
		l := table.Line{Cells: []table.Cell{{Lead: r.lead, Text: t.Line(r.name)}}}
		for _, c := range columns {
			f := figure{}
			if i < len(c.cells) {
				f = c.cells[i]
			}
			l.Cells = append(l.Cells, table.Cell{Text: f.whole + f.part, Tail: f.unit})
		}
		tb.Add(l)
	}
	t.Table(tb.Fit(t.Charset, t.Columns, leastName))
}
