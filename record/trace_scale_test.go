package record

import (
	"math"
	"testing"
)

// benchmarked is a trace of a benchmark whose probes took 400 ns by the calibration: root's all, and half of them in leaf.
func benchmarked(length, plain float64) *Trace {
	return &Trace{
		Mode: TraceExact, Window: AsmMarks, Goroutines: 1, Length: length, Plain: plain, Added: 400,
		Funcs: []TraceFunc{
			{Name: "root", Calls: 1, Timed: 1, Total: 600, Corrected: 200, Self: 350, CorrectedSelf: 150},
			{Name: "leaf", Calls: 10, Timed: 10, Total: 250, Corrected: 50, Self: 250, CorrectedSelf: 50},
		},
		Tree:  []TraceCall{{Func: 0, Parent: -1, Calls: 1, Timed: 1, Total: 600, Corrected: 200, Self: 350, CorrectedSelf: 150}},
		Calls: 11,
	}
}

// TestScaled: probes took what operations took longer than in forks without probes, if that is likely.
func TestScaled(t *testing.T) {
	for _, test := range []struct {
		name      string
		change    func(*Trace)
		used      bool
		factor    float64
		corrected float64 // of root
	}{
		{"probes took half as much again", func(*Trace) {}, true, 1.5, 0},
		{"a little longer", func(x *Trace) { x.Plain = 160 }, true, 1.1, 160},
		{"less", func(x *Trace) { x.Plain = 280 }, true, 0.8, 280},
		{"something else differs", func(x *Trace) { x.Length, x.Plain = 2000, 100 }, false, 4.75, 200},
		{"faster with probes", func(x *Trace) { x.Plain = 700 }, false, -0.25, 200},
		{"forks differ too much", func(x *Trace) { x.Plain, x.PlainError = 160, 250 }, false, 1.1, 200},
		{"no such forks", func(x *Trace) { x.Plain = 0 }, false, 0, 200},
		{"a record without the length", func(x *Trace) { x.Length = 0 }, false, 0, 200},
		{"goroutines", func(x *Trace) { x.Goroutines = 2 }, false, 0, 200},
		{"it waited for processors", func(x *Trace) { x.Waited = WaitedTrace }, false, 0, 200},
		{"others had them", func(x *Trace) { x.Others = SharedTrace }, false, 0, 200},
	} {
		x := benchmarked(600, 0.001)
		test.change(x)
		got := x.Scaled()
		if got.Scale.Used != test.used || math.Abs(got.Scale.Factor-test.factor) > 0.01 || math.Abs(got.Funcs[0].Corrected-test.corrected) > 1 {
			t.Errorf("%s: %+v, corrected %g; want factor %g (used: %v), corrected %g", test.name, got.Scale, got.Funcs[0].Corrected, test.factor, test.used, test.corrected)
		}
		if x.Funcs[0].Corrected != 200 || x.Scale.Used {
			t.Errorf("%s: the trace has changed", test.name)
		}
		if got.Scale.Used && got.Beyond() > 1 {
			t.Errorf("%s: beyond forks without probes: %g", test.name, got.Beyond())
		}
		if again := got.Scaled(); again.Funcs[0].Corrected != got.Funcs[0].Corrected || again.Scale != got.Scale {
			t.Errorf("%s: scaled twice: %+v", test.name, again.Scale)
		}
		if got.Tree[0].Corrected != got.Funcs[0].Corrected || got.Funcs[1].CorrectedSelf > got.Funcs[1].Self {
			t.Errorf("%s: %+v, %+v", test.name, got.Tree, got.Funcs)
		}
	}
}

// TestUncertainty: what all probes took is known by forks without probes, and what those of one function took is not.
func TestUncertainty(t *testing.T) {
	alone := benchmarked(0, 0).Scaled()
	scaled := benchmarked(600, 160).Scaled()
	far := benchmarked(2000, 100).Scaled()
	for _, test := range []struct {
		name string
		t    *Trace
		fn   int
		want float64
		bad  bool
	}{
		{"by the calibration alone", alone, 0, ProbeError * 400, true},
		{"all probes are its own", scaled, 0, 0, false},
		{"half of them", scaled, 1, ProbeError * 0.5 * 200, true},
		{"something else differs", far, 1, 3.75 * 200, true},
	} {
		f := test.t.Funcs[test.fn]
		got := test.t.Uncertainty(f.Total, f.Corrected)
		if math.Abs(got-test.want) > 1e-6*test.want+1e-9 || test.t.Unreliable(f.Total, f.Corrected) != test.bad {
			t.Errorf("%s: %g, want %g; unreliable: %v", test.name, got, test.want, !test.bad)
		}
	}
	if alone.Unreliable(1000, 900) || alone.Unreliable(0, 0) || !alone.Unreliable(1000, 0) {
		t.Error("a tenth of it, nothing, or all of it is the probes'")
	}
}

// TestScaleOfForks: the factor's standard error grows with the difference between forks. If a fork has no length, there is no
// factor.
func TestScaleOfForks(t *testing.T) {
	same, err := MergeTraces([]*Trace{benchmarked(600, 160), benchmarked(600, 160)})
	if err != nil {
		t.Fatal(err)
	}
	differ, err := MergeTraces([]*Trace{benchmarked(560, 160), benchmarked(640, 160)})
	if err != nil {
		t.Fatal(err)
	}
	if a, b := same.Scaled().Scale, differ.Scaled().Scale; !a.Used || !b.Used || a.Error != 0 || math.Abs(b.Error-0.1) > 1e-9 || math.Abs(a.Factor-b.Factor) > 1e-9 {
		t.Errorf("%+v, %+v", a, b)
	}
	old, err := MergeTraces([]*Trace{benchmarked(600, 160), benchmarked(0, 160)})
	if err != nil || old.Scaled().Scale.Factor != 0 {
		t.Errorf("%+v, %v", old.Scaled().Scale, err)
	}
}
