package gather

import (
	"slices"
	"testing"

	"github.com/tarebench/tare/internal/base/diagnosis"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/result/attached"
	"github.com/tarebench/tare/internal/result/why"
	"github.com/tarebench/tare/record"
)

// counts returns the attachment of a fork with one function of two lines.
func counts(first, second int64) *record.Instructions {
	return &record.Instructions{
		Ops: 10, Total: first + second, Files: []string{"/m/p.go"},
		Functions: []record.InstructionFunction{{Name: "m/p.f", Part: record.PartOwn, Count: first + second, Lines: []record.InstructionLine{{Line: 7, Count: first}, {Line: 9, Count: second}}}},
	}
}

// allocs returns the attachment of a fork with one site.
func allocs(objects int64) *record.Allocs {
	return &record.Allocs{
		Windows: 2, Ops: 100, Objects: objects, Bytes: 16 * objects,
		Sites: []record.AllocSite{{Func: "m/p.f", File: "/m/p.go", Line: 7, Type: "p.T", Size: 16, AllocCount: record.AllocCount{Objects: objects, Bytes: 16 * objects}}},
	}
}

// listing returns samples of a fork: of the function, and of the allocator.
func listing(own, malloc int64) *record.Asm {
	return &record.Asm{
		Ops: 1000, Events: []record.AsmEvent{{Name: "cpu", Samples: own + malloc, Period: 1e6}},
		Funcs: []record.AsmFunc{{Name: "m/p.f", Area: record.AreaUser, File: "/m/p.go", Line: 5, Samples: []int64{own}}, {Name: "runtime.mallocgc", Area: record.AreaAllocator, Samples: []int64{malloc}}},
	}
}

// notes returns what the compiler said; an escape at line 7 if escapes.
func notes(escapes bool) *record.Compiled {
	f := record.CompiledFunction{Pkg: "m/p", Name: "f", File: "p.go", Line: 5, End: 10, Reached: true}
	if escapes {
		f.Notes = []record.CompilerNote{{Kind: record.NoteEscape, Line: 7, Text: "moved to heap: t"}}
	}
	return &record.Compiled{Go: "go1.26.8", Packages: []string{"m/p"}, Functions: []record.CompiledFunction{f}}
}

func twoSides() *result.Result {
	side := func(name string, slower bool) result.Benchmark {
		b := result.Benchmark{Pkg: "m/p", Name: "B", Procs: 2, Side: name}
		b.Instructions = attached.AddInstructions([]*record.Instructions{counts(1000, 500)})
		b.Allocs = attached.MedianAllocs([]*record.Allocs{allocs(100)})
		if slower {
			b.Instructions = attached.AddInstructions([]*record.Instructions{counts(3000, 500)})
			b.Allocs = attached.MedianAllocs([]*record.Allocs{allocs(400)})
		}
		return b
	}
	res := &result.Result{Results: []result.Benchmark{side("old", false), side("new", true)}}
	res.Comparisons = []result.Comparison{{Pkg: "m/p", Name: "B", Procs: 2, Base: "old", Side: "new", Unit: "ns/op", Main: true, Old: 100, New: 200, Ratio: 2, Lo: 1.9, Hi: 2.1, Verdict: "slower", Trusted: true}}
	c := result.CountedInstructions{Pkg: "m/p", Name: "B", Procs: 2, Base: "old", Side: "new"}
	c.InstructionChanges = *attached.CompareInstructions(res.Results[0].Instructions, res.Results[1].Instructions)
	res.Counted = []result.CountedInstructions{c}
	for i, name := range []string{"old", "new"} {
		res.Listings = append(res.Listings, result.Profiled[record.Asm]{Pkg: "m/p", Name: "B", Procs: 2, Side: name, Forks: []*record.Asm{listing(100, int64(10+90*i)), listing(100, int64(10+90*i))}})
		res.Compiled = append(res.Compiled, result.Compiled{Pkg: "m/p", Side: name, Compiled: notes(i == 1)})
	}
	return res
}

