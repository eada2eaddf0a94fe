package why

import (
	"fmt"
	"path"
)

// checks returns how many bounds checks more side B has, of those that are executed often.
func (g *group) checks() (n int) {
	for i := range g.notes {
		if x := &g.notes[i]; x.Kind == Bounds && g.hot(x) {
			n += 2*x.Side - 1
		}
	}
	return n
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

func (g *group) boundsCause() Cause {
	f, n := g.main(), g.checks()
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
