package layout

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/tarebench/tare/internal/render/table"
	"github.com/tarebench/tare/internal/units"
)

// Waste returns how many bytes the best order saves.
func (s *Struct) Waste() int64 {
	if s.Best == nil {
		return 0
	}
	return s.Size - s.Best.Size
}

// SortByWaste puts the structs first that another order makes the smallest, then
// those with most padding.
func SortByWaste(structs []*Struct) {
	slices.SortStableFunc(structs, func(a, b *Struct) int {
		return cmp.Or(cmp.Compare(b.Waste(), a.Waste()), cmp.Compare(b.Padding, a.Padding),
			cmp.Compare(a.Path, b.Path), cmp.Compare(a.Name, b.Name))
	})
}

// WriteList writes a table of structs, a line each.
func WriteList(w io.Writer, structs []*Struct, o TextOptions) error {
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
