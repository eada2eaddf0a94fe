package load

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tarebench/tare/internal/base/diagnosis"
	"github.com/tarebench/tare/record"
)

var errMine = errors.New("my reason")

// TestOperations: as many as were asked for are sent, however long it takes, and
// the rate that was asked is not that of the time it took.
func TestOperations(t *testing.T) {
	for _, s := range []Schedule{{}, {Rate: 1000}, {Rate: 1000, Poisson: true}, {Times: make([]time.Duration, 5000)}} {
		t.Run(s.String(), func(t *testing.T) {
			inBubble(t, func(t *testing.T) {
				var l log
				var ks [5010]atomic.Int64
				f := &fake{do: func(ctx context.Context, n int, k uint64, tm *Timer) error {
					ks[k].Add(1)
					return pause(ctx, 4*time.Millisecond)
				}}
				c := Config{Schedule: s, Operations: 5000, First: 7, Workers: 3}
				got, err := runFake(t, t.Context(), f, c, l.sink)
				if err != nil || got.Started != 5000 || got.Completed != 5000 || got.Unsent != 0 {
					t.Fatalf("%+v, %v", got, err)
				}
				for k := range ks {
					if n, want := ks[k].Load(), int64(1); n != want && (k >= 7 && k < 5007) || n > 1 {
						t.Fatalf("operation %d was sent %d times", k, n)
					}
				}
				if want := 20 * time.Second / 3; time.Duration(got.Length) < want || time.Duration(got.Length) > want+2*time.Second {
					t.Errorf("took %v, want %v", time.Duration(got.Length), want)
				}
				missed := slices.Contains(l.warnings(), diagnosis.RateMissed)
				if s.Rate > 0 && (got.TargetRate != 1000 || !missed) || s.closed() && (got.TargetRate != 0 || missed) {
					t.Errorf("asked %v, warnings %v", got.TargetRate, l.warnings())
				}
			})
		})
	}
}

// TestBothBounds: with a duration and a number of operations, what comes first
// ends the run.
func TestBothBounds(t *testing.T) {
	for _, tt := range []struct {
		ops  uint64
		want int64
		took time.Duration
	}{{50, 50, 491 * time.Millisecond}, {500, 100, time.Second}} {
		inBubble(t, func(t *testing.T) {
			c := Config{Schedule: Schedule{Rate: 100}, Operations: tt.ops, Duration: time.Second}
			got, err := runFake(t, t.Context(), &fake{do: takes(time.Millisecond)}, c, nil)
			if err != nil || got.Completed != tt.want || got.Length != int64(tt.took) {
				t.Errorf("%d operations: %+v, %v", tt.ops, got.Load, err)
			}
		})
	}
}

// TestClosedLoop has service times only, and shares operations out fairly even
// where there are few.
func TestClosedLoop(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		var by [10]atomic.Int64
		f := &fake{do: func(ctx context.Context, n int, _ uint64, _ *Timer) error {
			by[n].Add(1)
			return pause(ctx, 10*time.Millisecond)
		}}
		got, err := runFake(t, t.Context(), f, Config{Workers: 10, Operations: 100}, nil)
		if err != nil || got.Length != int64(100*time.Millisecond) || got.Achieved != 1000 {
			t.Errorf("%+v, %v", got, err)
		}
		for n := range by {
			if by[n].Load() != 10 {
				t.Errorf("worker %d has sent %d of 100", n, by[n].Load())
			}
		}
		if len(got.Latencies) != 1 || got.Latencies[0].Tag != record.TagService || got.Latencies[0].Hist.Count() != 100 {
			t.Errorf("latencies %v: want service alone", got.Latencies)
		}
	})
}

func TestCancel(t *testing.T) {
	for _, s := range []Schedule{{}, {Rate: 50}} {
		inBubble(t, func(t *testing.T) {
			ctx, cancel := context.WithCancelCause(t.Context())
			time.AfterFunc(1500*time.Millisecond, func() { cancel(errMine) })
			var l log
			got, err := runFake(t, ctx, &fake{do: takes(200 * time.Millisecond)}, Config{Schedule: s, Workers: 2, Duration: time.Minute}, l.sink)
			if !errors.Is(err, errMine) {
				t.Error(err)
			}
			// The operations that began at 1.4 s are in flight, and are given up at once.
			if got.Completed != 14 || got.Unfinished != 2 || got.Length > int64(1501*time.Millisecond) || len(got.Errors) != 0 {
				t.Errorf("%+v", got.Load)
			}
			if age := time.Duration(got.UnfinishedOldest); s.closed() && age != 100*time.Millisecond || !s.closed() && age < time.Second {
				t.Errorf("%v: the oldest unfinished is %v old", s, age)
			}
			if n := len(l.loads()); n != 3 {
				t.Errorf("%d lines, want two intervals and the whole", n)
			}
		})
	}
}

