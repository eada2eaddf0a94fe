package why

import (
	"fmt"
	"path"
	"slices"
)

// checks returns how many bounds checks more side B has, of those that are executed often.
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

// hot reports whether the line of a note is on both sides, and executes more than a small part of its function's instructions, as far
// as is known.
func (g *group) hot(n *Note) bool {
	const least = 0.01
	for _, f := range g.functions {
		for i := range f.Lines {
			l := &f.Lines[i]
			if l.Place[n.Side].Line == n.Place.Line && path.Base(l.Place[n.Side].File) == path.Base(n.Place.File) {
				isNew := l.Place[1-n.Side].Line == 0 // code that was not there before costs more than its checks
				return l.Instructions[n.Side] >= least*f.Instructions[n.Side] && !isNew
			}
		}
	}
	return true
}

func (e *Evidence) boundsCause(g *group) Cause {
	f, n := g.main(), e.checks(g)
	c := Cause{Kind: CauseBounds, Func: f.Symbol, Place: f.Place, Exact: true}
	for i := range g.notes {
		if x := &g.notes[i]; x.Kind == Bounds && g.hot(x) {
			c.Place[x.Side] = x.Place
		}
	}
	c.What = fmt.Sprintf("%s has %s", short(f.Symbol), count(n, "more bounds check"))
	if n < 0 {
		c.What = fmt.Sprintf("%s has %s", short(f.Symbol), count(-n, "fewer bounds check"))
	}
	c.Evidence = []string{signed(g.added) + " instructions/op"}
	return c
}
