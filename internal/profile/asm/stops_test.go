package asm_test

import (
	"strings"
	"testing"

	"github.com/tarebench/tare/internal/base/diagnosis"
	"github.com/tarebench/tare/internal/golang/toolchain"
	"github.com/tarebench/tare/internal/process/profiler"
	"github.com/tarebench/tare/internal/profile/asm"
	"github.com/tarebench/tare/internal/testkit/proftest"
	"github.com/tarebench/tare/internal/testkit/testutil"
	"github.com/tarebench/tare/record"
)

// stopping samples BenchmarkStops, in which steps takes as long as steps3 and the timer
// stands meanwhile.
func stopping(t *testing.T, p profiler.Profiler) (*record.Asm, *proftest.Fork) {
	t.Helper()
	if err := p.Available(); err != nil || !p.Needs().Hooks {
		t.Skip("samples have no time: ", err)
	}
	f := proftest.Open(t, p, *toolchain.TimerLog()).Fork(record.Case{Name: "Stops"}, "300x")
	a := attached(t, f)
	sound(t, a)
	if function(t, a, "subjects.steps3").Samples[0] == 0 {
		t.Fatalf("nothing of what is measured: %+v", a.Events[0])
	}
	return a, f
}

// ofSteps is how many samples there are of what is not to count.
func ofSteps(a *record.Asm) int64 {
	for _, f := range a.Funcs {
		if f.Name == "subjects.steps" {
			return f.Samples[0]
		}
	}
	return 0
}

// TestStops: what a benchmark does while its timer is stopped does not count, and with
// it what testing does to stop it.
func TestStops(t *testing.T) {
	a, f := stopping(t, asm.Profiler(asm.Config{Frequency: asm.Detailed}))
	e, inside := a.Events[0], function(t, a, "subjects.steps3").Samples[0]
	if n := ofSteps(a); 20*n > inside { // some at the edges
		t.Errorf("%d samples while the timer stood, %d of the rest", n, inside)
	}
	if a.Window != record.AsmMarks || a.Ops != 300 || e.Stopped == 0 || e.Stopped > e.Outside || a.Stopped <= 0.1 || a.Stopped >= 1 {
		t.Errorf("window %s, %d operations, the timer stood for a share of %v, %+v", a.Window, a.Ops, a.Stopped, e)
	}
	if d := f.Warnings(); strings.Contains(d, diagnosis.StoppedIncluded) || strings.Contains(d, diagnosis.ManyStops) {
		t.Error(d)
	}
	// The timer's own sum: no more than two processors can have been sampled meanwhile.
	if most := 2*float64(f.Samples[0].Ns)/1e9*e.Asked + 50; float64(e.Samples) > most {
		t.Errorf("%d samples in %d ns by the timer, on 2 processors at %v Hz", e.Samples, f.Samples[0].Ns, e.Asked)
	}
}

// TestManyStops: what could not be noted does not count, and neither do its operations.
func TestManyStops(t *testing.T) {
	testutil.NeedLong(t, "samples a program that stops often")
	a, f := stopping(t, asm.WithRoom(asm.Config{Frequency: asm.Detailed}, 450)) // of some 600 in two iterations
	inside := function(t, a, "subjects.steps3").Samples[0]
	if n := ofSteps(a); 20*n > inside {
		t.Errorf("%d samples while the timer stood, %d of the rest", n, inside)
	}
	if d := f.Warnings(); a.Ops < 20 || a.Ops > 280 || !strings.Contains(d, diagnosis.ManyStops+": asm: the timer was stopped more often") {
		t.Errorf("%d operations; warnings: %s", a.Ops, d)
	}
}

// TestNoNotes: without a timer log all of the window counts, and a warning says so.
func TestNoNotes(t *testing.T) {
	a, f := stopping(t, asm.WithRoom(asm.Config{Frequency: asm.Detailed}, 0))
	if a.Stopped != 0 || a.Events[0].Stopped != 0 || a.Ops != 300 || ofSteps(a) == 0 {
		t.Errorf("the timer stood for a share of %v, %d operations, %+v", a.Stopped, a.Ops, a.Events[0])
	}
	if d := f.Warnings(); !strings.Contains(d, diagnosis.StoppedIncluded+": asm: when the timer stood is not known") {
		t.Errorf("warnings: %s", d)
	}
}
