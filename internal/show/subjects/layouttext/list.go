package layouttext

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/internal/binary/layout"
	"github.com/tarebench/tare/internal/show/table"
)

// List writes a table of structs, a line each.
func List(w io.Writer, structs []*layout.Struct, o Options) error {
	tb := &table.Table{Columns: []table.Column{{Title: "type"}}}
	for _, title := range []string{"size", "padding", "best order", "on the heap", "shared lines"} {
		tb.Columns = append(tb.Columns, table.Column{Title: title, Kind: table.Right})
	}
	for _, s := range structs {
		best, block := "", ""
		if s.Best != nil {
			best = strconv.FormatInt(s.Best.Size, 10)
		}
		if s.Block > 0 {
			block = strconv.FormatInt(s.Block, 10)
			if s.Best != nil && s.Best.Block != s.Block {
				block += " → " + strconv.FormatInt(s.Best.Block, 10)
			}
		}
		doubtful := 0
		for _, l := range s.Shared {
			if l.Doubtful() {
				doubtful++
			}
		}
		tb.Row(s.Path+"."+s.Name, strconv.FormatInt(s.Size, 10), blank(s.Padding), best, block, blank(int64(doubtful)))
	}
	const least = 12 // cells of a name
	var b strings.Builder
	for _, line := range tb.Fit(o.charset(), o.width(), least).Lines(false) {
		b.WriteString(line + "\n")
	}
	saved, padding := int64(0), int64(0)
	for _, s := range structs {
		saved += s.Waste()
		padding += s.Padding
	}
	fmt.Fprintf(&b, "\n%s, %d bytes of padding; other orders save %d\n", units.Plural(len(structs), "struct"), padding, saved)
	_, err := io.WriteString(w, b.String())
	return err
}

// blank returns a number as text, "" for 0.
func blank(n int64) string {
	if n == 0 {
		return ""
	}
	return strconv.FormatInt(n, 10)
}
