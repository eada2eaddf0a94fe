package why

import (
	"fmt"
	"math"
	"path"
	"slices"
	"strings"
)

// Thresholds below which the same code, compared with itself, differs too: see docs/method.md.
const (
	leastObjects      = 0.5   // per operation; or
	leastShareObjects = 0.01  // of the objects of all sites
	leastOwn          = 0.003 // of all instructions, in functions outside of the runtime
	leastRuntime      = 0.03  // of all instructions, in the runtime
	leastBytes        = 0.01  // of a site's bytes, or of all bytes
)

// causesOf returns what made a group's change, each with its part of it from 0 to 1. The parts add up to 1, or are joint.
func (e *Evidence) causesOf(g *group) (causes []Cause, parts []float64) {
	if g.kind == Allocator {
		if causes, parts = e.allocationCauses(); len(causes) == 0 && e.grew(g, leastRuntime) && g.agrees() {
			return []Cause{collectorCause(g)}, []float64{1}
		}
		return causes, parts
	}
	add := func(c Cause, part float64) { causes, parts = append(causes, c), append(parts, part) }
	switch {
	case g.kind == Kernel:
		add(kernelCause(g), 1)
	case g.kind != Own:
		if e.grew(g, leastRuntime) && g.agrees() {
			add(e.runtimeCause(g), 1)
		}
	case e.slowed(g):
		add(e.slowerCause(g), 1)
	case g.has(Inlined) && g.agrees() && e.callsMatter(g):
		add(g.inliningCause(), 1)
	case g.checks() != 0 && e.grew(g, leastOwn) && g.agrees():
		add(g.boundsCause(), 1)
	case e.grew(g, leastOwn) && g.agrees():
		add(e.ownCause(g), 1)
	case e.Counted && !e.grew(g, leastOwn):
		if _, known := e.same(g); known || g.cpu.Value != 0 {
			add(e.slowerCause(g), 1)
		}
	}
	return causes, parts
}

// grew reports whether the instructions of a group changed by more than the same code would.
func (e *Evidence) grew(g *group, least float64) bool {
	return e.Counted && math.Abs(g.added) >= least*e.instructions()
}

// instructions returns those of an operation, on the side that has fewer.
func (e *Evidence) instructions() float64 {
	var sum [2]float64
	for _, f := range e.Functions {
		sum[0] += f.Instructions[0]
		sum[1] += f.Instructions[1]
	}
	return min(sum[0], sum[1])
}

// agrees reports whether the time of a group may have gone the way of its instructions.
func (g *group) agrees() bool {
	return g.cpu.Value*g.added >= 0 || math.Abs(g.cpu.Value) <= z95*g.cpu.Err
}

func (g *group) has(kind NoteKind) bool {
	return slices.ContainsFunc(g.notes, func(n Note) bool { return n.Kind == kind })
}

// main returns the function of a group that changed most.
func (g *group) main() *Function {
	return slices.MaxFunc(g.functions, func(a, b *Function) int {
		return cmpFloat(a.weight(), b.weight())
	})
}

// weight is how much a function changed.
func (f *Function) weight() float64 {
	if d := math.Abs(f.Instructions[1] - f.Instructions[0]); d > 0 {
		return d
	}
	return math.Abs(f.Samples[1] - f.Samples[0])
}

func cmpFloat(a, b float64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
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
		c.What = fmt.Sprintf("%s executes %s instructions", short(f.Symbol), more(own, "more", "fewer"))
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
		c.What = fmt.Sprintf("%s executes %s instructions", short(f.Symbol), more(own, "more", "fewer"))
	}
	e.locate(&c, f, driven)
	if names := g.others(f); names != "" {
		c.Evidence = append(c.Evidence, "with "+names)
	}
	return c
}

// Inlining saves at most so many instructions of a call. It is the cause of a group's change if it may be of so large a part of it.
const (
	instructionsOfCall = 30
	leastOfCalls       = 0.3
)

// callsMatter reports whether the calls of the functions that are inlined on one side only can make much of a group's change. What is
// called rarely, and is not inlined because it does more, takes more time for what it does.
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
		calls += min(f.mostCalls(1-n.Side), g.instructionsOf(n.In, 1-n.Side)) // a call is an instruction of its caller, too
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

