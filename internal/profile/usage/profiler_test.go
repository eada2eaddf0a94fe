package usage_test

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/tarebench/tare/internal/golang/toolchain"
	"github.com/tarebench/tare/internal/profile/usage"
	"github.com/tarebench/tare/internal/testkit/proftest"
	"github.com/tarebench/tare/internal/testkit/testutil"
	"github.com/tarebench/tare/record"
)

func open(t *testing.T) *proftest.Subjects {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("the subjects read a clock of Linux")
	}
	return proftest.Open(t, usage.Profiler(), *toolchain.Usage())
}

// TestProfiler: what threads of a benchmark do that are not its own is counted: the CPU
// time that each of three burns, faults, and switches. What else the process does
// meanwhile leaves some room above.
func TestProfiler(t *testing.T) {
	s := open(t)
	const burnt = float64(6 * time.Millisecond)
	testutil.Retry(t, func(int) error {
		f := s.Fork(record.Case{Name: "Burn"}, "10x")
		if cpu, parts := f.Get("cpu-ns/op"), f.Get("user-ns/op")+f.Get("sys-ns/op"); cpu < parts*0.999999 || cpu > parts*1.000001 {
			t.Errorf("%v ns of CPU time in parts of %v", cpu, parts)
		}
		return errors.Join(
			f.Above("cpu-ns/op", burnt*0.99, 3*burnt), // the kernel rounds to µs
			f.Above("cores", 0.001, 3))                // of GOMAXPROCS=2, with what runs outside of it
	})

	const pages = 200
	testutil.Retry(t, func(int) error {
		return s.Fork(record.Case{Name: "Pages"}, "50x").Above("page-faults/op", pages, 1.5*pages)
	})
	testutil.Retry(t, func(int) error {
		return s.Fork(record.Case{Name: "Block"}, "50x").Above("voluntary-switches/op", 1, 100)
	})
}

// TestProfilerWarnings: a window with the timer stopped is counted whole, and one that is
// too short is not counted. Both have warnings.
func TestProfilerWarnings(t *testing.T) {
	s := open(t)
	testutil.Retry(t, func(int) error {
		f := s.Fork(record.Case{Name: "Stopped"}, "10x")
		err := f.Above("cpu-ns/op", 1.98*float64(time.Millisecond), 10*float64(time.Millisecond))
		if d := f.Warnings(); !strings.Contains(d, "stopped-included: usage: the timer was stopped for ") { // or it was held up while it ran
			err = fmt.Errorf("warnings: %s", d)
		}
		return err
	})

	var f *proftest.Fork
	short := func() bool { // a machine that is busy may stretch any window
		f = s.Fork(record.Case{Name: "Short"}, "1x")
		return strings.Contains(f.Warnings(), "not-available: usage: CPU time: not available: the window of ")
	}
	for try := 0; !short(); try++ {
		if try == 20 {
			t.Fatalf("warnings: %s", f.Warnings())
		}
	}
	for _, unit := range []string{"cpu-ns/op", "cores", "page-faults/op"} {
		if f.Has(unit) {
			t.Errorf("%v %s of a window of next to nothing", f.Get(unit), unit)
		}
	}
}
