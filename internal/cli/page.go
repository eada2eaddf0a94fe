package cli

import (
	"io"

	"github.com/tarebench/tare/internal/show/textpage"
)

// newPage returns an empty text for w: as wide as the terminal, in the characters of the locale.
func newPage(w io.Writer) *textpage.Page {
	return textpage.New((&outputFlags{color: "auto"}).options(w))
}

// writeRows writes rows whose columns begin at the left. The last column is wrapped.
func writeRows(w io.Writer, rows [][]string) error {
	p := newPage(w)
	p.Rows(rows)
	_, err := p.WriteTo(w)
	return err
}
