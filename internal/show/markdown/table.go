package markdown

import (
	"bytes"
	"slices"
	"strings"

	"github.com/tarebench/tare/internal/base/termtext"
)

// Rows writes a table of which the first row is the head.
func Rows(b *bytes.Buffer, rows [][]string, right []bool) {
	const most = 60 // columns to pad cells to: one long cell should not widen all
	widths := make([]int, len(right))
	for _, row := range rows {
		for c, text := range row {
			widths[c] = max(widths[c], min(termtext.Width(text), most), 3)
		}
	}
	rule := make([]string, len(right))
	for c := range rule {
		rule[c] = strings.Repeat("-", widths[c])
		if right[c] {
			rule[c] = rule[c][1:] + ":"
		}
	}
	for _, row := range slices.Insert(rows, 1, rule) {
		for c, w := range widths {
			text := ""
			if c < len(row) {
				text = row[c]
			}
			if right[c] {
				text = termtext.Pad(w-termtext.Width(text)) + text
			}
			b.WriteString("| " + text + termtext.Pad(w-termtext.Width(text)) + " ")
		}
		b.WriteString("|\n")
	}
}
