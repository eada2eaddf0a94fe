package footprint

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"
)

// width is how many columns a table takes at most, and maxRows how many types and
// gaps String shows.
const (
	width   = 100
	maxRows = 20
)

// String returns the table of the 20 largest types, with the totals and the gaps.
func (r Report) String() string { return r.table(maxRows) }

// WriteTo writes the table of all types.
func (r Report) WriteTo(w io.Writer) (int64, error) {
	n, err := io.WriteString(w, r.table(len(r.Rows)+len(r.NotFollowed)))
	return int64(n), err
}

// line is a row of the table; the first cell is aligned left.
type line [4]string

func (r Report) table(most int) string {
	heap, static := r.split()
	lines := []line{{"type", "objects", "bytes", "share"}}
	lines = append(lines, rowLines(heap, most, r.Bytes)...)
	lines = append(lines, line{"total", count(r.Objects), count(r.Bytes), ""})
	if r.Rounding > 0 {
		lines = append(lines, line{"  of it rounding up to size classes", "", count(r.Rounding), share(r.Rounding, r.Bytes)})
	}
	if r.Inside > 0 {
		lines = append(lines, line{"  of it parts of larger blocks: slice tails, substrings, timers …", count(r.Inside), "", ""})
	}
	if r.Beyond > 0 {
		lines = append(lines, line{"kept alive beyond parts, not in the total", "", count(r.Beyond), ""})
	}
	if len(static) > 0 {
		lines = append(lines, line{}, line{"part of the program, not on the heap", count(r.StaticObjects), count(r.StaticBytes), ""})
		for _, l := range rowLines(static, most, r.StaticBytes) {
			l[0], l[3] = "  "+l[0], ""
			lines = append(lines, l)
		}
	}
	if len(r.NotFollowed) > 0 {
		lines = append(lines, line{}, line{"not followed, not counted", "", "", ""})
		for i, g := range r.NotFollowed {
			if i == most {
				lines = append(lines, line{fmt.Sprintf("  … and %d more", len(r.NotFollowed)-most), "", "", ""})
				break
			}
			lines = append(lines, line{"  " + strings.TrimSpace(g.What+" "+g.Where), count(g.Count), "", ""})
		}
	}
	return alignColumns(lines)
}

func (r Report) split() (heap, static []Row) {
	for _, row := range r.Rows {
		if row.Static {
			static = append(static, row)
		} else {
			heap = append(heap, row)
		}
	}
	return heap, static
}

// rowLines returns lines for the first rows, and one line for all others.
func rowLines(rows []Row, most int, total int64) (lines []line) {
	rest := Row{}
	for i, row := range rows {
		if i >= most && len(rows) > most+1 {
			add(&rest, row.Objects, row.Bytes, 0)
			continue
		}
		lines = append(lines, line{row.Type, count(row.Objects), count(row.Bytes), share(row.Bytes, total)})
	}
	if rest.Objects > 0 {
		lines = append(lines, line{fmt.Sprintf("%d other types", len(rows)-most), count(rest.Objects), count(rest.Bytes), share(rest.Bytes, total)})
	}
	return lines
}

// alignColumns aligns the cells, and shortens the first ones where a line would be
// too wide.
func alignColumns(lines []line) string {
	var widths [4]int
	for _, l := range lines {
		for i, cell := range l {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	numbers := widths[1] + widths[2] + widths[3] + 3*2
	widths[0] = min(widths[0], width-numbers)
	var b strings.Builder
	for _, l := range lines {
		name := shorten(l[0], widths[0])
		s := fmt.Sprintf("%-*s  %*s  %*s  %*s", widths[0], name, widths[1], l[1], widths[2], l[2], widths[3], l[3])
		b.WriteString(strings.TrimRight(s, " "))
		b.WriteByte('\n')
	}
	return b.String()
}

// shorten cuts the middle out of a name that is too long: types differ at their ends.
func shorten(s string, n int) string {
	runes := []rune(s)
	if len(runes) <= n {
		return s
	}
	head := (n - 1) / 2
	return string(runes[:head]) + "…" + string(runes[len(runes)-(n-1-head):])
}

// count writes a number with its digits in groups of three.
func count(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

func share(part, whole int64) string {
	if whole == 0 {
		return ""
	}
	return strconv.FormatFloat(100*float64(part)/float64(whole), 'f', 1, 64) + " %"
}
