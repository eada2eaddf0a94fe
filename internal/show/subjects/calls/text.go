package calls

import (
	"io"
	"strings"

	"github.com/tarebench/tare/internal/base/termtext"
	"github.com/tarebench/tare/internal/show/textpage"
)

// Options say how a text for people looks.
type Options = textpage.Options

// text is a text being written.
type text struct{ *textpage.Page }

func newText(o Options) *text { return &text{textpage.New(o)} }

// Text writes the functions, the tree of calls, the beginning of the execution path,
// what was left out, and what the probes took. An error of w is returned wrapped.
func (c *Calls) Text(w io.Writer, o Options) error {
	t := newText(o)
	t.header(c, o.Title)
	if c.cfg.Narrows() {
		if err := t.stacks(c, o); err != nil {
			return err
		}
		t.cost(c)
		t.Warn(c.warnings)
		return t.Flush(w)
	}
	t.functions(c)
	if t.Verbose {
		t.spread(c)
	}
	t.endings(c)
	if c.cfg.Peek != nil {
		if err := t.stacks(c, o); err != nil {
			return err
		}
	}
	t.tree(c)
	t.path(c)
	t.left(c)
	t.inlined(c)
	t.cost(c)
	t.Warn(c.warnings)
	return t.Flush(w)
}

// stacks writes the functions by the stacks that the selection leaves, by self time without probes.
func (t *text) stacks(c *Calls, o Options) error {
	v, err := c.View()
	if err != nil {
		return err
	}
	var b strings.Builder
	o.Title = ""
	if err := v.TextFunctions(&b, o); err != nil {
		return err
	}
	for line := range strings.Lines(b.String()) {
		t.Print(termtext.Normal, strings.TrimSuffix(line, "\n"))
	}
	t.Blank()
	return nil
}
