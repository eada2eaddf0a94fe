package why

import (
	"cmp"
	"math"
	"slices"
	"strings"
)

// leastMoved is the change of a function, as a part of all instructions, that is followed to its callers.
const leastMoved = 0.001

// graph is who calls whom, by the machine code of both sides. Calls through interfaces and variables are not in it.
type graph struct {
	*Evidence
	callers map[string][]*Function // by the base of the callee
	total   float64                // instructions of an operation
}

// newGraph returns the calls between functions that were seen running; nil where no machine code is known.
func newGraph(e *Evidence) *graph {
	if e.Code[0] == nil || e.Code[1] == nil {
		return nil
	}
	g := &graph{e, map[string][]*Function{}, e.instructions()}
	for i := range e.Functions {
		f := &e.Functions[i]
		for _, callee := range g.callees(f) {
			if callee != f.base() {
				g.callers[callee] = append(g.callers[callee], f)
			}
		}
	}
	return g
}

// callees returns the functions that a function calls on either side.
func (g *graph) callees(f *Function) []string {
	all := slices.Concat(g.Code[0][f.base()].Calls, g.Code[1][g.renamed(f.base())].Calls)
	slices.Sort(all)
	return slices.Compact(all)
}

// base returns the symbol without type arguments.
func (f *Function) base() string { return cmp.Or(f.Base, f.Symbol) }

// renamed returns the base on side B of a function of side A.
func (e *Evidence) renamed(base string) string {
	for _, p := range e.Pairs {
		if p.Symbol[0] == base {
			return p.Symbol[1]
		}
	}
	return base
}

// sameCode reports whether the machine code of a function is the same on both sides. known is false where that is not known.
func (e *Evidence) sameCode(base string) (same, known bool) {
	if e.SameCode {
		return true, true
	}
	a, inA := e.Code[0][base]
	b, inB := e.Code[1][e.renamed(base)]
	if !inA || !inB || a.Digest == "" || b.Digest == "" {
		return false, inA != inB
	}
	return a.Digest == b.Digest && slices.Equal(a.Calls, b.Calls), true
}

// Unchanged reports whether the machine code of a function is the same on both sides. known is false where that is not known.
func (e *Evidence) Unchanged(f *Function) (same, known bool) { return e.sameCode(f.base()) }

// driven reports whether the instructions of a function changed because of its callers: its code is the same, or it runs on one
// side only.
func (e *Evidence) driven(f *Function) bool {
	if f.Kind != Own || (f.Instructions[0] == 0) != (f.Instructions[1] == 0) {
		return true
	}
	same, known := e.sameCode(f.base())
	return same && known
}

// attribute joins what functions do for their callers: functions of the runtime with the function that calls them more often, and
// functions of the program that are called more often with a caller that is, too. A caller counts if its own code or instructions
// changed. Where several groups of callers do, nothing is joined.
func (g *graph) attribute(u union) {
	for again := true; again; {
		again = false
		for i := range g.Functions {
			f := &g.Functions[i]
			if nodes[f.Kind] != "" || !g.moved(f) {
				continue
			}
			own, driven := g.members(u, f)
			c := g.caller(u, f)
			if !driven || c == nil || own && !g.driven(c) {
				continue
			}
			u.join(f.base(), c.base())
			again = true
		}
	}
}

// members reports whether a function of the program is in the group of f, and whether callers drive all that are in it.
func (g *graph) members(u union, f *Function) (own, driven bool) {
	driven = true
	for i := range g.Functions {
		if x := &g.Functions[i]; u.find(x.base()) == u.find(f.base()) {
			own, driven = own || x.Kind == Own, driven && g.driven(x)
		}
	}
	return own, driven
}

// moved reports whether a function executes more or fewer instructions than before.
func (g *graph) moved(f *Function) bool {
	return math.Abs(f.Instructions[1]-f.Instructions[0]) >= leastMoved*g.total
}

// caller returns the function whose change drives that of f: of the only group of callers that changed the same way. It returns nil
// if there is none, or several, or if f is in that group.
func (g *graph) caller(u union, f *Function) (found *Function) {
	group := u.find(f.base())
	added := f.Instructions[1] - f.Instructions[0]
	for i := range g.Functions { // all of f's group: the hash of a map for the map
		if u.find(g.Functions[i].base()) != group {
			continue
		}
		for _, c := range g.callers[g.Functions[i].base()] {
			same, known := g.sameCode(c.base())
			changed := known && !same
			if u.find(c.base()) == group || !changed && (!g.moved(c) || (c.Instructions[1]-c.Instructions[0])*added < 0) {
				continue
			}
			if found != nil && u.find(found.base()) != u.find(c.base()) {
				return nil
			}
			if found == nil || math.Abs(c.weight()) > math.Abs(found.weight()) {
				found = c
			}
		}
	}
	return found
}

// families of functions of the runtime that call each other through tables.
var families = []struct {
	node  string
	begin []string
}{
	{"\x00maps", []string{"runtime.map", "internal/runtime/maps.", "aeshash", "runtime.aeshash", "runtime.memhash", "runtime.strhash", "runtime.interhash", "runtime.nilinterhash",
		"runtime.f32hash", "runtime.f64hash", "runtime.typehash", "memeqbody", "runtime.memequal", "runtime.strequal", "runtime.interequal", "runtime.nilinterequal"}},
	{"\x00compare", []string{"cmpbody", "runtime.cmpstring"}},
	{"\x00channels", []string{"runtime.chan", "runtime.send", "runtime.recv", "runtime.select", "runtime.closechan", "runtime.acquireSudog", "runtime.releaseSudog"}},
}

// family returns the node of the family of a function, "" if it has none.
func family(base string) string {
	for _, f := range families {
		if slices.ContainsFunc(f.begin, func(s string) bool { return strings.HasPrefix(base, s) }) {
			return f.node
		}
	}
	return ""
}
