package why

import (
	"cmp"
	"math"
	"slices"
)

// nodes are joined with all functions of a kind.
var nodes = map[Kind]string{Allocator: "\x00allocation", Scheduler: "\x00scheduling", Kernel: "\x00kernel"}

// group is functions that are compared together.
type group struct {
	kind      Kind
	functions []*Function
	cpu       Measure // change of CPU time per operation, ns
	added     float64 // change of instructions per operation
	notes     []Note  // that joined it, or were made in its functions
}

// union is a set of disjoint sets of symbols.
type union map[string]string

func (u union) find(s string) string {
	for u[s] != "" && u[s] != s {
		s = u[s]
	}
	return s
}

func (u union) join(a, b string) {
	if a, b = u.find(a), u.find(b); a != b {
		u[a] = b
	}
}

// groups joins functions, and computes what changed in each group. The largest change comes first.
func (e *Evidence) groups() []*group {
	u := union{}
	for _, p := range e.Pairs {
		if p.Renamed {
			u.join(p.Symbol[0], p.Symbol[1])
		}
	}
	for _, n := range e.Notes {
		if n.Kind == Inlined {
			u.join(n.In, n.Callee)
		}
	}
	for i := range e.Functions {
		if node := nodes[e.Functions[i].Kind]; node != "" {
			u.join(e.Functions[i].Symbol, node)
		}
	}
	byRoot := map[string]*group{}
	var out []*group
	for i := range e.Functions {
		f := &e.Functions[i]
		g := byRoot[u.find(f.Symbol)]
		if g == nil {
			g = &group{kind: f.Kind}
			byRoot[u.find(f.Symbol)] = g
			out = append(out, g)
		}
		if f.Kind == Own {
			g.kind = Own // a helper that was inlined is its caller's
		}
		g.functions = append(g.functions, f)
		g.added += f.Instructions[1] - f.Instructions[0]
	}
	for _, n := range e.Notes {
		if g := byRoot[u.find(n.In)]; g != nil {
			g.notes = append(g.notes, n)
		}
	}
	for _, g := range out {
		g.cpu = e.change(g)
	}
	slices.SortStableFunc(out, func(a, b *group) int {
		return cmp.Or(cmp.Compare(math.Abs(b.cpu.Value), math.Abs(a.cpu.Value)), cmp.Compare(math.Abs(b.added), math.Abs(a.added)))
	})
	return out
}

// change returns the change of a group's CPU time. It is 0 with an infinite error where there are no samples.
func (e *Evidence) change(g *group) Measure {
	var self [2]Measure
	for side := range self {
		n := float64(e.Samples[side])
		if n == 0 || !e.CPU[side].known() {
			return Measure{0, math.Inf(1)}
		}
		hits := 0.0
		for _, f := range g.functions {
			hits += f.Samples[side]
		}
		p := hits / n
		// One hit more than there are: a share of 0 is not exact.
		spread := math.Sqrt((p+1/n)*(1-p)/n) * e.CPU[side].Value
		self[side] = Measure{p * e.CPU[side].Value, math.Hypot(spread, p*e.CPU[side].Err)}
	}
	return delta(self)
}

// same reports whether the machine code of all functions of a group is the same on both sides. known is false where that is
// not known of one.
func (e *Evidence) same(g *group) (same, known bool) {
	if e.SameCode {
		return true, true
	}
	for _, f := range g.functions {
		i := slices.IndexFunc(e.Pairs, func(p Pair) bool { return p.Symbol[0] == f.Symbol || p.Symbol[1] == f.Symbol })
		if i < 0 {
			return false, false
		}
		if !e.Pairs[i].Same {
			return false, true
		}
	}
	return true, true
}
