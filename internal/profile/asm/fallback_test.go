package asm_test

import (
	"errors"
	"strings"
	"syscall"
	"testing"

	"github.com/tarebench/tare/internal/process/profiler"
	"github.com/tarebench/tare/internal/profile/asm"
	"github.com/tarebench/tare/internal/testkit/proftest"
	"github.com/tarebench/tare/internal/testkit/testutil"
	"github.com/tarebench/tare/record"
)

// TestWithoutPerf: where the kernel refuses, Go's own profiler samples a benchmark, and
// the record says why it did. Where N is not known it is found.
func TestWithoutPerf(t *testing.T) {
	testutil.NeedLong(t, "five seconds of forks")
	s := proftest.Open(t, asm.Without(syscall.EPERM, asm.Config{}))
	for _, n := range testutil.Pick([]int64{0}, []int64{250, 0}) {
		f := s.Fork(record.Case{Name: "Shares", N: n}, "1x")
		a := attached(t, f)
		sound(t, a)
		if a.Source != record.AsmPprof || a.Window != record.AsmWhole || len(a.Rejected) != 1 || !strings.Contains(a.Rejected[0], "operation not permitted") {
			t.Errorf("%s, %s, %q", a.Source, a.Window, a.Rejected)
		}
		if n > 0 && a.Ops != 8*n {
			t.Errorf("%d operations", a.Ops)
		}
		if r := ratio(t, a, "subjects.steps3", "subjects.steps"); r < 1.05 || r > 20 { // of some 80 samples, or more
			t.Errorf("%.2f samples of one for each of the other, want 3", r)
		}
	}
}

// TestProbe: which profiler there is, and what is said if there is none.
func TestProbe(t *testing.T) {
	p := asm.Without(syscall.EACCES, asm.Config{Events: []string{"cycles"}})
	var e *profiler.UnavailableError
	if err := p.Available(); !errors.As(err, &e) || !strings.Contains(e.Advice, "perf_event_paranoid") {
		t.Errorf("an event that is forbidden: %v", err)
	}
	if err := asm.Without(syscall.ENOENT, asm.Config{Events: []string{"cycles"}}).Available(); !errors.Is(err, syscall.ENOENT) {
		t.Errorf("an event that there is not: %v", err)
	}
	if err := asm.Without(nil, asm.Config{Frequency: -1}).Available(); err == nil {
		t.Error("a negative frequency passed")
	}
	p = asm.Without(syscall.EACCES, asm.Config{})
	if _, ok := p.(profiler.Wrapper); !ok || p.Available() != nil || p.Name() != asm.Name || p.Needs().Hooks || !p.Needs().OwnForks {
		t.Errorf("the fallback: %T, %v, %+v", p, p.Available(), p.Needs())
	}
}
