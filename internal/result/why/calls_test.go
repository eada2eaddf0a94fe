package why

import (
	"math"
	"strings"
	"testing"
)

// counts returns evidence of functions with instructions on both sides, of which one takes 1 ns.
func counted(functions ...Function) *Evidence {
	e := &Evidence{Functions: functions, Counted: true, Code: [2]map[string]Code{{}, {}}}
	var sum [2]float64
	for i := range functions {
		f := &functions[i]
		for side := range sum {
			sum[side] += f.Instructions[side]
			f.Samples[side] = f.Instructions[side]
		}
	}
	for side, ns := range sum {
		e.Wall[side], e.CPU[side], e.Samples[side] = Measure{ns, ns / 200}, Measure{ns, ns / 200}, int64(ns)
	}
	return e
}

// code gives a function machine code that calls others: the same on both sides unless digests differ.
func (e *Evidence) code(base, old, new string, calls ...string) {
	if old != "" {
		e.Code[0][base] = Code{Digest: old, Calls: calls}
	}
	if new != "" {
		e.Code[1][base] = Code{Digest: new, Calls: calls}
	}
}

func fn(symbol string, kind Kind, old, new float64) Function {
	lines := []Line{
		{Place: [2]Place{{symbol, "p.go", 10}, {symbol, "p.go", 11}}, Instructions: [2]float64{old / 4, new / 4}},
		{Place: [2]Place{{symbol, "p.go", 12}, {symbol, "p.go", 13}}, Instructions: [2]float64{old * 3 / 4, new * 3 / 4}},
	}
	return Function{Symbol: symbol, Kind: kind, Instructions: [2]float64{old, new}, Lines: lines, Place: [2]Place{{symbol, "p.go", 10}, {symbol, "p.go", 11}}}
}

// TestCalled: a function that is called twice as often is the cause, with what the runtime does for it, in the function whose code
// calls it.
func TestCalled(t *testing.T) {
	get := fn("m/p.Get", Own, 1000, 1060)
	get.Lines[0].Instructions = [2]float64{250, 310}
	get.Lines[1].Instructions = [2]float64{750, 750}
	e := counted(get, fn("m/p.find", Own, 400, 800), fn("runtime.mapaccess1_faststr", Helper, 3000, 6000), fn("aeshashbody", Helper, 500, 1000), fn("m/p.other", Own, 5000, 5000))
	e.code("m/p.Get", "1", "2", "m/p.find", "m/p.other")
	e.code("m/p.find", "3", "3", "runtime.mapaccess1_faststr")
	e.code("m/p.other", "4", "4", "runtime.mapaccess1_faststr") // calls the map, too, but did not change
	a := Explain(e, LeastShare)
	c := a.Causes[0]
	if c.Kind != CauseCalls || c.What != "p.find is called 2 times as often, in p.Get" || math.Abs(c.Share.Value-3900.0/3960) > 0.02 || c.Place[1].Line != 11 {
		t.Errorf("%+v", c)
	}
	if !strings.Contains(strings.Join(c.Evidence, " "), "runtime.mapaccess1_faststr") {
		t.Errorf("%q", c.Evidence)
	}
}

// TestCalledByTwo: where two functions that changed call what does more, neither is named for it.
func TestCalledByTwo(t *testing.T) {
	e := counted(fn("m/p.A", Own, 1000, 1500), fn("m/p.B", Own, 1000, 1500), fn("runtime.memmove", Helper, 1000, 3000))
	e.code("m/p.A", "1", "2", "runtime.memmove")
	e.code("m/p.B", "3", "4", "runtime.memmove")
	for _, c := range Explain(e, LeastShare).Causes {
		if c.Func == "runtime.memmove" && c.Share.Value < 0.6 || c.Func != "runtime.memmove" && c.Share.Value > 0.25 {
			t.Errorf("%+v", c)
		}
	}
}

// TestInlinedAnew: new code that is inlined is no lost or gained inlining: there was no call before.
func TestInlinedAnew(t *testing.T) {
	e := counted(fn("m/p.Next", Own, 1000, 1800), fn("m/p.rest", Own, 1000, 1000))
	e.code("m/p.Next", "1", "2")
	e.Notes = []Note{{Kind: Inlined, Side: 1, In: "m/p.Next", Callee: "m/p.clone"}}
	if c := Explain(e, LeastShare).Causes[0]; c.Kind != CauseInstructions {
		t.Errorf("%+v", c)
	}
	// A variable that holds a function is called instead of the function that was inlined.
	e = counted(fn("m/p.XOR", Own, 1000, 1800), fn("m/p.init.func1", Own, 0, 900))
	e.code("m/p.XOR", "1", "2")
	e.code("m/p.init.func1", "", "3")
	e.Notes = []Note{{Kind: Inlined, Side: 0, In: "m/p.XOR", Callee: "m/p.word"}}
	c := Explain(e, LeastShare).Causes[0]
	if c.Kind != CauseInlining || c.What != "p.word is no longer inlined into p.XOR" || c.Share.Value < 0.9 || c.Evidence[0] != "p.init.func1 is called instead" {
		t.Errorf("%+v", c)
	}
}

