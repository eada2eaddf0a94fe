package load

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/tarebench/tare/internal/base/diagnosis"
	"github.com/tarebench/tare/record"
)

// stall is an operation that takes 1 ms, but the one of number k takes long.
func stall(k uint64, long time.Duration) func(context.Context, int, uint64, *Timer) error {
	return func(ctx context.Context, _ int, i uint64, _ *Timer) error {
		if i == k {
			return pause(ctx, long)
		}
		return pause(ctx, time.Millisecond)
	}
}

// TestCatchUp: after a stall everything is sent, one operation after the other,
// and the backlog is known although it is over before the interval is.
func TestCatchUp(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		var l log
		c := Config{Schedule: Schedule{Rate: 100}, Duration: 2 * time.Second}
		got, err := runFake(t, t.Context(), &fake{do: stall(20, 205*time.Millisecond)}, c, l.sink)
		if err != nil {
			t.Fatal(err)
		}
		if got.Completed != 200 || got.Unsent != 0 || got.Dropped != 0 {
			t.Errorf("%+v", got.Load)
		}
		// Due at 200 ms, answered at 405 ms; 210, 220 … 400 ms are due then.
		if got.BacklogMax != 20 {
			t.Errorf("the backlog was %d, want 20", got.BacklogMax)
		}
		if m := latency(t, got, "OP", record.TagResponse).Hist.Max(); m != int64(205*time.Millisecond) {
			t.Errorf("maximum %v", time.Duration(m))
		}
		// The backlog shrinks by 9 ms an operation: 210 + 10n = 405 + n at n = 21.67.
		late := latency(t, got, "OP", record.TagLateness).Hist
		if late.Count() != 200-22 || late.Max() != 0 {
			t.Errorf("the lateness of %d operations up to %v, want that of the 178 whose worker was waiting: 0", late.Count(), time.Duration(late.Max()))
		}
		if d := l.warnings(); len(d) != 0 {
			t.Error(d)
		}
	})
}

// TestLateLimit: after a stall operations are sent at twice the rate, until none
// is late.
func TestLateLimit(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		var sent []time.Duration
		begin := time.Now()
		f := &fake{do: func(ctx context.Context, n int, k uint64, tm *Timer) error {
			sent = append(sent, time.Since(begin))
			return stall(20, 205*time.Millisecond)(ctx, n, k, tm)
		}}
		c := Config{Schedule: Schedule{Rate: 100}, Duration: 2 * time.Second, OnLate: LateLimit}
		got, err := runFake(t, t.Context(), f, c, nil)
		if err != nil || got.Completed != 200 {
			t.Fatalf("%+v, %v", got, err)
		}
		const gap = 5 * time.Millisecond
		for i := 22; i < len(sent); i++ {
			if d := sent[i] - sent[i-1]; d < gap {
				t.Errorf("operation %d was sent %v after the one before: the limit is %v", i, d, gap)
			}
		}
		// At 405 ms n operations of 210 + 10n are late; each takes 5 ms: none at n = 39.
		if d := sent[21+30] - sent[21]; d != 30*gap {
			t.Errorf("30 operations of the backlog were sent in %v, want %v", d, 30*gap)
		}
		if d := sent[100] - sent[99]; d != 10*time.Millisecond {
			t.Errorf("after the backlog, operations are sent every %v", d)
		}
	})
}

// TestLateSkip: what is later than allowed is dropped and counted, whether or not
// anybody is free to find out, and at the end too.
func TestLateSkip(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		var l log
		f := &fake{do: stall(20, 1205*time.Millisecond)}
		c := Config{Schedule: Schedule{Rate: 100}, Duration: 2 * time.Second, OnLate: LateSkip, Skip: 50 * time.Millisecond}
		got, err := runFake(t, t.Context(), f, c, l.sink)
		if err != nil {
			t.Fatal(err)
		}
		// Due at 200 ms, answered at 1405 ms: those due before 1355 ms are dropped,
		// which are the ones due at 210, 220 … 1350 ms.
		if got.Dropped != 115 || got.Completed != 85 || got.Unsent != 0 {
			t.Errorf("%+v", got.Load)
		}
		loads := l.loads()
		if second := loads[0]; second.Dropped != 74 || second.Unsent != 6 {
			t.Errorf("in the middle of the stall, at 1 s: %+v", second)
		}
		if !slices.Contains(l.warnings(), diagnosis.RateMissed) {
			t.Error(l.warnings())
		}
	})
}

// TestLateFail: the run ends as soon as a worker finds an operation too late. If no worker returns to find that, it ends at
// the next interval.
func TestLateFail(t *testing.T) {
	for _, tt := range []struct {
		name  string
		stall time.Duration
		ends  time.Duration
	}{
		{"found by a worker", 305 * time.Millisecond, 505 * time.Millisecond},
		{"found by the coordinator", time.Hour, time.Second},
	} {
		t.Run(tt.name, func(t *testing.T) {
			inBubble(t, func(t *testing.T) {
				f := &fake{do: stall(20, tt.stall)}
				c := Config{Schedule: Schedule{Rate: 100}, Duration: 20 * time.Second, OnLate: LateFail, Skip: 250 * time.Millisecond}
				got, err := runFake(t, t.Context(), f, c, nil)
				if !errors.Is(err, ErrLate) || got.Length != int64(tt.ends) {
					t.Errorf("%v after %v, want %v", err, time.Duration(got.Length), tt.ends)
				}
				checkIdentity(t, &got.Load)
			})
		})
	}
}

