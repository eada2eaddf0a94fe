package sched_test

import (
	"encoding/json"
	"fmt"
	"math"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/tarebench/tare/internal/base/diagnosis"
	"github.com/tarebench/tare/internal/golang/toolchain"
	"github.com/tarebench/tare/internal/profile/sched"
	"github.com/tarebench/tare/internal/testkit/proftest"
	"github.com/tarebench/tare/internal/testkit/testutil"
	"github.com/tarebench/tare/record"
)

func open(t *testing.T, part toolchain.Part) *proftest.Subjects {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("the subjects read a clock of Linux")
	}
	return proftest.Open(t, sched.Profiler(), part)
}

// table is what a fork attached, and its groups by function.
func table(t *testing.T, f *proftest.Fork) (g record.Goroutines, of map[string]record.GoroutineGroup) {
	t.Helper()
	for _, l := range f.Lines {
		if a, ok := l.(*record.Attach); ok && a.Name == record.AttachGoroutines {
			if err := json.Unmarshal(a.Data, &g); err != nil {
				t.Fatal(err)
			}
		}
	}
	if g.Windows != 1 {
		t.Fatalf("no attachment, but\n%s", f.Warnings())
	}
	of = map[string]record.GoroutineGroup{}
	for _, x := range g.Groups {
		of[x.Func] = x
	}
	return g, of
}

// TestWeights: goroutines that take a known CPU time ran at least as long, each
// group by itself, and together for no longer than there are Ps. How much longer is up
// to what else the machine does: a thread that is preempted by the kernel keeps its P.
func TestWeights(t *testing.T) {
	s := open(t, *toolchain.Sched())
	testutil.Retry(t, func(int) error { return weights(t, s) })
}

// weights is the error of a process that was held up between the marks of trace and timer.
func weights(t *testing.T, s *proftest.Subjects) error {
	const n = 5
	const held = int64(500 * time.Millisecond) // that it may be held up
	x := s.Fork(record.Case{Name: "Weights"}, "5x")
	g, of := table(t, x)
	if g.Ops != n || g.Traced != 1 || g.CPU <= 0 || g.Wall <= 0 {
		t.Errorf("%+v", g)
	}
	sum := int64(0)
	for i, name := range []string{"subjects.burn1", "subjects.burn2", "subjects.burn3"} {
		burnt := int64(i+1) * int64(2*time.Millisecond)
		b := of[name]
		if b.Count != n || b.RunningMin < burnt || b.Running < n*burnt || b.RunningMax < b.Running/n {
			t.Errorf("%s took %d ns each: %+v", name, burnt, b)
		}
		if b.Slices < n {
			t.Errorf("%s: %+v", name, b)
		}
	}
	for _, b := range g.Groups {
		sum += b.Running
	}
	if per := x.Get("sched-running-ns/op") * n; math.Abs(per-float64(sum)) > 1 {
		t.Errorf("%v ns in all, the groups %d", per, sum)
	}
	if took := x.Get("sched-goroutines"); took < 3*n+1 {
		t.Errorf("%v goroutines", took)
	}
	if d := x.Warnings(); d != "" {
		t.Error(d)
	}
	if sum+g.Tracer > 2*g.Wall+held { // and so each group, too
		return fmt.Errorf("%d ns on 2 Ps in a window of %d ns", sum+g.Tracer, g.Wall)
	}
	return nil
}

// TestWindow: what is set up before the timer starts is not in the figures, in a loop
// over b.N; and neither are times, which the tracer disturbs.
func TestWindow(t *testing.T) {
	s := open(t, *toolchain.Sched())
	x := s.Fork(record.Case{Name: "N"}, "4x")
	g, of := table(t, x)
	if set, ok := of["subjects.setup"]; ok {
		t.Errorf("set-up: %+v", set)
	}
	nap := of["subjects.sleeper"]
	if all := nap.Running + nap.Runnable + nap.Blocked; nap.Count != 4 || nap.Blocked <= 0 || all < 4*int64(29*time.Millisecond)/10 || nap.Slices < 8 {
		t.Errorf("sleepers: %+v", nap)
	}
	if own := of["testing.(*B).launch"]; own.Count != 1 || own.Blocked <= 0 {
		t.Errorf("groups %+v", g.Groups)
	}
	for _, unit := range []string{"ns/op", "allocs/op"} {
		if x.Has(unit) {
			t.Errorf("%v %s of a fork that was traced", x.Get(unit), unit)
		}
	}

	x = s.Fork(record.Case{Name: "Sub/nap"}, "3x")
	if _, of := table(t, x); of["sync.(*WaitGroup).Go in subjects.BenchmarkSub.func1"].Count != 3 {
		t.Errorf("groups %+v", of)
	}
}

// TestFull: a trace that becomes too large is stopped, and figures are scaled up.
func TestFull(t *testing.T) {
	part := *toolchain.Sched()
	const most = "= 64 << 20"
	if strings.Count(part.Source, most) != 1 {
		t.Fatal("the limit is somewhere else")
	}
	part.Source = strings.Replace(part.Source, most, "= 100_000", 1)
	s := open(t, part)
	testutil.Retry(t, func(int) error {
		x := s.Fork(record.Case{Name: "Many"}, "600x")
		g, _ := table(t, x)
		if g.Traced >= 1 || g.Traced <= 0 || g.CPU != 0 {
			t.Errorf("%+v", g)
		}
		if d := x.Warnings(); !strings.Contains(d, diagnosis.TraceFull+": sched: the trace became too large") {
			t.Errorf("warnings: %s", d)
		}
		// 2000 stretches for each operation, if a part of the window is like the whole.
		if per := x.Get("sched-slices/op"); per < 50 || per > 80_000 {
			return fmt.Errorf("%v stretches per operation, scaled from %.3f", per, g.Traced)
		}
		return nil
	})
}

// TestTracedAlready: a benchmark that traces itself cannot be traced, but measured.
func TestTracedAlready(t *testing.T) {
	s := open(t, *toolchain.Sched())
	x := s.Fork(record.Case{Name: "Sub/nap"}, "2x", "SUBJECTS_TRACE=1")
	if d := x.Warnings(); !strings.Contains(d, "not-available: sched: not available: ") || !strings.Contains(d, "already enabled") {
		t.Errorf("warnings: %s", d)
	}
	for _, v := range x.Samples[0].V {
		if strings.HasPrefix(v.Unit, "sched-") {
			t.Errorf("%+v", v)
		}
	}
}