// TestSlowed: time that the instructions cannot explain is a cause of its own, and the same code in all that runs is none.
func TestSlowed(t *testing.T) {
	slow := func(instructions float64) *Evidence {
		e := counted(fn("m/p.Sum", Own, 100_000, instructions), fn("m/p.rest", Own, 5000, 5000))
		e.Functions[0].Samples[1] = 300_000
		e.Samples[1] = 305_000
		e.Wall[1], e.CPU[1] = Measure{305_000, 1000}, Measure{305_000, 1000}
		e.code("m/p.Sum", "1", "1")
		e.code("m/p.rest", "2", "2")
		return e
	}
	for _, x := range []struct {
		instructions float64
		prepare      string // digest of the code that prepares the data, on side B
		want         string
	}{
		{93_000, "other", "p.Sum takes more time for fewer instructions"},
		{100_000, "other", "p.Sum takes more time for as many instructions"},
		{110_000, "other", "p.Sum takes more time for hardly more instructions"},
		{100_000, "3", ""},
	} {
		e := slow(x.instructions)
		e.code("m/p.prepare", "3", x.prepare)
		a := Explain(e, LeastShare)
		switch {
		case x.want == "" && (len(a.Causes) > 0 || len(a.Notes) == 0):
			t.Errorf("%+v", a)
		case x.want != "" && (len(a.Causes) == 0 || a.Causes[0].What != x.want || a.Causes[0].Kind != CauseSlower || !a.Causes[0].Where):
			t.Errorf("%v: %+v", x.instructions, a)
		}
	}
}

// TestEffects: collections wake goroutines and new memory has page faults. With waits, the scheduler works for these.
func TestEffects(t *testing.T) {
	evidence := func(allocator float64) *Evidence {
		return counted(fn("m/p.f", Own, 1000, 1000), fn("runtime.mallocgc", Allocator, 100, allocator), fn("runtime.schedule", Scheduler, 50, 350), fn("clear_page_erms", Kernel, 50, 250))
	}
	e := evidence(1100)
	e.Sites = []Site{{Place: [2]Place{{}, {"m/p.f", "p.go", 7}}, Type: "p.T", Objects: [2]float64{0, 10}, Bytes: [2]float64{0, 640}}}
	if a := Explain(e, LeastShare); len(a.Causes) != 1 || a.Causes[0].Kind != CauseAllocations || math.Abs(a.Causes[0].Share.Value-1) > 0.02 {
		t.Errorf("%+v", a)
	}
	e = evidence(100)
	e.Wall[1].Value += 500
	e.Running = [2]Measure{{e.Wall[0].Value, 0}, {e.Wall[1].Value - 500, 0}}
	e.Waits = []Wait{{Cause: Lock, Own: true, Place: Place{"m/p.f", "p.go", 9}, Time: [2]Measure{{0, 0}, {500, 10}}}}
	a := Explain(e, LeastShare)
	if c := a.Causes[0]; c.Kind != CauseWait || math.Abs(c.Share.Value-1) > 0.02 {
		t.Errorf("%+v", a)
	}
}

// TestSettings: if the sources are the same, settings explain everything.
func TestSettings(t *testing.T) {
	e := counted(fn("m/p.f", Own, 1000, 3000))
	e.Settings = []Setting{{Name: "-gcflags", New: "-N"}}
	for _, same := range []bool{false, true} {
		e.SameText = same
		a := Explain(e, LeastShare)
		if c := a.Causes[0]; c.Kind != CauseSettings || math.IsNaN(c.Share.Value) == same || same && a.Rest.Value != 0 {
			t.Errorf("same sources %v: %+v", same, a)
		}
	}
}

// TestCollector: more work of the collector without more allocations is a cause of its own, and no cause where it is little.
func TestCollector(t *testing.T) {
	e := counted(fn("m/p.f", Own, 10_000, 10_000), fn("runtime.scanObject", Allocator, 1000, 9000))
	if a := Explain(e, LeastShare); len(a.Causes) != 1 || a.Causes[0].Kind != CauseGC || !a.Causes[0].Where {
		t.Errorf("%+v", a)
	}
	e = counted(fn("m/p.f", Own, 10_000, 12_000), fn("runtime.scanObject", Allocator, 1000, 1200))
	if a := Explain(e, LeastShare); len(a.Causes) != 1 || a.Causes[0].Kind != CauseInstructions {
		t.Errorf("%+v", a)
	}
}

// TestSystemCalls: what makes system calls is one cause, whatever part of the standard library it is in.
func TestSystemCalls(t *testing.T) {
	e := counted(fn("m/p.f", Own, 10_000, 10_000), fn("os.(*File).Write", Own, 10, 1000), fn("internal/poll.(*FD).Write", Own, 20, 2000), fn("syscall.Syscall", Own, 10, 1000),
		fn("runtime.reentersyscall", Scheduler, 10, 1000))
	a := Explain(e, LeastShare)
	if len(a.Causes) != 1 || a.Causes[0].Wait != Syscall || a.Causes[0].What != "system calls are made 100 times as often" || math.Abs(a.Causes[0].Share.Value-1) > 0.02 {
		t.Errorf("%+v", a)
	}
}

