package why

import (
	"fmt"
	"math"
	"path"
	"slices"
	"strings"
)

// mostly is the least part of a group's change that is the function's own where it is said to have made it.
const mostly = 0.4

// ownCause is what functions of the program execute more, with what they call: because their code is another one, or because they
// are called more often.
func (e *Evidence) ownCause(g *group) Cause {
	f, driven := e.head(g)
	c := Cause{Kind: CauseInstructions, Func: f.Symbol, Place: f.Place, Exact: true}
	c.Evidence = []string{signed(g.added) + " instructions/op"}
	own := f.Instructions[1] - f.Instructions[0]
	factor, uniform := f.factor()
	if n := g.largestInlined(); n != nil {
		f, driven = g.function(n.called()), false
		own = g.added
		c.Func, c.Place = f.Symbol, f.Place
		c.Evidence = append(c.Evidence, short(n.In)+" inlines it "+[]string{"no more", "now"}[n.Side])
	}
	switch {
	case g.largestInlined() != nil:
		c.What = fmt.Sprintf("%s executes %s instructions", short(f.Symbol), more(g.added, "more", "fewer"))
	case f.Instructions[0] == 0:
		c.Kind, c.What = CauseCalls, short(f.Symbol)+" is called now"
	case f.Instructions[1] == 0:
		c.Kind, c.What = CauseCalls, short(f.Symbol)+" is not called any more"
	case uniform && driven:
		c.Kind, c.What = CauseCalls, fmt.Sprintf("%s is called %.3g times as often", short(f.Symbol), factor)
	case math.Abs(own) < mostly*math.Abs(g.added) && !driven && len(g.functions) > 1:
		c.Kind, c.What = CauseCalls, fmt.Sprintf("%s makes %s do %s", short(f.Symbol), short(g.main().Symbol), more(g.added, "more", "less"))
	case uniform || driven:
		c.What = fmt.Sprintf("%s does %.3g times as much", short(f.Symbol), factor)
	default:
		c.What = fmt.Sprintf("%s executes %s instructions", short(f.Symbol), more(g.added, "more", "fewer"))
	}
	e.locate(&c, f, driven)
	if names := g.others(f); names != "" {
		c.Evidence = append(c.Evidence, "with "+names)
	}
	return c
}

// locate sets where a cause is: in the line of the function that changed most, or where callers drive the function in the
// caller's.
func (e *Evidence) locate(c *Cause, f *Function, driven bool) {
	at := f
	if driven && e.calls != nil {
		if at = e.calls.caller(e.sets, f); at == nil {
			return
		}
		c.What += ", in " + short(at.Symbol)
	}
	if l := at.mainLine(); l != nil {
		c.Place = l.Place
		if !driven && at.Instructions[0] > 0 && at.Instructions[1] > 0 {
			c.Evidence = append(c.Evidence, signed(l.Instructions[1]-l.Instructions[0])+" in this line")
		}
	}
}

// head returns the function of a group that the others do their work for: one whose code changed, else one that no other of them
// calls. driven says that its callers, and not its code, changed.
func (e *Evidence) head(g *group) (f *Function, driven bool) {
	called := func(f *Function) bool {
		return e.calls != nil && slices.ContainsFunc(e.calls.callers[f.base()], func(c *Function) bool { return c != f && slices.Contains(g.functions, c) })
	}
	for _, x := range g.functions {
		if x.Kind != Own {
			continue
		}
		by := e.driven(x)
		better := f == nil || driven && !by || driven == by && called(f) && !called(x) || driven == by && called(f) == called(x) && x.weight() > f.weight()
		if better {
			f, driven = x, by
		}
	}
	return f, driven
}

// others names the functions of a group besides f that changed most, "" if there are none.
func (g *group) others(f *Function) string {
	var list []*Function
	for _, x := range g.functions {
		if x != f && math.Abs(x.Instructions[1]-x.Instructions[0]) >= 0.05*math.Abs(g.added) {
			list = append(list, x)
		}
	}
	slices.SortStableFunc(list, func(a, b *Function) int { return cmpFloat(b.weight(), a.weight()) })
	const most = 3
	var names []string
	for _, x := range list[:min(most, len(list))] {
		names = append(names, short(x.Symbol))
	}
	return strings.Join(names, ", ")
}

// factor returns the factor by which the instructions of a function grew, and whether all its lines grew by the same factor.
func (f *Function) factor() (factor float64, uniform bool) {
	const tolerance = 0.02
	factor = f.Instructions[1] / f.Instructions[0]
	if len(f.Lines) == 0 || math.Abs(factor-1) < tolerance {
		return factor, false
	}
	for _, l := range f.Lines {
		if l.Instructions[0] < 0.01*f.Instructions[0] && l.Instructions[1] < 0.01*f.Instructions[1] {
			continue
		}
		if r := l.Instructions[1] / l.Instructions[0]; !(math.Abs(r/factor-1) <= tolerance) {
			return factor, false
		}
	}
	return factor, true
}

// mainLine returns the line that changed most, of those in the function's own package if one of them did: lines of what is inlined are
// elsewhere.
func (f *Function) mainLine() *Line {
	var own, all *Line
	change := func(l *Line) float64 {
		if l == nil {
			return 0
		}
		return math.Abs(l.Instructions[1] - l.Instructions[0])
	}
	for i := range f.Lines {
		l := &f.Lines[i]
		if change(l) > change(all) || all == nil {
			all = l
		}
		if change(l) > change(own) && f.isIn(l) {
			own = l
		}
	}
	const least = 0.01 // of the line that changed most
	if change(own) > least*change(all) {
		return own
	}
	return all
}

// isIn reports whether a line is in the package of the function, by the path that the compiler writes.
func (f *Function) isIn(l *Line) bool {
	file := l.Place[1].File
	if file == "" {
		file = l.Place[0].File
	}
	return strings.TrimPrefix(path.Dir(file), "./") == packageOf(f.base())
}
