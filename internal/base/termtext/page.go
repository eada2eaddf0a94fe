package termtext

import (
	"bytes"
	"io"
	"strings"
)

// DefaultColumns are those of a page where nothing else is known, and LeastColumns those
// that a table with its warnings can be read in.
const (
	DefaultColumns = 100
	LeastColumns   = 60
)

// Columns returns those of a page: the default for 0 or less, and never too few to read.
func Columns(n int) int {
	if n <= 0 {
		n = DefaultColumns
	}
	return max(n, LeastColumns)
}

// Page is a text that is written for a number of columns. Its writers must keep to the columns.
type Page struct {
	Columns int
	Color   bool
	text    bytes.Buffer
}

// NewPage returns an empty one, of Columns(n) columns.
func NewPage(n int, color bool) *Page { return &Page{Columns: Columns(n), Color: color} }

// Print writes lines without the blanks at their ends.
func (p *Page) Print(st Style, lines ...string) {
	for _, l := range lines {
		p.text.WriteString(st.Paint(strings.TrimRight(l, " "), p.Color))
		p.text.WriteByte('\n')
	}
}

// Blank writes an empty line, but no two in a row and none at the beginning.
func (p *Page) Blank() {
	if b := p.text.Bytes(); len(b) > 0 && !bytes.HasSuffix(b, []byte("\n\n")) {
		p.text.WriteByte('\n')
	}
}

// WriteTo writes the page to w, and leaves it empty.
func (p *Page) WriteTo(w io.Writer) (int64, error) { return p.text.WriteTo(w) }
