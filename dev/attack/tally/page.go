package tally

import (
	"slices"
	"strings"

	"github.com/tarebench/tare/dev/document"
)

// marks is the name of the marks between which Update writes.
const marks = "attack"

// Update puts the rows into the table between the marks of a page. Rows of other attacks stay
// as they are, so that attacks can be made one by one. It fails if the page does not have both marks.
func Update(page string, rows []*Row) error {
	return document.Update(page, func(old string) (string, error) {
		inside, err := document.Between(old, marks)
		if err != nil {
			return "", err
		}
		table := readTable(inside)
		for _, r := range rows {
			at := slices.IndexFunc(table, func(cells []string) bool { return cells[0] == r.Attack })
			if at < 0 {
				table = append(table, r.cells())
			} else {
				table[at] = r.cells()
			}
		}
		var text strings.Builder
		writeTable(&text, table)
		return document.Replace(old, marks, text.String())
	})
}

// readTable reads the rows that writeTable wrote.
func readTable(text string) (rows [][]string) {
	for line := range strings.Lines(text) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		if len(cells) != len(head) || cells[0] == head[0] || strings.Trim(cells[0], "-") == "" {
			continue
		}
		rows = append(rows, cells)
	}
	return rows
}
