package sched_test

import (
	"encoding/json"
	"fmt"
	"math"
	"testing"

	"github.com/tarebench/tare/internal/golang/toolchain"
	"github.com/tarebench/tare/internal/testkit/proftest"
	"github.com/tarebench/tare/internal/testkit/testutil"
	"github.com/tarebench/tare/record"
)

// waits is what a fork attached.
func waits(t *testing.T, f *proftest.Fork) (w record.Waits) {
	t.Helper()
	for _, l := range f.Lines {
		if a, ok := l.(*record.Attach); ok && a.Name == record.AttachWaits {
			if err := json.Unmarshal(a.Data, &w); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := w.Validate(); err != nil {
		t.Fatalf("%v\n%s", err, f.Warnings())
	}
	return w
}

// sum returns the waits for a cause at a function that another function ended.
func sum(w *record.Waits, cause, at, by string) (count, ns int64) {
	for _, s := range w.Sites {
		ended := ""
		if s.By != nil {
			ended = s.By.Func
		}
		if s.Cause == cause && s.At.Func == at && ended == by {
			count, ns = count+s.Count, ns+s.Time
		}
	}
	return count, ns
}

// checkWall checks that the times of the benchmark's own goroutine add up to the window.
func checkWall(t *testing.T, f *proftest.Fork, w *record.Waits) {
	t.Helper()
	all := w.OwnRunning + w.Rest
	for _, c := range w.Causes {
		all += c.Own
	}
	if all != w.Wall {
		t.Errorf("%d of %d ns", all, w.Wall)
	}
	parts := 0.0
	for _, part := range []string{"running", "runnable", "blocked", "syscall"} {
		parts += f.Get("sched-wall-" + part + "-ns/op")
	}
	if wall := float64(w.Wall-w.Rest) / float64(w.Ops); math.Abs(parts-wall) > 1e-6*wall {
		t.Errorf("%v of %v ns/op", parts, wall)
	}
	t.Logf("rest: %.3f %% of the window", 100*float64(w.Rest)/float64(w.Wall))
}

// TestWaitsOfLock: the line that waits for a lock, and the holder. The benchmark's own goroutine waits for its
// workers, which is no wait for a WaitGroup of theirs.
func TestWaitsOfLock(t *testing.T) {
	s := open(t, *toolchain.Sched())
	testutil.Retry(t, func(int) error {
		const n = 20
		f := s.Fork(record.Case{Name: "Lock"}, fmt.Sprint(n, "x"))
		w := waits(t, f)
		checkWall(t, f, &w)
		if group := f.Get("sched-blocked-waitgroup-ns/op"); group != 0 {
			t.Errorf("%v ns/op of the benchmark's own goroutine", group)
		}
		if asleep, ns := sum(&w, record.WaitSleep, "subjects.BenchmarkLock", ""); asleep != n || ns < n*1_000_000 {
			t.Errorf("asleep %d times for %d ns: %+v", asleep, ns, w.Sites)
		}
		count, ns := sum(&w, record.WaitLock, "subjects.locker", "subjects.release")
		if per := f.Get("sched-blocked-lock-ns/op") * n; count < n-2 || per < float64(ns) { // who comes late finds it free
			return fmt.Errorf("%d waits of %d ns, %v in all: %+v", count, ns, per, w.Sites)
		}
		return nil
	})
}

// TestWaitsOfPipe: the poller, the channel of the benchmark's own goroutine, and system calls by name.
func TestWaitsOfPipe(t *testing.T) {
	s := open(t, *toolchain.Sched())
	testutil.Retry(t, func(int) error {
		const n = 20
		f := s.Fork(record.Case{Name: "Pipe"}, fmt.Sprint(n, "x"))
		w := waits(t, f)
		checkWall(t, f, &w)
		received, _ := sum(&w, record.WaitReceive, "subjects.BenchmarkPipe", "subjects.reader")
		polled, _ := sum(&w, record.WaitNetwork, "subjects.reader", "")
		written := int64(0)
		for _, x := range w.Sites {
			if x.Cause == record.WaitSyscall && x.At.Func == "subjects.BenchmarkPipe" {
				written += x.Count
				if x.At.Op != "syscall.write" {
					t.Errorf("%+v", x)
				}
			}
		}
		if received < n/2 || polled < n/2 || written < n {
			return fmt.Errorf("%d waits to receive, %d for the poller, %d writes: %+v", received, polled, written, w.Sites)
		}
		return nil
	})
}
