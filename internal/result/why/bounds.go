package why

import (
	"fmt"
	"path"
	"slices"

	"github.com/tarebench/tare/internal/base/units"
)

// checks returns how many more bounds checks side B has than side A. Only checks that are executed often count.
func (e *Evidence) checks(g *group) (n int) {
	for i := range g.notes {
		if x := &g.notes[i]; x.Kind == Bounds && g.hot(x) && !e.inlinedAnew(x) {
			n += 2*x.Side - 1
		}
	}
	return n
}

// inlinedAnew reports whether a note is at a line where a call is inlined on its side only: what is new is the code, and not the check.
func (e *Evidence) inlinedAnew(n *Note) bool {
	return slices.ContainsFunc(e.Notes, func(x Note) bool {
		return x.Kind == Inlined && x.Side == n.Side && x.In == n.In && x.Place.Line == n.Place.Line
	})
}

// hot reports whether the line of a note is not a new one, and executes more than a small part of its function's instructions, as far as
// is known. New code costs more than its checks.
func (g *group) hot(n *Note) bool {
	const least = 0.01
	if n.New && n.Side == 1 {
		return false
	}
	f, l := g.lineOf(n)
	return l == nil || l.Instructions[n.Side] >= least*f.Instructions[n.Side]
}

// lineOf returns the line of a note with its function; nil if its counts are not known.
func (g *group) lineOf(n *Note) (*Function, *Line) {
	for _, f := range g.functions {
		for i := range f.Lines {
			l := &f.Lines[i]
			if l.Place[n.Side].Line == n.Place.Line && path.Base(l.Place[n.Side].File) == path.Base(n.Place.File) {
				return f, l
			}
		}
	}
	return nil, nil
}

func (e *Evidence) boundsCause(g *group) Cause {
	f, n := g.main(), e.checks(g)
	c := Cause{Kind: CauseBounds, Func: f.Symbol, Exact: true}
	for i := range g.notes {
		x := &g.notes[i]
		if x.Kind != Bounds || !g.hot(x) {
			continue
		}
		if _, l := g.lineOf(x); l != nil {
			c.Place = l.Place
		}
		c.Place[x.Side] = x.Place
	}
	c.What = fmt.Sprintf("%s has %s", short(f.Symbol), units.Plural(n, "more bounds check"))
	if n < 0 {
		c.What = fmt.Sprintf("%s has %s", short(f.Symbol), units.Plural(-n, "fewer bounds check"))
	}
	c.Evidence = []string{signed(g.added) + " instructions/op"}
	return c
}
