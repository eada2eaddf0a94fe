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
	waiting   bool // it parks and wakes goroutines that wait
	system    bool // it makes system calls
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
	e.calls = newGraph(e)
	e.sets = e.joined()
	u := e.sets
	byRoot := map[string]*group{}
	var out []*group
	for i := range e.Functions {
		f := &e.Functions[i]
		g := byRoot[u.find(f.base())]
		if g == nil {
			root := u.find(f.base())
			g = &group{kind: f.Kind, waiting: root == u.find(nodeWaiting), system: root == u.find(nodeSystem)}
			byRoot[u.find(f.base())] = g
			out = append(out, g)
		}
		if f.Kind == Own || f.Kind == Allocator && g.kind != Own {
			g.kind = f.Kind // a helper is its caller's
		}
		g.functions = append(g.functions, f)
		g.added += f.Instructions[1] - f.Instructions[0]
	}
	for _, n := range e.Notes {
		instead := e.decided(&n)
		if g := byRoot[u.find(n.In)]; g != nil && (n.Kind != Inlined || instead != "") {
			if instead != n.Callee && instead != "" {
				n.instead = instead
			}
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

// joined returns which functions are compared together, by their bases.
func (e *Evidence) joined() union {
	u := union{}
	for _, p := range e.Pairs {
		u.join(p.Symbol[0], p.Symbol[1])
	}
	for i := range e.Notes {
		if n := &e.Notes[i]; e.decided(n) != "" {
			u.join(n.In, e.decided(n))
		}
	}
	calls := e.calls
	for i := range e.Functions {
		f := &e.Functions[i]
		node := nodes[f.Kind]
		if node == "" && calls != nil && f.Kind != Own && calls.moved(f) {
			node = family(f.base())
		}
		if node != "" {
			u.join(f.base(), node)
		}
	}
	if calls != nil && e.Counted {
		calls.attribute(u)
	}
	e.joinSystemCalls(u)
	e.joinEffects(u)
	return u
}

// joinEffects joins work of the runtime and of the kernel that no function of the program asks for with what makes them do it:
// waiting, which parks and wakes goroutines; else allocations, if these changed: collections wake goroutines, new memory has page
// faults, growing copies.
func (e *Evidence) joinEffects(u union) {
	to := ""
	switch {
	case e.waitsChanged():
		to = nodeWaiting
	case e.allocationsChanged():
		to = nodes[Allocator]
	default:
		return
	}
	for i := range e.Functions {
		f := &e.Functions[i]
		if f.Kind == Scheduler || f.Kind == Kernel || f.Kind == Helper && e.alone(u, f) {
			u.join(f.base(), to)
		}
	}
}

// nodeWaiting is joined with what parks and wakes goroutines where waiting changed.
const nodeWaiting = "\x00waiting"

// alone reports whether no function of the program is in the group of f.
func (e *Evidence) alone(u union, f *Function) bool {
	root := u.find(f.base())
	return !slices.ContainsFunc(e.Functions, func(x Function) bool { return x.Kind == Own && u.find(x.base()) == root })
}

// waitsChanged reports whether goroutines waited longer, or less long, for something else than the collector.
func (e *Evidence) waitsChanged() bool {
	return slices.ContainsFunc(e.Waits, func(w Wait) bool { return w.Cause != GCAssist && w.Cause != Runnable && w.changed() })
}

// allocationsChanged reports whether the allocations of a site differ by more than they do between two runs of the same code.
func (e *Evidence) allocationsChanged() bool {
	causes, _ := e.allocationCauses()
	return len(causes) > 0
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

// same reports whether the machine code of all functions of a group is the same on both sides. known is false where that is not
// known of one.
func (e *Evidence) same(g *group) (same, known bool) {
	for _, f := range g.functions {
		if same, known := e.sameCode(f.base()); !same || !known {
			return false, known
		}
	}
	return true, true
}