// TestOf: what each profiler attached is in the evidence, and the answer names the value that escapes.
func TestOf(t *testing.T) {
	res := twoSides()
	e, profiled := Of(res, &res.Comparisons[0])
	if missing := profiled.Missing(); !slices.Equal(missing, []string{"sched"}) {
		t.Errorf("missing: %q", missing)
	}
	if !e.Counted || len(e.Functions) != 2 || e.Functions[0].Instructions != [2]float64{150, 350} || e.Functions[0].Samples != [2]float64{200, 200} || e.Samples != [2]int64{220, 400} {
		t.Errorf("%+v", e)
	}
	if e.Functions[1].Kind != why.Allocator || e.CPU != e.Wall {
		t.Errorf("%+v", e)
	}
	if len(e.Sites) != 1 || e.Sites[0].Objects != [2]float64{1, 4} || len(e.Notes) != 1 || e.Notes[0].Kind != why.Escapes || e.Notes[0].Side != 1 {
		t.Errorf("%+v", e)
	}
	a := why.Explain(e, why.LeastShare)
	if len(a.Causes) == 0 || a.Causes[0].Kind != why.CauseEscape || a.Causes[0].What != "p.T is on the heap now, in p.f" {
		t.Errorf("%+v", a)
	}
}

// TestNothing: a result without profiles has times, and names all profilers as missing.
func TestNothing(t *testing.T) {
	res := &result.Result{Comparisons: twoSides().Comparisons}
	e, profiled := Of(res, &res.Comparisons[0])
	if len(profiled.Missing()) != 5 || e.Wall[1].Value != 200 {
		t.Errorf("%+v, missing %q", e, profiled.Missing())
	}
	if a := why.Explain(e, 0); len(a.Causes) != 0 || a.Basis != why.OfNothing {
		t.Errorf("%+v", a)
	}
}

// TestMachineAtFault: of a verdict that is not trusted because of the machine, only counts name causes.
func TestMachineAtFault(t *testing.T) {
	res := twoSides()
	c := &res.Comparisons[0]
	c.Trusted, c.Reasons = false, []string{diagnosis.Starved}
	e, _ := Of(res, c)
	if a := why.Explain(e, 0); e.Machine == "" || a.Basis != why.OfInstructions || slices.ContainsFunc(a.Causes, func(c why.Cause) bool { return !c.Exact }) {
		t.Errorf("%q: %+v", e.Machine, a)
	}
}

// TestFarBeyondLoss: what others took does not matter where it is far less than the difference, and is known.
func TestFarBeyondLoss(t *testing.T) {
	for _, x := range []struct {
		lost  float64 // -1: not known
		fault bool
	}{{0.08, false}, {0.2, true}, {-1, true}} {
		res := twoSides()
		c := &res.Comparisons[0] // twice as slow
		c.Trusted, c.Reasons = false, []string{diagnosis.Starved}
		for i := range res.Results {
			if x.lost >= 0 {
				res.Results[i].Lost = new(result.Number(x.lost))
			}
		}
		e, _ := Of(res, c)
		if (e.Machine != "") != x.fault || (e.MachineNote == "") != x.fault {
			t.Errorf("%v lost: %q, %q", x.lost, e.Machine, e.MachineNote)
		}
	}
}

// TestWorkers: while the benchmark's goroutine waits for workers, it counts as running for the part of the time that they ran.
func TestWorkers(t *testing.T) {
	res := twoSides()
	for i := range res.Results {
		res.Results[i].Waits = &attached.Waits{Forks: 3, Wall: 100, OwnRunning: 10, Causes: []attached.WaitCause{
			{Cause: record.WaitWorkers, Time: 90, Own: 90}, {Cause: record.WaitLock, Time: 100},
		}}
	}
	e, _ := Of(res, &res.Comparisons[0])
	if e.Running[0].Value != 55 || e.Running[1].Value != 110 { // one ran, one waited; side B takes twice the time
		t.Errorf("%+v", e.Running)
	}
}

// TestCallee: names of the compiler become symbols.
func TestCallee(t *testing.T) {
	for name, want := range map[string]string{"f": "m/p.f", "(*T).M": "m/p.(*T).M", "T.M": "m/p.T.M", "strings.Index": "strings.Index", "a/b.F": "a/b.F"} {
		if got := callee("m/p", name); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}