// TestCancelWhilePreparing: nothing is measured, and every worker that there is
// is closed.
func TestCancelWhilePreparing(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	f := &fake{worker: func(ctx context.Context, n int) error {
		if n == 2 {
			cancel(errMine)
			<-ctx.Done()
		}
		return nil
	}}
	got, err := Run(ctx, f, Config{Workers: 5, Operations: 1}, nil)
	if got != nil || !errors.Is(err, errMine) {
		t.Errorf("%v, %v", got, err)
	}
	if f.opened.Load() > 3 && f.opened.Load() != f.closed.Load() {
		t.Errorf("%d workers, %d closed", f.opened.Load(), f.closed.Load())
	}
}

func TestWorkerCannotBeMade(t *testing.T) {
	f := &fake{worker: func(_ context.Context, n int) error {
		if n == 2 {
			return errMine
		}
		return nil
	}}
	got, err := Run(t.Context(), f, Config{Workers: 5, Operations: 1}, nil)
	if got != nil || !errors.Is(err, errMine) || !strings.Contains(err.Error(), "worker 2: my reason") {
		t.Errorf("%v, %v", got, err)
	}
	if f.opened.Load() != 2 || f.closed.Load() != 2 {
		t.Errorf("%d workers, %d closed", f.opened.Load(), f.closed.Load())
	}
}

func TestMaxErrors(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		f := &fake{do: func(ctx context.Context, _ int, k uint64, _ *Timer) error {
			switch {
			case k%2 == 0:
				return ErrNotFound // is no failure
			case k%10 == 1:
				return fmt.Errorf("dial redis://:secret@h: %w", errMine)
			}
			return pause(ctx, time.Millisecond)
		}}
		got, err := runFake(t, t.Context(), f, Config{Schedule: Schedule{Rate: 100}, Duration: time.Minute, MaxErrors: 3}, nil)
		if !errors.Is(err, ErrMaxErrors) || got.Started != 22 || got.Errors[ClassOther] != 3 || got.Errors[ClassNotFound] != 11 {
			t.Errorf("%+v, %v", got.Load, err)
		}
		if first := got.First[ClassOther]; first != "dial redis://:***@h: my reason" {
			t.Errorf("the first error is %q", first)
		}
		if n := latency(t, got, "OP", record.TagFailed).Hist.Count(); n != 3 {
			t.Errorf("%d failed", n)
		}
		if n := latency(t, got, "OP", record.TagResponse).Hist.Count(); n != 19 {
			t.Errorf("%d response times", n)
		}
	})
}

// TestSinkFails: the disk is full. The run ends, the sink is not called again,
// and what was measured is there.
func TestSinkFails(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		calls := 0
		sink := func(record.Line) error {
			if calls++; calls == 3 {
				return errMine
			}
			return nil
		}
		got, err := runFake(t, t.Context(), &fake{do: takes(time.Millisecond)}, Config{Schedule: Schedule{Rate: 100}, Duration: time.Minute}, sink)
		if !errors.Is(err, errMine) || calls != 3 {
			t.Errorf("%v after %d calls", err, calls)
		}
		if got == nil || got.Completed < 100 || got.Completed > 102 {
			t.Errorf("%+v", got)
		}
	})
}

