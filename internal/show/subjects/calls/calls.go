package calls

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/show/textpage"
	"github.com/tarebench/tare/record"
)

// Calls is what a record says about the functions that a program called. It is not
// changed once it is made: goroutines may show it at the same time.
type Calls struct {
	t   *record.Trace
	cfg Config

	order []int // of t.Funcs that were called: most own time without probes first, or most calls
	idle  []int // of those that were not, by name
	names *names
	calltree
	extra, extraCall []float64 // of functions, and elements of the tree: see findExtra; ns
	warnings         []Warning
}

// Warning is a warning about what is shown.
type Warning = result.Warning

// New returns the calls of a trace record. It keeps t, which must not be changed afterwards. It fails if the
// configuration or the record is invalid.
func New(t *record.Trace, c Config) (*Calls, error) {
	if t == nil {
		return nil, errors.New("calls: no record")
	}
	if err := c.Validate(); err != nil {
		return nil, fmt.Errorf("calls: %w", err)
	}
	if err := t.Validate(); err != nil {
		return nil, fmt.Errorf("calls of %s: %w", cmp.Or(t.Binary, "a program"), err)
	}
	t = t.Scaled()
	out := &Calls{t: t, cfg: c.filled(), calltree: newTree(t)}
	var funcs, left []string
	for i := range t.Funcs {
		funcs = append(funcs, t.Funcs[i].Name)
	}
	for i := range t.Left {
		left = append(left, t.Left[i].Name)
	}
	out.names = newNames(funcs, left, t.Inlined)
	out.findExtra()
	out.sort()
	out.warn()
	return out, nil
}

// Warnings returns the warnings about it, the gravest first. Text and JSON have them, too.
func (c *Calls) Warnings() []Warning { return c.warnings }

// short returns the name of a function for people.
func (c *Calls) short(i int) string { return c.names.of(c.t.Funcs[i].Name) }

// timed reports whether there are times at all.
func (c *Calls) timed() bool { return c.t.Mode != record.TraceCount }

// sort puts the functions into the order in which they are shown.
func (c *Calls) sort() {
	for i := range c.t.Funcs {
		if c.t.Funcs[i].Calls > 0 {
			c.order = append(c.order, i)
		} else {
			c.idle = append(c.idle, i)
		}
	}
	by := func(a, b int) int {
		x, y := &c.t.Funcs[a], &c.t.Funcs[b]
		if c.cfg.Sort == textpage.SortTotal && x.Total != y.Total {
			return cmp.Compare(y.Total, x.Total)
		}
		return cmp.Or(cmp.Compare(y.CorrectedSelf, x.CorrectedSelf), cmp.Compare(y.Total, x.Total), cmp.Compare(y.Calls, x.Calls), cmp.Compare(x.Name, y.Name), cmp.Compare(a, b))
	}
	for _, list := range [...][]int{c.order, c.idle} {
		slices.SortFunc(list, by)
	}
}
