package layout

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Waste is how many bytes the best order saves.
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
	arrow := "->"
	if o.UTF8 {
		arrow = "→"
	}
	rows := [][]string{{"type", "size", "padding", "best order", "on the heap", "shared lines"}}
	for _, s := range structs {
		best, block := "", ""
		if s.Best != nil {
			best = strconv.FormatInt(s.Best.Size, 10)
		}
		if s.Block > 0 {
			block = strconv.FormatInt(s.Block, 10)
			if s.Best != nil && s.Best.Block != s.Block {
				block += " " + arrow + " " + strconv.FormatInt(s.Best.Block, 10)
			}
		}
		doubtful := 0
		for _, l := range s.Shared {
			if l.Doubtful() {
				doubtful++
			}
		}
		rows = append(rows, []string{s.Path + "." + s.Name, strconv.FormatInt(s.Size, 10), blank(s.Padding), best, block, blank(int64(doubtful))})
	}
	widths := make([]int, len(rows[0]))
	for _, r := range rows {
		for i, cell := range r {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	numbers := 0
	for _, n := range widths[1:] {
		numbers += n + 2
	}
	widths[0] = max(min(widths[0], o.width()-numbers), 12)
	var b strings.Builder
	for _, r := range rows {
		line := pad(middle(r[0], widths[0], o), widths[0])
		for i, cell := range r[1:] {
			line += "  " + strings.Repeat(" ", widths[i+1]-utf8.RuneCountInString(cell)) + cell
		}
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	saved, padding := int64(0), int64(0)
	for _, s := range structs {
		saved += s.Waste()
		padding += s.Padding
	}
	fmt.Fprintf(&b, "\n%s, %d bytes of padding; other orders save %d\n", plural(int64(len(structs)), "struct"), padding, saved)
	_, err := io.WriteString(w, b.String())
	return err
}

// blank leaves zeros out.
func blank(n int64) string {
	if n == 0 {
		return ""
	}
	return strconv.FormatInt(n, 10)
}