// TestPanic: a target's panic, wherever it is, ends the run with an error that
// has the stack, and loses nothing of what was measured.
func TestPanic(t *testing.T) {
	at := func(k uint64) {
		if k == 5 {
			panic(errMine)
		}
	}
	for _, tt := range []struct {
		name      string
		f         *fake
		completed int64
		failed    int64
	}{
		{"prepare", &fake{prepare: func(_ int, k uint64) int { at(k); return 0 }}, 5, 0},
		{"do", &fake{do: func(_ context.Context, _ int, k uint64, _ *Timer) error { at(k); return nil }}, 6, 1},
		{"done", &fake{done: func(k uint64, err error) error { at(k); return nil }}, 6, 1},
		{"close", &fake{close: func(int) error { panic(errMine) }}, 100, 0},
		{"goexit", &fake{do: func(_ context.Context, _ int, k uint64, _ *Timer) error {
			if k == 5 {
				runtime.Goexit()
			}
			return nil
		}}, 6, 1},
	} {
		for _, s := range []Schedule{{}, {Rate: 1000}} {
			t.Run(tt.name+"/"+s.String(), func(t *testing.T) {
				inBubble(t, func(t *testing.T) {
					got, err := runFake(t, t.Context(), tt.f, Config{Schedule: s, Operations: 100}, nil)
					var p *PanicError
					if !errors.As(err, &p) || p.Worker != 0 || !strings.Contains(string(p.Stack), "load") {
						t.Fatalf("%v", err)
					}
					if mine := errors.Is(err, errMine); mine != (tt.name != "goexit") {
						t.Error(err)
					}
					if got.Completed != tt.completed || got.Errors[ClassOther] != tt.failed {
						t.Errorf("%+v", got.Load)
					}
					checkIdentity(t, &got.Load)
				})
			})
		}
	}
}

// TestWrongKind: an operation of a kind that the target does not have ends the run, and is not sent.
func TestWrongKind(t *testing.T) {
	for kind, want := range map[int]string{
		77: "load: worker 0: Prepare returned kind 77 of 1: want an index into Kinds",
		1:  "load: worker 0: Prepare returned kind 1 of 1: want an index into Kinds",
		-1: "load: worker 0: Prepare returned kind -1 of 1: want an index into Kinds",
	} {
		for _, s := range []Schedule{{}, {Rate: 1000}} {
			inBubble(t, func(t *testing.T) {
				f := &fake{prepare: func(_ int, k uint64) int {
					if k == 5 {
						return kind
					}
					return 0
				}}
				got, err := runFake(t, t.Context(), f, Config{Schedule: s, Operations: 100}, nil)
				if err == nil || err.Error() != want || got == nil || got.Completed != 5 || len(got.Errors) != 0 {
					t.Fatalf("%s: %v, want %s; %+v", s, err, want, got)
				}
				checkIdentity(t, &got.Load)
			})
		}
	}
}

// TestNoWorker: a target without workers is an error, not a panic.
func TestNoWorker(t *testing.T) {
	got, err := Run(t.Context(), unmanned{&fake{}}, Config{Operations: 1}, nil)
	if got != nil || err == nil || err.Error() != "load: worker 0: Worker returned neither a worker nor an error" {
		t.Errorf("%v, %v", got, err)
	}
}

// unmanned is a target that makes no workers.
type unmanned struct{ *fake }

func (unmanned) Worker(context.Context, int) (Worker, error) { return nil, nil }

func TestPanicInWorker(t *testing.T) {
	f := &fake{worker: func(context.Context, int) error { panic("secret=1 of no use") }}
	got, err := Run(t.Context(), f, Config{Operations: 1}, nil)
	var p *PanicError
	if got != nil || !errors.As(err, &p) || err.Error() != "load: worker 0 panicked: secret=*** of no use" {
		t.Errorf("%v, %v", got, err)
	}
}

