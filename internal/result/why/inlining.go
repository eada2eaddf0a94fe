package why

import (
	"fmt"
	"math"
	"path"
	"slices"
	"strings"
)

// decided returns the function that was called on the side where a note's call was not inlined. It returns "" if that side made no such
// call: then the code is new, and no inlining was lost or gained.
func (e *Evidence) decided(n *Note) string {
	if n.Kind != Inlined {
		return ""
	}
	other := 1 - n.Side
	instead := ""
	for i := range e.Functions {
		f := &e.Functions[i]
		if f.Instructions[other] == 0 && f.Samples[other] == 0 {
			continue
		}
		if f.base() == n.Callee {
			return n.Callee
		}
		if f.Kind == Own && f.Instructions[other] > leastMoved*e.instructions() && f.Instructions[n.Side] == 0 && e.uncalled(f) && samePackage(f.base(), n.In) {
			if instead != "" {
				return "" // which of them?
			}
			instead = f.base()
		}
	}
	return instead
}

// uncalled reports whether no function that ran is known to call f directly: it is called through a variable or an interface.
func (e *Evidence) uncalled(f *Function) bool {
	return e.calls != nil && len(e.calls.callers[f.base()]) == 0
}

func samePackage(a, b string) bool { return packageOf(a) == packageOf(b) }

func packageOf(symbol string) string {
	i := strings.LastIndexByte(symbol, '/') + 1
	name, _, _ := strings.Cut(symbol[i:], ".")
	return symbol[:i] + name
}

// Inlining is a cause if it can explain leastOfCalls of a group's change, at instructionsOfCall saved for each call.
const (
	instructionsOfCall = 30
	leastOfCalls       = 0.3
)

// callsMatter reports whether functions that are inlined on one side only are called often enough to explain a group's change. If not, the
// function itself executes more, and lost its inlining because of that.
func (e *Evidence) callsMatter(g *group) bool {
	calls := 0.0
	for i := range g.notes {
		n := &g.notes[i]
		if n.Kind != Inlined {
			continue
		}
		f := g.function(n.called())
		if f == nil || len(f.Lines) == 0 {
			return true // not known
		}
		calls += min(f.mostCalls(1-n.Side), g.instructionsAt(n, 1-n.Side)) // a call is an instruction of its caller, too
	}
	return calls*instructionsOfCall >= leastOfCalls*math.Abs(g.added)
}

// function returns the function of a group with a base, nil if there is none.
func (g *group) function(base string) *Function {
	for _, f := range g.functions {
		if f.base() == base {
			return f
		}
	}
	return nil
}

// instructionsAt returns the instructions per operation that the caller of a note executes on a side: in the line of the call, or in
// all if its lines are not known; infinity if the caller is not in the group.
func (g *group) instructionsAt(n *Note, side int) float64 {
	f := g.function(n.In)
	if f == nil {
		return math.Inf(1)
	}
	for i := range f.Lines {
		l := &f.Lines[i]
		if l.Place[n.Side].Line == n.Place.Line && path.Base(l.Place[n.Side].File) == path.Base(n.Place.File) && l.Place[side].Line > 0 {
			return l.Instructions[side]
		}
	}
	return f.Instructions[side]
}

// mostCalls returns an upper bound of how often a function is called per operation: the instructions of the first of its lines that ran.
// Each call executes at least one of them.
func (f *Function) mostCalls(side int) float64 {
	first := math.MaxInt
	count := 0.0
	for i := range f.Lines {
		if l := &f.Lines[i]; l.Instructions[side] > 0 && l.Place[side].Line > 0 && l.Place[side].Line < first {
			first, count = l.Place[side].Line, l.Instructions[side]
		}
	}
	return count
}

// inliningCause is the decision about inlining that joined a group: one that was lost, if there is one.
func (g *group) inliningCause() Cause {
	c := Cause{Kind: CauseInlining, Exact: true}
	var others []string
	for _, side := range []int{0, 1} {
		for _, n := range g.notes {
			if n.Kind != Inlined || n.Side != side {
				continue
			}
			what := short(n.Callee) + " is no longer inlined into " + short(n.In)
			if n.Side == 1 {
				what = short(n.Callee) + " is inlined into " + short(n.In) + " now"
			}
			if c.What == "" {
				c.What, c.Func = what, n.In
				c.Place[n.Side] = n.Place
				if n.instead != "" {
					c.Evidence = append(c.Evidence, short(n.instead)+" is called instead")
				}
				if n.Text != "" {
					c.Evidence = append(c.Evidence, n.Text)
				}
			} else if what != c.What && !slices.Contains(others, what) {
				others = append(others, what)
			}
		}
	}
	if g.added != 0 {
		c.Evidence = append(c.Evidence, signed(g.added)+" instructions/op")
	}
	const most = 2
	c.Evidence = append(c.Evidence, others[:min(len(others), most)]...)
	if n := len(others) - most; n > 0 {
		c.Evidence = append(c.Evidence, fmt.Sprintf("%d more decisions", n))
	}
	return c
}

// largestInlined returns the note about the function with the most instructions that is inlined on one side only; nil if there is none.
func (g *group) largestInlined() (found *Note) {
	most := 0.0
	for i := range g.notes {
		if n := &g.notes[i]; n.Kind == Inlined {
			if f := g.function(n.called()); f != nil && f.Instructions[1-n.Side] > most {
				found, most = n, f.Instructions[1-n.Side]
			}
		}
	}
	return found
}
