package table

import (
	"slices"
	"strings"

	"github.com/tarebench/tare/internal/base/termtext"
)

// Fitted is a table that is laid out.
type Fitted struct {
	of    *Table // as it was given
	t     *Table // with the columns and texts that are written
	cs    termtext.Charset
	sizes []size
	width int
	gone  []int // columns that there was no room for
}

// size is the widths of one column's parts.
type size struct{ first, second, pair, whole int }

// Fit lays the table out in so many columns, without those that have no text. Names in the first column are shortened to
// no less than least cells, 0 being never. It returns the table even if it remains
// too wide.
func (t *Table) Fit(cs termtext.Charset, width, least int) *Fitted {
	keep := t.Used()
	var gone []int
	for {
		f := t.lay(cs, width, keep)
		room := f.room()
		drop := -1
		for i, c := range keep {
			if d := t.Columns[c].Drop; d > 0 && (drop < 0 || d < t.Columns[keep[drop]].Drop) {
				drop = i
			}
		}
		enough := f.names()
		if least > 0 {
			enough = min(enough, least)
		}
		if room >= enough || drop < 0 {
			if least > 0 && room < f.names() {
				f.shrink(max(room, least))
			}
			f.gone = gone
			return f
		}
		gone = append(gone, keep[drop])
		keep = slices.Delete(keep, drop, drop+1)
	}
}

// Used returns the columns that have a text in some line, and the first.
func (t *Table) Used() (columns []int) {
	for c := range t.Columns {
		has := func(l Line) bool { return c < len(l.Cells) && l.Cells[c].Lead+l.Cells[c].Text+l.Cells[c].Tail != "" }
		if c == 0 || slices.ContainsFunc(t.Blocks, func(b Block) bool { return slices.ContainsFunc(b.Lines, has) }) {
			columns = append(columns, c)
		}
	}
	return columns
}

// Gone returns the titles of the columns that there was no room for. One that another column has
// too comes with that of the column before it.
func (f *Fitted) Gone() (titles []string) {
	all := f.of.Columns
	for _, c := range f.gone {
		title := all[c].Title
		for i, col := range all {
			if i != c && col.Title == title && c > 0 && title != "" {
				title = all[c-1].Title + "'s " + title
				break
			}
		}
		if title != "" && !all[c].Quiet {
			titles = append(titles, title)
		}
	}
	return titles
}

// Shows reports whether there was room for a column.
func (f *Fitted) Shows(c int) bool { return !slices.Contains(f.gone, c) }

// First tries ways to lay a table out, from 0 to n-1, and returns the first that fits in so
// many columns. The last is returned even if it does not. way returns the table, and to how
// few cells the names in its first column may be shortened: 0 is not at all.
func First(cs termtext.Charset, width, n int, way func(i int) (t *Table, least int)) *Fitted {
	for i := range n - 1 {
		t, least := way(i)
		if f := t.Fit(cs, width, least); f.Fits() {
			return f
		}
	}
	t, least := way(n - 1)
	return t.Fit(cs, width, least)
}

// lay measures the table with the columns keep.
func (t *Table) lay(cs termtext.Charset, width int, keep []int) *Fitted {
	f := &Fitted{of: t, t: t.clone(cs, keep), cs: cs, sizes: make([]size, len(keep)), width: width}
	for c, col := range f.t.Columns {
		s := &f.sizes[c]
		s.whole = termtext.Width(col.Title)
		for b := range f.t.Blocks {
			block := &f.t.Blocks[b]
			if col.Kind == Figures {
				block.align(c)
			}
			for _, l := range block.Lines {
				if c < len(l.Cells) {
					s.measure(l.Cells[c])
				}
			}
		}
		pair := s.first
		if s.second > 0 {
			pair += termtext.Width(col.Join) + s.second
		}
		s.pair = max(s.pair, pair)
		s.whole = max(s.whole, s.pair)
	}
	return f
}

func (s *size) measure(c Cell) {
	n := termtext.Width(c.Lead) + termtext.Width(c.Text)
	if c.Free {
		s.pair = max(s.pair, n)
		return
	}
	s.first, s.second = max(s.first, n), max(s.second, termtext.Width(c.Tail))
}

// Width returns the cells of the widest line. Texts that replace columns do not count, because they are wrapped.
func (f *Fitted) Width() int {
	n := 0
	for c := range f.sizes {
		n += f.t.Columns[c].Gap + f.sizes[c].whole
	}
	return n
}

// Fits reports whether the table is no wider than the page.
func (f *Fitted) Fits() bool { return f.Width() <= f.width }

func (f *Fitted) names() int { return f.sizes[0].whole }

