package cli

import (
	"io"

	"github.com/tarebench/tare/internal/render/page"
	"github.com/tarebench/tare/internal/render/table"
)

// newPage is an empty text for w: as wide as the terminal, in the characters of the locale.
func newPage(w io.Writer) *page.Page { return page.New((&showFlags{color: "auto"}).options(w)) }

// printRows prints rows whose columns begin at the left. The last one is wrapped.
func printRows(w io.Writer, rows [][]string) {
	p, t := newPage(w), &table.Table{}
	for _, r := range rows {
		l := table.Line{Rest: r[len(r)-1]}
		for i, text := range r[:len(r)-1] {
			if i == len(t.Columns) {
				t.Columns = append(t.Columns, table.Column{})
			}
			l.Cells = append(l.Cells, table.Cell{Text: text})
		}
		t.Add(l)
	}
	p.Table(t.Fit(p.Charset, p.Columns, 0))
	p.WriteTo(w)
}