// TestEndOfDuration: an operation that is a moment late when the run ends is
// sent, one that is more than that is not.
func TestEndOfDuration(t *testing.T) {
	for _, tt := range []struct {
		takes  time.Duration // operation 998, due at 99.8 ms; the last one is due at 99.9
		unsent int64
	}{
		{150 * time.Microsecond, 0}, // in time
		{time.Millisecond, 0},       // the last one is late by 0.9 ms
		{1200 * time.Microsecond, 1},
	} {
		inBubble(t, func(t *testing.T) {
			f := &fake{do: func(ctx context.Context, _ int, k uint64, _ *Timer) error {
				if k == 998 {
					return pause(ctx, tt.takes)
				}
				return nil
			}}
			got, err := runFake(t, t.Context(), f, Config{Schedule: Schedule{Rate: 10_000}, Duration: 100 * time.Millisecond}, nil)
			if err != nil || got.Unsent != tt.unsent || got.Started != 1000-tt.unsent {
				t.Errorf("operation of %v: %+v, %v", tt.takes, got.Load, err)
			}
		})
	}
}

// TestAnyWorkerTakesTheBacklog: of two workers one hangs, and the other does all
// the rest in time.
func TestAnyWorkerTakesTheBacklog(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		f := &fake{do: stall(5, 900*time.Millisecond)}
		c := Config{Schedule: Schedule{Rate: 100}, Workers: 2, Duration: time.Second}
		got, err := runFake(t, t.Context(), f, c, nil)
		if err != nil || got.Completed != 100 || got.BacklogMax != 0 {
			t.Fatalf("%+v, %v", got, err)
		}
		h := latency(t, got, "OP", record.TagResponse).Hist
		if h.Max() != int64(900*time.Millisecond) || h.ValueAtPercentile(99) > int64(1002*time.Microsecond) {
			t.Errorf("p99 %v, max %v: the one that hung should be the only slow one", time.Duration(h.ValueAtPercentile(99)), time.Duration(h.Max()))
		}
	})
}

// TestAuto adds workers while operations wait, not one more than are needed to
// have none wait, and none beyond the limit.
func TestAuto(t *testing.T) {
	for _, tt := range []struct {
		name     string
		most     int
		low, top int
		unsent   bool
	}{
		{"as many as needed", 100, 41, 50, false},
		{"up to the limit", 10, 10, 10, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			inBubble(t, func(t *testing.T) {
				f := &fake{do: takes(40 * time.Millisecond)}
				c := Config{Schedule: Schedule{Rate: 1000}, AutoWorkers: true, MaxOutstanding: tt.most, Duration: 3 * time.Second}
				var l log
				got, err := runFake(t, t.Context(), f, c, l.sink)
				if err != nil {
					t.Fatal(err)
				}
				if got.Workers < tt.low || got.Workers > tt.top || (got.Unsent > 0) != tt.unsent {
					t.Errorf("%+v: want %d to %d workers", got.Load, tt.low, tt.top)
				}
				if f.opened.Load() != int64(got.Workers) || f.closed.Load() != f.opened.Load() {
					t.Errorf("%d workers, %d opened, %d closed", got.Workers, f.opened.Load(), f.closed.Load())
				}
				if missed := slices.Contains(l.warnings(), diagnosis.RateMissed); missed != tt.unsent {
					t.Error(l.warnings())
				}
			})
		})
	}
}

// TestAutoNeedsNoMore: one worker that keeps up stays alone.
func TestAutoNeedsNoMore(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		c := Config{Schedule: Schedule{Rate: 1000}, AutoWorkers: true, Duration: 3 * time.Second}
		got, err := runFake(t, t.Context(), &fake{do: takes(900 * time.Microsecond)}, c, nil)
		if err != nil || got.Workers != 1 || got.Completed != 3000 {
			t.Errorf("%+v, %v", got, err)
		}
	})
}

func TestAutoWorkerFails(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		var l log
		f := &fake{do: takes(40 * time.Millisecond), worker: func(_ context.Context, n int) error {
			if n == 3 {
				return errors.New("too many connections for redis://me:secret@host")
			}
			return nil
		}}
		c := Config{Schedule: Schedule{Rate: 1000}, AutoWorkers: true, Duration: time.Second}
		got, err := runFake(t, t.Context(), f, c, l.sink)
		if err != nil || got.Workers != 3 {
			t.Errorf("%+v, %v", got, err)
		}
		want := "3 workers: no further worker could be added: worker 3: too many connections for redis://me:***@host"
		if text := warningText(&l, diagnosis.WorkerFailed); text != want {
			t.Errorf("%q, want %q", text, want)
		}
	})
}

// warningText returns the text of a warning, or "".
func warningText(l *log, code string) string {
	for _, line := range l.lines {
		if w, ok := line.(*record.Warn); ok && w.Code == code {
			return w.Text
		}
	}
	return ""
}