// room returns how many cells the other columns leave for the names.
func (f *Fitted) room() int { return f.width - (f.Width() - f.names()) }

// shrink shortens the names in the first column to n cells, with the gap where the
// fewest of them become the same.
func (f *Fitted) shrink(n int) {
	best, fewest := termtext.InTheMiddle, -1
	for _, gap := range []termtext.Gap{termtext.InTheMiddle, termtext.NearTheFront, termtext.NearTheEnd} {
		names := map[string]string{}
		same := 0
		f.eachName(func(c *Cell) {
			short := f.shorten(c, n, gap)
			if was, ok := names[short]; ok && was != c.Text {
				same++
			}
			names[short] = c.Text
		})
		if fewest < 0 || same < fewest {
			best, fewest = gap, same
		}
	}
	f.eachName(func(c *Cell) { c.Text = f.shorten(c, n, best) })
	s := &f.sizes[0]
	s.first, s.pair = min(s.first, n), min(s.pair, n)
	s.whole = max(s.pair, termtext.Width(f.t.Columns[0].Title))
}

// shorten returns the cell's text cut to n cells, including its lead. It tries the table's short form of the name
// first.
func (f *Fitted) shorten(c *Cell, n int, gap termtext.Gap) string {
	name := c.Text
	if n -= termtext.Width(c.Lead); f.t.Short != nil && termtext.Width(name) > n {
		name = f.t.Short(name)
	}
	return f.cs.Cut(name, n, gap)
}

func (f *Fitted) eachName(do func(*Cell)) {
	for b := range f.t.Blocks {
		for _, l := range f.t.Blocks[b].Lines {
			if len(l.Cells) > 0 {
				do(&l.Cells[0])
			}
		}
	}
}

// Lines returns the lines of the table, titles first, without blanks at their ends.
func (f *Fitted) Lines(color bool) []string {
	lines := f.Body(color)
	if head := f.head(color); head != "" {
		lines = append([]string{head}, lines...)
	}
	return lines
}

// Body returns the lines below the titles.
func (f *Fitted) Body(color bool) []string {
	var lines []string
	for _, b := range f.t.Blocks {
		if b.Title != "" {
			lines = append(lines, termtext.Bold.Paint(strings.TrimRight(f.cs.Middle(b.Title, f.width), " "), color))
		}
		for _, l := range b.Lines {
			lines = append(lines, f.line(l, color)...)
		}
	}
	return lines
}

func (f *Fitted) head(color bool) string {
	var b strings.Builder
	for c, col := range f.t.Columns {
		whole := f.sizes[c].whole
		left := whole - termtext.Width(col.Title)
		switch {
		case col.Kind == Words:
			left = 0
		case col.Mid:
			left /= 2
		}
		b.WriteString(termtext.Pad(col.Gap+left) + termtext.Dim.Paint(col.Title, color) + termtext.Pad(whole-left-termtext.Width(col.Title)))
	}
	return strings.TrimRight(b.String(), " ")
}

func (f *Fitted) line(l Line, color bool) []string {
	if l.Wide != "" {
		var out []string
		for _, part := range termtext.Wrap(l.Wide, f.width-l.Indent) {
			out = append(out, termtext.Pad(l.Indent)+l.Style.Paint(part, color))
		}
		return out
	}
	var b strings.Builder
	at := 0
	for c, ce := range l.Cells {
		text := f.t.Columns[c].compose(ce, f.sizes[c])
		b.WriteString(termtext.Pad(f.t.Columns[c].Gap) + ce.Style.Paint(text, color))
		at += f.t.Columns[c].Gap + termtext.Width(text)
	}
	if l.Rest == "" {
		return []string{strings.TrimRight(b.String(), " ")}
	}
	const gap, least = 3, 20
	var out []string
	for i, part := range termtext.Wrap(l.Rest, max(f.width-at-gap, least)) {
		lead := termtext.Pad(at)
		if i == 0 {
			lead = b.String()
		}
		out = append(out, lead+termtext.Pad(gap)+l.Style.Paint(part, color))
	}
	return out
}

// compose puts the halves of a cell together, as wide as the column.
func (col Column) compose(c Cell, s size) string {
	text := c.Lead + c.Text
	switch {
	case c.Free:
	case col.Kind == Words:
		text = termtext.Left(text, s.first)
	default:
		text = termtext.Right(text, s.first)
	}
	if c.Tail != "" && !c.Free {
		text += col.Join + c.Tail
	}
	text = termtext.Left(text, s.pair)
	left := s.whole - s.pair
	switch {
	case col.Kind == Words:
		left = 0
	case col.Mid:
		left = (left + 1) / 2
	}
	return termtext.Left(termtext.Pad(left)+text, s.whole)
}
