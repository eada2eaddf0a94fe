package load

import (
	"testing"

	"github.com/tarebench/tare/internal/base/clock"
	"github.com/tarebench/tare/internal/numbers/pace"
)

// TestNoAllocation: neither an operation of a closed loop nor one of an open
// loop allocates, on any clock, waited for or late, found or not found.
func TestNoAllocation(t *testing.T) {
	if raceDetector {
		t.Skip("the race detector allocates")
	}
	for name, cycles := range clocks() {
		t.Run("closed/"+name, func(t *testing.T) {
			w := idle(t, Config{Operations: 1 << 40, Slowest: 10}, cycles)
			ops := uint64(0)
			if n := testing.AllocsPerRun(10, func() {
				w.e.next.Store(ops)
				ops += 1000
				w.e.config.Operations = ops
				w.closed()
			}); n != 0 {
				t.Errorf("%v allocations in 1000 operations", n)
			}
			if w.count != ops {
				t.Errorf("%d operations of %d: nothing was tested", w.count, ops)
			}
		})
	}
	t.Run("closed/share", func(t *testing.T) {
		w := idle(t, Config{Operations: 1 << 40, Share: newShare(t, []int{0, 1, 0}, 0)}, new(clock.Cycles))
		target := &stopping{e: w.e}
		w.target = target
		if n := testing.AllocsPerRun(10, func() {
			target.left = 1000
			w.closed()
			w.e.stopped.Store(false)
		}); n != 0 {
			t.Errorf("%v allocations in 1000 operations", n)
		}
		if w.count < 10_000 {
			t.Errorf("%d operations: nothing was tested", w.count)
		}
	})
	for _, tt := range []struct {
		name string
		c    Config
		work int64 // ns, of an operation; due every 1000
		err  error
	}{
		{"waiting", Config{}, 100, nil},
		{"late", Config{}, 1500, nil},
		{"limited", Config{OnLate: LateLimit}, 100, nil},
		{"dropping", Config{OnLate: LateSkip, Skip: 5000}, 1500, nil},
		{"not found", Config{}, 100, ErrNotFound},
		{"share, late", Config{Share: newShare(t, []int{0, 1, 0}, 0), OnLate: LateLimit}, 2500, nil},
	} {
		t.Run("open/"+tt.name, func(t *testing.T) {
			tt.c.Schedule, tt.c.Operations, tt.c.Slowest = Schedule{Rate: 1e6}, 1<<40, 10
			time := new(pace.Fake)
			w := idle(t, tt.c, new(clock.Cycles))
			w.virtual, w.pacer, w.target = time, time, &working{time: time, ns: tt.work, err: tt.err}
			w.describer = w.target.(Describer)
			run := func() {
				for until := w.count + 1000; w.count < until; {
					w.target.(*working).left = 1000
					w.open()
					w.e.stopped.Store(false)
				}
			}
			w.target.(*working).e = w.e
			if n := testing.AllocsPerRun(10, run); n != 0 {
				t.Errorf("%v allocations in 1000 operations", n)
			}
		})
	}
}

// idle returns the worker of an engine that does not run.
func idle(t *testing.T, c Config, cycles *clock.Cycles) *worker {
	e, err := newEngine(nothing{}, c.filled(), nil, timing{cycles: cycles, mode: pace.Timer, fake: true})
	if err != nil {
		t.Fatal(err)
	}
	if e.group != nil {
		t.Cleanup(func() { e.group.Close() })
	}
	e.workCtx, e.deadline = t.Context(), 1<<62
	w, err := e.newWorker(0, e.shards[0])
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// working is a worker whose operations take a fake time, and which stops its
// engine after some.
type working struct {
	nothingWorker
	e    *engine
	time *pace.Fake
	ns   int64
	err  error
	left int
}

func (w *working) Prepare(uint64) int {
	w.time.Work(w.ns)
	if w.left--; w.left == 0 {
		w.e.stopped.Store(true)
	}
	return 0
}

// stopping stops its engine after some operations.
type stopping struct {
	nothingWorker
	e    *engine
	left int
}

func (w *stopping) Done(error) error {
	if w.left--; w.left == 0 {
		w.e.stopped.Store(true)
	}
	return nil
}

func (w *working) Done(error) error { return w.err }

func (w *working) AppendOperation(b []byte, _ int) []byte {
	return append(b, "user4052466453699787802"...)
}

// counting is a fake clock that counts how often it is read.
type counting struct {
	*pace.Fake
	reads int
}

func (c *counting) Now() int64 {
	c.reads++
	return c.Fake.Now()
}

// TestReads: an operation that is late costs two readings of the clock, at its begin and its end, and one more where a policy
// needs to know how late it is.
func TestReads(t *testing.T) {
	for _, tt := range []struct {
		onLate OnLate
		want   int
	}{{LateCatchUp, 2}, {LateLimit, 3}, {LateSkip, 3}, {LateFail, 3}} {
		time := &counting{Fake: new(pace.Fake)}
		c := Config{Schedule: Schedule{Rate: 1e6}, Operations: 1 << 40, OnLate: tt.onLate, Limit: 1e9, Skip: 1 << 40}
		w := idle(t, c, new(clock.Cycles))
		target := &working{time: time.Fake, ns: 1500, e: w.e}
		w.virtual, w.pacer, w.target = time, time, target
		run := func(ops uint64) int {
			target.left = int(ops)
			w.e.stopped.Store(false)
			was, done := time.reads, w.count
			w.open()
			if w.count != done+ops {
				t.Fatalf("%s: %d operations, want %d", tt.onLate, w.count-done, ops)
			}
			return time.reads - was
		}
		run(100) // so that all that follow are late
		if few, many := run(100), run(1100); many-few != 1000*tt.want {
			t.Errorf("%s: 1000 operations took %d readings, want %d each", tt.onLate, many-few, tt.want)
		}
	}
}
