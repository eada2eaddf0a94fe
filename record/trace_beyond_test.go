package record

import (
	"math"
	"strings"
	"testing"
)

// TestWaited: of several forks, the longest wait counts; it is a share. What forks without probes take is their sum.
func TestWaited(t *testing.T) {
	fork := func(waited, plain float64) *Trace { return &Trace{Mode: TraceExact, Waited: waited, Plain: plain} }
	sum, err := MergeTraces([]*Trace{fork(0.2, 10), fork(0, 20), fork(0.5, 30)})
	if err != nil || sum.Waited != 0.5 || sum.Plain != 60 {
		t.Errorf("%+v, %v, want 0.5 and 60", sum, err)
	}
	for waited, good := range map[float64]bool{0: true, 1: true, -0.1: false, 1.1: false, math.Inf(1): false, math.NaN(): false} {
		if err := fork(waited, 0).Validate(); (err == nil) != good {
			t.Errorf("waited %g: %v", waited, err)
		}
	}
}

// TestBeyond: self times together against forks without probes, where both are about the same.
func TestBeyond(t *testing.T) {
	fork := func(plain float64, goroutines int64, window string) *Trace {
		return &Trace{Plain: plain, Goroutines: goroutines, Window: window, Funcs: []TraceFunc{{CorrectedSelf: 300}, {CorrectedSelf: 100}}}
	}
	for _, test := range []struct {
		t    *Trace
		want float64
	}{
		{fork(100, 1, AsmMarks), 4}, {fork(500, 1, AsmMarks), 0.8}, {fork(0, 1, AsmMarks), 0}, {fork(100, 2, AsmMarks), 0}, {fork(100, 1, AsmRough), 0},
	} {
		if got := test.t.Beyond(); got != test.want {
			t.Errorf("%g ns without probes: beyond %g, want %g", test.t.Plain, got, test.want)
		}
		if why := test.t.NotBeyond(); (why == "") != (test.want > 0) {
			t.Errorf("beyond %g, not known: %q", test.want, why)
		}
	}
}

// TestNotBeyond: what was not checked is said, with its reason.
func TestNotBeyond(t *testing.T) {
	for _, test := range []struct {
		t    Trace
		want string
	}{
		{Trace{Plain: 100, Window: AsmMarks, Goroutines: 1}, ""},
		{Trace{Plain: 100, Window: AsmMarks, Goroutines: 3}, "several goroutines"},
		{Trace{Plain: 100, Window: AsmRough, Goroutines: 1}, "operations alone"},
		{Trace{Window: AsmMarks, Goroutines: 1}, "no forks without probes"},
		{Trace{Plain: 100, Window: AsmMarks, Mode: TraceCount}, "no times"},
		{Trace{}, "no run without probes"},
	} {
		if got := test.t.NotBeyond(); !strings.Contains(got, test.want) || (got == "") != (test.want == "") {
			t.Errorf("%+v: %q", test.t, got)
		}
	}
}
