package why

import (
	"fmt"
	"math"
)

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

// kernelCause is time in the kernel, whose instructions are not counted.
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
