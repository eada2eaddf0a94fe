package counter_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tarebench/tare/internal/golang/toolchain"
	"github.com/tarebench/tare/internal/profile/counter"
	"github.com/tarebench/tare/internal/testkit/proftest"
	"github.com/tarebench/tare/internal/testkit/testutil"
	"github.com/tarebench/tare/record"
)

func open(t *testing.T, before ...toolchain.Part) *proftest.Subjects {
	t.Helper()
	if err := counter.Profiler().Available(); err != nil {
		t.Skip(err)
	}
	return proftest.Open(t, counter.Profiler(), append(before, *toolchain.Counter())...)
}

// TestKnown: events of which the kernel must count a certain number at least. What else
// the process does meanwhile leaves some room above.
func TestKnown(t *testing.T) {
	s := open(t)
	const pages = 200
	testutil.Retry(t, func(int) error {
		return s.Fork(record.Case{Name: "Pages"}, "50x").Above("page-faults/op", pages, 1.5*pages)
	})

	testutil.Retry(t, func(int) error {
		f := s.Fork(record.Case{Name: "Block"}, "50x")
		if f.Has("IPC") != f.Has("cycles/op") {
			t.Errorf("one without the other: %v", f.Samples[0].V)
		}
		if f.Has("ns/op") {
			t.Error("a time of a fork that is no good for times")
		}
		return f.Above("context-switches/op", 1, 100)
	})

	const burnt = float64(6 * time.Millisecond)
	testutil.Retry(t, func(int) error {
		return s.Fork(record.Case{Name: "Burn"}, "10x").Above("task-clock-ns/op", burnt, 3*burnt)
	})
}

// TestStopped: events while the timer is stopped are counted, and a warning says so.
func TestStopped(t *testing.T) {
	s := open(t)
	testutil.Retry(t, func(int) error {
		f := s.Fork(record.Case{Name: "Stopped"}, "10x")
		err := f.Above("task-clock-ns/op", float64(2*time.Millisecond), float64(10*time.Millisecond))
		if d := f.Warnings(); !strings.Contains(d, "stopped-included: counter: the timer was stopped for ") { // or it was held up while it ran
			err = fmt.Errorf("warnings: %s", d)
		}
		return err
	})
}

// kernel is a part that takes the place of the kernel, see testdata/parts.
func kernel(t *testing.T) toolchain.Part {
	t.Helper()
	text, err := os.ReadFile("testdata/parts/kernel.go")
	if err != nil {
		t.Fatal(err)
	}
	return toolchain.Part{Name: "Kernel", Source: string(text)}
}

// TestUnavailable: what a kernel does not give is not available, because of what it says;
// the benchmark and the other events go on, and nothing is 0.
func TestUnavailable(t *testing.T) {
	hardware := []string{"cycles/op", "instructions/op", "branch-misses/op", "cache-misses/op", "IPC"}
	software := []string{"task-clock-ns/op", "page-faults/op", "context-switches/op", "cpu-migrations/op"}
	s := open(t, kernel(t))
	for _, c := range []struct {
		kernel     string
		has, lacks []string
		warning    string
	}{
		{"virtual", software, hardware,
			"not-available: counter: cycles, instructions, branch-misses, cache-misses: not available: this machine has no such counters, as most virtual ones (no such file or directory)"},
		{"strict", nil, slices.Concat(hardware, software), "cpu-migrations: not available: permission denied"},
		{"shy", software, nil, "user-only: counter: only user mode is counted"},
	} {
		f := s.Fork(record.Case{Name: "Burn"}, "3x", "SUBJECTS_KERNEL="+c.kernel)
		for _, unit := range c.has {
			if !f.Has(unit) {
				t.Errorf("%s: no %s", c.kernel, unit)
			}
		}
		for _, unit := range c.lacks {
			if f.Has(unit) {
				t.Errorf("%s: %v %s", c.kernel, f.Get(unit), unit)
			}
		}
		if !strings.Contains(f.Warnings(), c.warning) {
			t.Errorf("%s: no %q among\n%s", c.kernel, c.warning, f.Warnings())
		}
	}
}

// TestMultiplexed: an event that shared the processor's counters is scaled up, and a
// warning has its share of the time.
func TestMultiplexed(t *testing.T) {
	f := open(t, kernel(t)).Fork(record.Case{Name: "Burn"}, "3x", "SUBJECTS_KERNEL=multiplexed")
	full := f.Get("instructions/op")
	f.Within("cycles/op", 1.999*full, 2.001*full)
	f.Within("IPC", 0.499, 0.501)
	if d := f.Warnings(); !strings.Contains(d, "multiplexed: counter: events shared") || !strings.Contains(d, "cycles 50 %") || strings.Contains(d, "instructions") {
		t.Errorf("warnings: %s", d)
	}
}
