package record

import (
	"math"
	"testing"
)

// leaf is a function whose calls take 390 ns with probes and 380 without, but for long ones.
func leaf(calls int64, long ...float64) TraceFunc {
	n := calls - int64(len(long))
	f := TraceFunc{Name: "f", Calls: calls, Timed: calls, Total: 390 * float64(n), Min: 390, Max: 390, Hist: []TraceBucket{{From: 384, To: 416, N: n}}}
	for _, ns := range long { // the shortest first
		f.Total += ns
		f.Max = ns
		f.Hist = append(f.Hist, TraceBucket{From: 0.96 * ns, To: 1.04 * ns, N: 1})
	}
	f.Self, f.Mean = f.Total, f.Total/float64(calls)
	f.Corrected = f.Total - 10*float64(calls)
	f.CorrectedSelf = f.Corrected
	return f
}

func TestLong(t *testing.T) {
	tr := &Trace{Mode: TraceExact, Probe: TraceProbe{Inside: 10, Outside: 24}}
	caller := leaf(2016, 4.2e6) // all that it took may be in what it called
	caller.Self, caller.CorrectedSelf = 1e5, 1e5
	outer := leaf(2016, 4.2e6) // calls itself: the longest call holds the others
	outer.Total = 4.3e6
	probes := leaf(2016, 4.2e6)
	probes.Corrected = 1e5
	for _, c := range []struct {
		name        string
		f           TraceFunc
		n           int64
		total, self float64
	}{
		{"one", leaf(2016, 4.2e6), 1, 4.2e6, 4.2e6},
		{"two", leaf(2016, 4.0e6, 4.2e6), 2, 8.2e6, 8.2e6},
		{"none", leaf(2016), 0, 0, 0},
		{"little", leaf(100, 90e3), 0, 0, 0},
		{"no third", leaf(100_000, 4.2e6), 0, 0, 0},
		{"few calls", leaf(19, 4.2e6), 0, 0, 0},
		{"one of two in twenty", leaf(20, 4.0e6, 4.2e6), 1, 4.2e6, 4.2e6},
		{"in what it called", caller, 1, 4.2e6, 0},
		{"recursive", outer, 0, 0, 0},
		{"dominated", probes, 0, 0, 0},
		{"nothing", TraceFunc{}, 0, 0, 0},
	} {
		got := tr.Long(&c.f)
		if got.N != c.n || math.Abs(got.Total-c.total) > 1 || math.Abs(got.Self-c.self) > 1 {
			t.Errorf("%s: %+v, want %d, %g ns, %g of it itself", c.name, got, c.n, c.total, c.self)
		}
	}
}

// TestLongForks: each fork has a long call, none of which is a third of the sum.
func TestLongForks(t *testing.T) {
	var all []*Trace
	for range 4 {
		f := leaf(2016, 4.2e6)
		all = append(all, &Trace{Mode: TraceExact, Probe: TraceProbe{Inside: 10, Outside: 24}, Calls: f.Calls, Ops: 84, Funcs: []TraceFunc{f}})
	}
	sum, err := MergeTraces(all)
	if err != nil {
		t.Fatal(err)
	}
	if got := sum.Long(&sum.Funcs[0]); got.N != 4 || math.Abs(got.Self-4*4.2e6) > 1 {
		t.Errorf("%+v, want 4 calls of 4.2 ms", got)
	}
}

// TestOthers: of several forks, what others had is the most; it is a share.
func TestOthers(t *testing.T) {
	fork := func(others float64) *Trace { return &Trace{Mode: TraceExact, Others: others} }
	sum, err := MergeTraces([]*Trace{fork(0.2), fork(0), fork(0.5)})
	if err != nil || sum.Others != 0.5 {
		t.Errorf("%v, %v, want 0.5", sum, err)
	}
	for others, good := range map[float64]bool{0: true, 1: true, -0.1: false, 1.1: false, math.NaN(): false} {
		if err := fork(others).Validate(); (err == nil) != good {
			t.Errorf("others had %g: %v", others, err)
		}
	}
}
