package cli

import (
	"io"

	"github.com/tarebench/tare/internal/render/page"
)

// newPage is an empty text for w: as wide as the terminal, in the characters of the locale.
func newPage(w io.Writer) *page.Page { return page.New((&showFlags{color: "auto"}).options(w)) }

// printRows prints rows whose columns begin at the left. The last one is wrapped.
func printRows(w io.Writer, rows [][]string) {
	p := newPage(w)
	p.Rows(rows)
	p.WriteTo(w)
}