// instructionsOf returns the instructions per operation of a function of a group; infinity if it is not in the group.
func (g *group) instructionsOf(base string, side int) float64 {
	if f := g.function(base); f != nil {
		return f.Instructions[side]
	}
	return math.Inf(1)
}

// mostCalls returns the most calls of a function per operation, by the instructions of its first line that runs: a call executes at
// least one of them.
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

// mostly is the least part of a group's change that is the function's own where it is said to have made it.
const mostly = 0.4

func more(d float64, up, down string) string {
	if d < 0 {
		return down
	}
	return up
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
			c.Evidence = append(c.Evidence, signed(l.Instructions[1]-l.Instructions[0])+" of them in this line")
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

// factor returns by what the instructions of a function grew, and whether those of all its lines did by the same.
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

// mainLine returns the line that changed most.
func (f *Function) mainLine() *Line {
	if len(f.Lines) == 0 {
		return nil
	}
	best := &f.Lines[0]
	for i := range f.Lines {
		if l := &f.Lines[i]; math.Abs(l.Instructions[1]-l.Instructions[0]) > math.Abs(best.Instructions[1]-best.Instructions[0]) {
			best = l
		}
	}
	return best
}

// runtimeCause is work of the runtime. It is called more often if all of its lines grew by the same factor, as the code is the same.
func (e *Evidence) runtimeCause(g *group) Cause {
	f := g.main()
	c := Cause{Kind: CauseRuntime, Func: f.Symbol, What: "more work of " + short(f.Symbol), Evidence: []string{signed(g.added) + " instructions/op"}, Where: true}
	if g.added < 0 {
		c.What = "less work of " + short(f.Symbol)
	}
	if factor, uniform := f.factor(); uniform {
		c.Kind, c.What, c.Where, c.Exact = CauseCalls, fmt.Sprintf("%s is called %.3g times as often", short(f.Symbol), factor), false, true
	}
	return c
}

// collectorCause is more work of allocator and collector where as much is allocated as before: a larger live heap, or collections that
// come more often.
func collectorCause(g *group) Cause {
	c := Cause{Kind: CauseGC, Func: g.main().Symbol, Where: true, Evidence: []string{signed(g.added) + " instructions/op", "no site allocates more"}}
	c.What = fmt.Sprintf("the garbage collector does %s", more(g.added, "more", "less"))
	return c
}

// kernelCause is time in the kernel, whose instructions nobody counts.
func kernelCause(g *group) Cause {
	c := Cause{Kind: CauseRuntime, What: "more time in the kernel: system calls, page faults, wake-ups", Where: true}
	if g.cpu.Value < 0 {
		c.What = "less time in the kernel"
	}
	return c
}

// farMore is how many times the average time of an instruction those that were added may take.
const farMore = 5

// slowed reports whether the time of a group changed the other way than its instructions, or far more than these explain.
func (e *Evidence) slowed(g *group) bool {
	all := e.instructions()
	if !e.Counted || all == 0 || g.added == 0 || math.IsInf(g.cpu.Err, 0) || !e.timed() {
		return false
	}
	predicted := g.added / all * e.CPU[0].Value
	if predicted < 0 {
		return g.cpu.Value > surely(nil, len(e.Functions))*g.cpu.Err
	}
	return predicted > 0 && g.cpu.Value-farMore*predicted > surely(nil, len(e.Functions))*g.cpu.Err
}

// slowerCause is a function that takes more time, and no instructions say why.
func (e *Evidence) slowerCause(g *group) Cause {
	f := g.main()
	c := Cause{Kind: CauseSlower, Func: f.Symbol, Place: f.Place, Where: true}
	instructions := "as many"
	if e.grew(g, leastOwn) {
		c.Evidence = append(c.Evidence, signed(g.added)+" instructions/op")
		instructions = more(g.added, "hardly more", "fewer")
	}
	c.What = fmt.Sprintf("%s takes %s time for %s instructions", short(f.Symbol), more(g.cpu.Value, "more", "less"), instructions)
	if same, known := e.same(g); known && same {
		c.Evidence = append(c.Evidence, "same machine code: its place, caches, or contention")
	}
	return c
}

// short returns a symbol without the path of its package.
func short(symbol string) string { return symbol[strings.LastIndexByte(symbol, '/')+1:] }

// signed writes a count with its sign.
func signed(x float64) string { return fmt.Sprintf("%+.4g", x) }

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
