package textpage

import (
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/tarebench/tare/internal/base/termtext"
	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/show/table"
)

// Options say how a text for people looks. The zero value is fit for a file that any
// program may read.
type Options struct {
	Title   string // what was measured, where the record names only a binary
	Width   int    // columns; 0 is 100, and less than 60 counts as 60
	UTF8    bool   // characters beyond ASCII; false writes their ASCII twins
	Color   bool   // ANSI colours
	Verbose bool   // details, and the whole text of each note for each row

	Select Selection // of profiles
}

// Selection says which call stacks of a profile are shown, and how their functions are ordered. The zero value is all of them.
type Selection struct {
	// Sort is the order of functions: SortSelf, which is the default, or SortTotal.
	Sort string

	// Focus keeps the stacks that have a function whose name matches; Ignore drops those that have one. Shares stay those
	// of the whole.
	Focus, Ignore *regexp.Regexp

	// Peek adds the callers and callees of the functions whose names match.
	Peek *regexp.Regexp
}

// Orders of functions.
const (
	SortSelf  = "self"
	SortTotal = "total"
)

// Narrows reports whether only some of the stacks are shown.
func (s *Selection) Narrows() bool { return s.Focus != nil || s.Ignore != nil }

// Any reports whether anything was selected.
func (s *Selection) Any() bool { return s.Narrows() || s.Peek != nil || s.Sort != "" }

// Keeps reports whether a stack of these functions is shown.
func (s *Selection) Keeps(names []string) bool {
	return (s.Focus == nil || slices.ContainsFunc(names, s.Focus.MatchString)) &&
		(s.Ignore == nil || !slices.ContainsFunc(names, s.Ignore.MatchString))
}

// Warn writes warnings behind an empty line; nothing if there are none.
func (p *Page) Warn(ws []result.Warning) {
	if len(ws) == 0 {
		return
	}
	var notes Notes
	notes.Run(ws...)
	p.Blank()
	p.Notes(&notes)
}

// Flush writes the page to w, and leaves it empty.
func (p *Page) Flush(w io.Writer) error {
	if _, err := p.WriteTo(w); err != nil {
		return fmt.Errorf("writing the text: %w", err)
	}
	return nil
}

// Sep stands between items of a line.
const Sep = " · "

// LeastName is the fewest cells of a shortened name in a table of details.
const LeastName = 12

// Page is a text being written.
type Page struct {
	*termtext.Page
	termtext.Charset
	Verbose bool
}

// New returns an empty one.
func New(o Options) *Page {
	return &Page{Page: termtext.NewPage(o.Width, o.Color), Charset: termtext.Charset{UTF8: o.UTF8}, Verbose: o.Verbose}
}

// Para writes a sentence of ours in as many lines as it needs.
func (p *Page) Para(st termtext.Style, format string, args ...any) {
	p.Print(st, p.Fit(p.Text(fmt.Sprintf(format, args...)), p.Columns)...)
}

// Items writes facts side by side, in as many lines as they need.
func (p *Page) Items(st termtext.Style, items ...string) { p.Hang(st, "", items...) }

// Hang writes facts side by side behind a heading, further lines below the first.
// Without facts it writes nothing.
func (p *Page) Hang(st termtext.Style, head string, items ...string) {
	var texts []string
	for _, it := range items {
		if it != "" {
			texts = append(texts, p.Text(it))
		}
	}
	p.Hung(st, head, termtext.Join(texts, p.Text(Sep), p.Columns-termtext.Width(p.Text(head)), termtext.Wrap))
}

// Hung writes lines behind a heading, the later ones below the first.
func (p *Page) Hung(st termtext.Style, head string, lines []string) {
	head = p.Text(head)
	for i, l := range lines {
		if i > 0 {
			head = termtext.Pad(termtext.Width(head))
		}
		p.Print(st, head+l)
	}
}

// List writes names behind a title, with commas between them: of many only the first few,
// unless the page is verbose. Further lines are indented.
func (p *Page) List(title string, names []string) {
	const few = 8
	top := few
	if p.Verbose {
		top = len(names)
	}
	shown, rest := Cut(names, top)
	var items []string
	for _, n := range shown {
		items = append(items, p.Line(n))
	}
	if len(rest) > 0 {
		items = append(items, "and "+units.Count(len(rest))+" more")
	}
	indent := termtext.Width(title) - termtext.Width(strings.TrimLeft(title, " ")) + 2
	p.Print(termtext.Normal, p.Chain(p.Text(title)+": ", items, ", ", termtext.Pad(indent))...)
}

// Chain puts items behind a beginning with sep between them, and breaks the line where the
// next does not fit: the separator stays, and further lines begin with the indent.
func (p *Page) Chain(begin string, items []string, sep, indent string) []string {
	sep = p.Text(sep)
	end := strings.TrimRight(sep, " ")
	lines := []string{begin}
	for i, it := range items {
		it = p.Cut(it, p.Columns-termtext.Width(indent)-termtext.Width(end), termtext.NearTheFront)
		k := len(lines) - 1
		between := sep
		if i == 0 {
			between = ""
		}
		if termtext.Width(lines[k]+between+it+end) <= p.Columns {
			lines[k] += between + it
			continue
		}
		if i > 0 {
			lines[k] += end
		}
		lines = append(lines, indent+it)
	}
	return lines
}

// Table writes a table, and which columns there was no room for.
func (p *Page) Table(f *table.Fitted) {
	p.Print(termtext.Normal, f.Lines(p.Color)...)
	if gone := f.Gone(); len(gone) > 0 {
		p.Para(termtext.Dim, "not shown in %d columns: %s", p.Columns, strings.Join(gone, ", "))
	}
}

// Rows writes rows whose columns begin at the left. The last text of a row is wrapped.
func (p *Page) Rows(rows [][]string) {
	t := &table.Table{}
	for _, r := range rows {
		l := table.Line{Rest: r[len(r)-1]}
		for i, text := range r[:len(r)-1] {
			if i == len(t.Columns) {
				t.Columns = append(t.Columns, table.Column{})
			}
			l.Cells = append(l.Cells, table.Cell{Text: text})
		}
		t.Add(l)
	}
	p.Table(t.Fit(p.Charset, p.Columns, 0))
}

// Cut divides a list into what is shown and the rest. A line for one more is no longer than
// one that says how many there are, so that a rest has two at least.
func Cut[T any](list []T, top int) (shown, rest []T) {
	if top >= len(list)-1 {
		return list, nil
	}
	return list[:top], list[top:]
}
