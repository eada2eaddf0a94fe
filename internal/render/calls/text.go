package calls

import (
	"fmt"
	"io"
	"strings"

	"github.com/tarebench/tare/internal/termtext"
)

// Options say how a text for people looks. The zero value is fit for a file that any
// program may read.
type Options struct {
	Title   string // what was counted; "": the name of the binary
	Width   int    // columns; 0 is 100, and less than 60 counts as 60
	UTF8    bool   // characters beyond ASCII; false writes their ASCII twins
	Color   bool   // ANSI attributes
	Verbose bool   // with percentiles and deviations, and lists in full
}

// text is a text being written.
type text struct {
	*termtext.Page
	g       glyphs
	verbose bool
}

func newText(o Options) *text {
	return &text{Page: termtext.NewPage(o.Width, o.Color), g: newGlyphs(o.UTF8), verbose: o.Verbose}
}

// Text writes the functions, the tree of calls, the beginning of the execution path,
// what was left out, and what the probes took. An error of w is returned wrapped.
func (c *Calls) Text(w io.Writer, o Options) error {
	t := newText(o)
	t.header(c, o.Title)
	t.functions(c)
	if t.verbose {
		t.spread(c)
	}
	t.endings(c)
	t.tree(c)
	t.path(c)
	t.left(c)
	t.inlined(c)
	t.cost(c)
	t.warn(c.warnings)
	return t.flush(w)
}

func (t *text) flush(w io.Writer) error {
	if _, err := t.WriteTo(w); err != nil {
		return fmt.Errorf("calls: %w", err)
	}
	return nil
}

// para writes a sentence of ours in as many lines as it needs.
func (t *text) para(st termtext.Style, format string, args ...any) {
	t.Print(st, t.g.wrap(t.g.Text(fmt.Sprintf(format, args...)), t.Columns)...)
}

// items writes facts side by side.
func (t *text) items(st termtext.Style, items ...string) {
	t.Print(st, t.g.wrap(strings.Join(items, t.g.sep), t.Columns)...)
}

// list writes a title and names behind it: of many only the first.
func (t *text) list(title string, names []string) {
	const few = 8
	top := few
	if t.verbose {
		top = len(names)
	}
	shown, rest := cut(names, top)
	var items []string
	for _, n := range shown {
		items = append(items, t.g.Line(n))
	}
	if len(rest) > 0 {
		items = append(items, "and "+group(int64(len(rest)))+" more")
	}
	t.Print(termtext.Normal, t.g.join(t.g.Text(title)+": ", items, ", ", termtext.Pad(termtext.Width(title)-termtext.Width(strings.TrimLeft(title, " "))+2), t.Columns)...)
}

// warn writes the warnings.
func (t *text) warn(ws []Warning) {
	if len(ws) > 0 {
		t.Blank()
	}
	for _, w := range ws {
		t.para(termtext.Yellow, "%s", termtext.Warning(w.Text, w.Advice))
	}
}