// TestHang: an operation that does not return, not even when it is cancelled, is
// left behind after drain and a second, and named.
func TestHang(t *testing.T) {
	for _, tt := range []struct {
		c    Config
		text string
	}{
		{Config{Schedule: Schedule{Rate: 100}, Duration: time.Second}, "worker 1 has not returned from a cancelled operation, due 6.95s ago: it was abandoned"},
		{Config{Schedule: Schedule{Rate: 100}, Operations: 100}, "worker 1 has not returned from a cancelled operation, due 6.95s ago: it was abandoned"},
		{Config{Duration: time.Second}, "worker 1 has not returned from a cancelled operation: it was abandoned"},
		{Config{Operations: 100}, "worker 1 has not returned from a cancelled operation: it was abandoned"},
	} {
		t.Run(tt.text, func(t *testing.T) {
			inBubble(t, func(t *testing.T) {
				release := make(chan struct{})
				f := &fake{do: func(ctx context.Context, n int, k uint64, _ *Timer) error {
					if n == 1 {
						<-release
					}
					return pause(ctx, 10*time.Millisecond)
				}}
				var l log
				tt.c.Workers = 2
				begin := time.Now()
				got, err := runFake(t, t.Context(), f, tt.c, l.sink)
				took := time.Since(begin)
				if err != nil || got.Unfinished != 1 || got.UnfinishedOldest < int64(4*time.Second) {
					t.Errorf("%+v, %v", got.Load, err)
				}
				if took < 6900*time.Millisecond || took > 9*time.Second {
					t.Errorf("took %v: want a second of sending, 5 s of drain and one more", took)
				}
				text := warningText(&l, diagnosis.WorkerHangs)
				if head, _, _ := strings.Cut(tt.text, "due"); !strings.HasPrefix(text, head) {
					t.Errorf("%q, want %q", text, tt.text)
				}
				for _, line := range l.loads() {
					checkIdentity(t, line)
				}
				close(release) // it returns when nothing waits any more
				time.Sleep(time.Second)
				if f.closed.Load() != 2 {
					t.Errorf("%d workers were closed", f.closed.Load())
				}
			})
		})
	}
}

// TestHangInBlock: a worker that hangs keeps the rest of its block, and the run
// ends all the same.
func TestHangInBlock(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		release := make(chan struct{})
		var hung atomic.Bool
		f := &fake{do: func(ctx context.Context, n int, k uint64, _ *Timer) error {
			if k >= 700 && hung.CompareAndSwap(false, true) {
				<-release
			}
			return pause(ctx, time.Microsecond)
		}}
		got, err := runFake(t, t.Context(), f, Config{Workers: 2, Operations: 1000}, nil)
		if err != nil || got.Unfinished != 1 || got.Started < 900 || got.Started == 1000 {
			t.Errorf("%+v, %v", got.Load, err)
		}
		checkIdentity(t, &got.Load)
		close(release)
	})
}

// TestDrain: what is in flight at the end is waited for, and counts if it is
// answered in time; else it is cancelled, and unfinished.
func TestDrain(t *testing.T) {
	for _, tt := range []struct {
		drain      time.Duration
		unfinished int64
	}{{3 * time.Second, 0}, {time.Second, 1}} {
		inBubble(t, func(t *testing.T) {
			var l log
			f := &fake{do: stall(99, 2*time.Second)}
			c := Config{Schedule: Schedule{Rate: 100}, Duration: time.Second, Drain: tt.drain}
			got, err := runFake(t, t.Context(), f, c, l.sink)
			if err != nil || got.Unfinished != tt.unfinished || got.Completed != 100-tt.unfinished || len(got.Errors) != 0 {
				t.Errorf("%+v, %v", got.Load, err)
			}
			if got.Length != int64(time.Second) || got.Achieved != 99 {
				t.Errorf("%v, %v/s: the drain is no part of the rate", time.Duration(got.Length), got.Achieved)
			}
			if h := latency(t, got, "OP", record.TagResponse).Hist; (h.Max() == int64(2*time.Second)) != (tt.unfinished == 0) {
				t.Errorf("maximum %v", time.Duration(h.Max()))
			}
		})
	}
}

func TestCloseFails(t *testing.T) {
	var l log
	f := &fake{close: func(int) error { return errMine }}
	if _, err := Run(t.Context(), f, Config{Operations: 1}, l.sink); err != nil {
		t.Error(err)
	}
	if text := warningText(&l, diagnosis.WorkerClose); text != "worker 0 could not be closed: my reason" {
		t.Errorf("%q", text)
	}
}

func TestDoneReplacesTheError(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		f := &fake{
			do: func(_ context.Context, _ int, k uint64, _ *Timer) error {
				if k == 1 {
					return errMine
				}
				return nil
			},
			done: func(k uint64, err error) error {
				if k == 2 {
					return ErrIntegrity
				}
				return nil // what Do said stands
			},
		}
		got, err := runFake(t, t.Context(), f, Config{Operations: 4}, nil)
		if err != nil || got.Errors[ClassOther] != 1 || got.Errors[ClassIntegrity] != 1 || len(got.Errors) != 2 {
			t.Errorf("%+v, %v", got.Load, err)
		}
	})
}
