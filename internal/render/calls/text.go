package calls

import (
	"fmt"
	"io"

	"github.com/tarebench/tare/internal/render/page"
)

// Options say how a text for people looks.
type Options = page.Options

// text is a text being written.
type text struct{ *page.Page }

func newText(o Options) *text { return &text{page.New(o)} }

// Text writes the functions, the tree of calls, the beginning of the execution path,
// what was left out, and what the probes took. An error of w is returned wrapped.
func (c *Calls) Text(w io.Writer, o Options) error {
	t := newText(o)
	t.header(c, o.Title)
	t.functions(c)
	if t.Verbose {
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

// warn writes the warnings.
func (t *text) warn(ws []Warning) {
	if len(ws) == 0 {
		return
	}
	var notes page.Notes
	notes.Run(ws...)
	t.Blank()
	t.Notes(&notes)
}
