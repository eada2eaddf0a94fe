package asm_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/tarebench/tare/internal/base/diagnosis"
	"github.com/tarebench/tare/internal/golang/toolchain"
	"github.com/tarebench/tare/internal/profile/asm"
	"github.com/tarebench/tare/internal/testkit/proftest"
	"github.com/tarebench/tare/record"
)

// subjects are the benchmarks of known truth; skipped where nothing can be sampled.
func subjects(t *testing.T, c asm.Config) *proftest.Subjects {
	t.Helper()
	p := asm.Profiler(c)
	if err := p.Available(); err != nil {
		t.Skip(err)
	}
	if p.Needs().Hooks {
		return proftest.Open(t, p, *toolchain.TimerLog())
	}
	return proftest.Open(t, p)
}

// attached is what a fork left.
func attached(t *testing.T, f *proftest.Fork) *record.Asm {
	t.Helper()
	for _, l := range f.Lines {
		if x, ok := l.(*record.Attach); ok && x.Name == record.AttachAsm {
			a := &record.Asm{}
			if err := json.Unmarshal(x.Data, a); err != nil {
				t.Fatal(err)
			}
			return a
		}
	}
	t.Fatalf("no attachment, but\n%s", f.Warnings())
	return nil
}

// sound checks what holds of all samples: every one is in one function and at one address.
func sound(t *testing.T, a *record.Asm) {
	t.Helper()
	sum := make([]int64, len(a.Events))
	for _, f := range a.Funcs {
		mine := make([]int64, len(a.Events))
		last := uint64(0)
		for i, c := range f.Counts {
			for e, n := range c.N {
				mine[e] += n
			}
			if i > 0 && c.Addr <= last {
				t.Errorf("%s: %#x after %#x", f.Name, c.Addr, last)
			}
			if len(f.Code) > 0 && (c.Addr < f.Entry || c.Addr-f.Entry >= uint64(len(f.Code))) {
				t.Errorf("%s: %#x is not in its code at %#x", f.Name, c.Addr, f.Entry)
			}
			last = c.Addr
		}
		if !slices.Equal(mine, f.Samples) {
			t.Errorf("%s: %v at its addresses, %v of its own", f.Name, mine, f.Samples)
		}
		for e, n := range f.Samples {
			sum[e] += n
		}
		if f.Name == "" || f.Area == "" {
			t.Errorf("a function without name or area: %q, %q", f.Name, f.Area)
		}
	}
	for e, x := range a.Events {
		if sum[e] != x.Samples || x.Kernel > x.Samples {
			t.Errorf("%s: %d in functions, %+v", x.Name, sum[e], x)
		}
	}
	if !slices.IsSortedFunc(a.Funcs, func(x, y record.AsmFunc) int { return -slices.Compare(x.Samples, y.Samples) }) {
		t.Error("the functions are not in the order of samples")
	}
}

// function is the only one of a name, which there must be.
func function(t *testing.T, a *record.Asm, name string) record.AsmFunc {
	t.Helper()
	i := slices.IndexFunc(a.Funcs, func(f record.AsmFunc) bool { return f.Name == name })
	if i < 0 {
		t.Fatalf("no %s among %d functions", name, len(a.Funcs))
	}
	return a.Funcs[i]
}

// ratio is how many samples one function has for each of another.
func ratio(t *testing.T, a *record.Asm, f, g string) float64 {
	t.Helper()
	return float64(function(t, a, f).Samples[0]) / float64(function(t, a, g).Samples[0])
}

// TestShares: of two functions one works three times as long as the other.
func TestShares(t *testing.T) {
	f := subjects(t, asm.Config{Frequency: asm.Detailed}).Fork(record.Case{Name: "Shares"}, "300x")
	a := attached(t, f)
	sound(t, a)
	if r := ratio(t, a, "subjects.steps3", "subjects.steps"); r < 2 || r > 4.5 { // of some 750 samples, or less of a slow machine
		t.Errorf("%.2f samples of one for each of the other, want 3", r)
	}
	fn := function(t, a, "subjects.steps3")
	if !strings.HasSuffix(fn.File, "subjects_test.go") || fn.Line == 0 || len(fn.Code) == 0 || len(fn.Lines) == 0 {
		t.Errorf("%+v", fn)
	}
	if !slices.ContainsFunc(fn.Texts, func(x record.AsmText) bool { return strings.Contains(x.Text, "x ^= x >> 7") }) {
		t.Errorf("sources: %+v", fn.Texts)
	}
	if a.Source == record.AsmPerf {
		e := a.Events[0]
		if a.Window != record.AsmMarks || a.Ops != 300 || e.Outside == 0 || e.Achieved <= 0 || a.BuildID == "" || !strings.HasPrefix(a.Binary, "subjects") {
			t.Errorf("%+v, window %s, %d operations, build id %q of %s", e, a.Window, a.Ops, a.BuildID, a.Binary)
		}
		if d := f.Warnings(); a.Stopped != 0 || e.Stopped != 0 || strings.Contains(d, diagnosis.StoppedIncluded) || strings.Contains(d, diagnosis.ManyStops) {
			t.Errorf("the timer, which ran all the time, stood for a share of %v and %d samples: %s", a.Stopped, e.Stopped, d)
		}
	}
}

// TestSetUp: what a benchmark does before its timer starts is outside of the window.
func TestSetUp(t *testing.T) {
	a := attached(t, subjects(t, asm.Config{Frequency: asm.Detailed}).Fork(record.Case{Name: "SetUp"}, "200x"))
	sound(t, a)
	if a.Source != record.AsmPerf {
		t.Skip("samples have no time")
	}
	inside := function(t, a, "subjects.steps3").Samples[0]
	for _, f := range a.Funcs {
		if f.Name == "subjects.steps" && 20*f.Samples[0] > inside { // one or two at the edges
			t.Errorf("%d samples of the set-up, %d of the rest", f.Samples[0], inside)
		}
	}
	if a.Events[0].Outside < inside {
		t.Errorf("%d samples outside, %d in the loop: the set-up takes as long, twice", a.Events[0].Outside, inside)
	}
}

// TestNoSamples: a benchmark that only waits says how long it would take.
func TestNoSamples(t *testing.T) {
	f := subjects(t, asm.Config{Frequency: 1}).Fork(record.Case{Name: "Sleep"}, "3x")
	if d := f.Warnings(); !strings.Contains(d, "no samples in") || !strings.Contains(d, "1000 samples take 16m40s of CPU time at 1 per second") {
		t.Errorf("warnings: %s", d)
	}
}

// TestFewSamples: a warning states the uncertainty of few samples.
func TestFewSamples(t *testing.T) {
	f := subjects(t, asm.Config{}).Fork(record.Case{Name: "Divide"}, "30x")
	if a := attached(t, f); a.Events[0].Samples < asm.Few && !strings.Contains(f.Warnings(), diagnosis.FewSamples+": asm: ") {
		t.Errorf("%d samples, warnings: %s", a.Events[0].Samples, f.Warnings())
	}
}