// TestRareCalls: a function that is called once, and is not inlined any more because it does more, is not slower for its call.
func TestRareCalls(t *testing.T) {
	for _, x := range []struct {
		calls float64
		want  CauseKind
	}{{1, CauseInstructions}, {1000, CauseInlining}} {
		callee := Function{Symbol: "m/p.parse", Kind: Own, Instructions: [2]float64{0, 90_000}, Lines: []Line{{Place: [2]Place{{}, {"m/p.parse", "p.go", 30}}, Instructions: [2]float64{0, 5 * x.calls}}}}
		caller := fn("m/p.Sum", Own, 70_000, 2000)
		e := counted(caller, callee)
		e.code("m/p.Sum", "1", "2", "m/p.parse")
		e.code("m/p.parse", "", "3")
		e.Notes = []Note{{Kind: Inlined, Side: 0, In: "m/p.Sum", Callee: "m/p.parse", Place: Place{File: "p.go", Line: 99}}}
		if a := Explain(e, LeastShare); len(a.Causes) != 1 || a.Causes[0].Kind != x.want {
			t.Errorf("%v calls: %+v", x.calls, a.Causes)
		}
	}
}

// TestNewChecks: a bounds check of a line that one side has not is part of new code.
func TestNewChecks(t *testing.T) {
	for _, isNew := range []bool{false, true} {
		e := counted(fn("m/p.f", Own, 1000, 1500))
		e.code("m/p.f", "1", "2")
		e.Notes = []Note{{Kind: Bounds, Side: 1, In: "m/p.f", New: isNew, Place: Place{File: "p.go", Line: 13}}}
		want := CauseBounds
		if isNew {
			want = CauseInstructions
		}
		if a := Explain(e, LeastShare); len(a.Causes) != 1 || a.Causes[0].Kind != want {
			t.Errorf("new %v: %+v", isNew, a.Causes)
		}
	}
}

// TestNewInlinedChecks: a check at a line where a call is inlined on that side only is part of the inlined code.
func TestNewInlinedChecks(t *testing.T) {
	e := counted(fn("m/p.f", Own, 1000, 1500))
	e.code("m/p.f", "1", "2")
	at := Place{File: "p.go", Line: 13}
	e.Notes = []Note{{Kind: Bounds, Side: 1, In: "m/p.f", Place: at}, {Kind: Inlined, Side: 1, In: "m/p.f", Callee: "m/p.count", Place: at}}
	if a := Explain(e, LeastShare); len(a.Causes) != 1 || a.Causes[0].Kind != CauseInstructions {
		t.Errorf("%+v", a.Causes)
	}
}

// TestRoom: a slice that begins with less room and grows is one cause, although the runtime does not know what type it grows.
func TestRoom(t *testing.T) {
	e := counted(fn("m/p.f", Own, 1000, 1000), fn("runtime.mallocgc", Allocator, 100, 1100))
	site := func(typ string, line int, old, new float64) Site {
		return Site{Place: [2]Place{{"m/p.f", "p.go", line}, {"m/p.f", "p.go", line}}, Type: typ, Objects: [2]float64{old, new}, Bytes: [2]float64{64 * old, 64 * new}}
	}
	e.Sites = []Site{site("[]int", 5, 1, 0), site("slice without pointers", 9, 0, 8)}
	if a := Explain(e, LeastShare); len(a.Causes) != 1 || a.Causes[0].Kind != CauseGrowth || a.Causes[0].objects != 7 {
		t.Errorf("%+v", a.Causes)
	}
}

// TestCombined: samples and added instructions are averaged, unless they contradict each other.
func TestCombined(t *testing.T) {
	e := counted(fn("m/p.f", Own, 1000, 1100))
	e.CPU[0] = Measure{1000, 0}
	for _, x := range []struct{ samples, lo, hi float64 }{{300, 300, 300}, {120, 100, 120}} {
		g := &group{added: 100, cpu: Measure{x.samples, 40}}
		if m := e.combined(g); m.Value < x.lo || m.Value > x.hi || x.lo < x.hi && (m.Value == x.lo || m.Value == x.hi) {
			t.Errorf("%v by samples: %+v", x.samples, m)
		}
	}
}

// TestMachineRest: what no count explains stays unexplained where times are not trusted.
func TestMachineRest(t *testing.T) {
	e := counted(fn("m/p.f", Own, 10_000, 11_000), fn("runtime.mapiterinit", Helper, 1000, 2000))
	e.Functions[1].Lines[0].Instructions[1] *= 2 // not only called more often
	e.Machine = "others had the processors"
	a := Explain(e, LeastShare)
	if len(a.Causes) != 1 || math.Abs(a.Causes[0].Share.Value-0.5) > 0.01 || math.Abs(a.Rest.Value-0.5) > 0.01 {
		t.Errorf("%+v", a)
	}
}
