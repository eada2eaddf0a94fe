package calls

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/tarebench/tare/internal/screen"
)

// DefaultWidth is the width of a text where nothing else is known, and minWidth the
// least that it can be read in.
const (
	DefaultWidth = 100
	minWidth     = 60
)

// Options say how a text for people looks. The zero value is fit for a file that any
// program may read.
type Options struct {
	Title   string // what was counted; "": the name of the binary
	Width   int    // columns; 0 is DefaultWidth, and less than 60 counts as 60
	UTF8    bool   // characters beyond ASCII; false writes their ASCII twins
	Color   bool   // ANSI attributes
	Verbose bool   // with percentiles and deviations, and lists in full
}

// text is a text being written.
type text struct {
	b       bytes.Buffer
	g       glyphs
	width   int
	color   bool
	verbose bool
}

func newText(o Options) *text {
	t := &text{g: newGlyphs(o.UTF8), width: o.Width, color: o.Color, verbose: o.Verbose}
	if t.width == 0 {
		t.width = DefaultWidth
	}
	t.width = max(t.width, minWidth)
	return t
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
	if _, err := w.Write(t.b.Bytes()); err != nil {
		return fmt.Errorf("calls: %w", err)
	}
	return nil
}

// line writes a line without the blanks at its end.
func (t *text) line(s string, st screen.Style) {
	t.b.WriteString(st.Paint(strings.TrimRight(s, " "), t.color))
	t.b.WriteByte('\n')
}

// blank writes an empty line, but no two in a row and none at the beginning.
func (t *text) blank() {
	if b := t.b.Bytes(); len(b) > 0 && !bytes.HasSuffix(b, []byte("\n\n")) {
		t.b.WriteByte('\n')
	}
}

// para writes a sentence of ours in as many lines as it needs.
func (t *text) para(st screen.Style, format string, args ...any) {
	for _, part := range t.g.wrap(t.g.Text(fmt.Sprintf(format, args...)), t.width) {
		t.line(part, st)
	}
}

// items writes facts side by side.
func (t *text) items(st screen.Style, items ...string) {
	for _, part := range t.g.wrap(strings.Join(items, t.g.sep), t.width) {
		t.line(part, st)
	}
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
	for _, part := range t.g.join(t.g.Text(title)+": ", items, ", ", screen.Pad(screen.Width(title)-screen.Width(strings.TrimLeft(title, " "))+2), t.width) {
		t.line(part, screen.Normal)
	}
}

// warn writes the warnings.
func (t *text) warn(ws []Warning) {
	if len(ws) > 0 {
		t.blank()
	}
	for _, w := range ws {
		s := "warning: " + w.Text
		if w.Advice != "" {
			s += " → " + w.Advice
		}
		t.para(screen.Yellow, "%s", s)
	}
}
