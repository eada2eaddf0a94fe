package load

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tarebench/tare/internal/base/diagnosis"
	"github.com/tarebench/tare/record"
)

// thinks returns an operation of two requests of 5 ms each with a pause between them. most
// takes how many requests were sent at the same time.
func thinks(d time.Duration, most *atomic.Int64) func(context.Context, int, uint64, *Timer) error {
	var now atomic.Int64
	request := func(ctx context.Context, t *Timer) error {
		from, n := t.Now(), now.Add(1)
		for m := most.Load(); n > m && !most.CompareAndSwap(m, n); m = most.Load() {
		}
		err := pause(ctx, 5*time.Millisecond)
		now.Add(-1)
		t.Part(1, from, t.Now(), err)
		return err
	}
	return func(ctx context.Context, _ int, _ uint64, t *Timer) error {
		if err := request(ctx, t); err != nil {
			return err
		}
		if err := t.Pause(ctx, d); err != nil {
			return err
		}
		return request(ctx, t)
	}
}

// TestPauseNeedsNoWorkers: four workers keep 50/s with a pause of 2 s in each operation, which
// holds 100 users at once. The pauses are in no latency.
func TestPauseNeedsNoWorkers(t *testing.T) {
	for _, c := range []Config{
		{Workers: 4}, {AutoWorkers: true, MaxOutstanding: 4}, {AutoWorkers: true},
	} {
		inBubble(t, func(t *testing.T) {
			var most atomic.Int64
			f := &fake{kinds: []string{"OP", "OP/step"}, do: thinks(2*time.Second, &most)}
			c.Schedule, c.Duration = Schedule{Rate: 50}, 10*time.Second
			var l log
			got, err := runFake(t, t.Context(), f, c, l.sink)
			if err != nil || got.Scheduled != 500 || got.Completed != 500 || got.Unsent != 0 {
				t.Fatalf("%+v, %v", got.Load, err)
			}
			if got.Achieved < 49 || got.Achieved > 51 || slices.Contains(l.warnings(), diagnosis.RateMissed) {
				t.Errorf("achieved %g, warnings %v", got.Achieved, l.warnings())
			}
			if got.Workers < 100 || got.Workers > 110 || f.opened.Load() != f.closed.Load() {
				t.Errorf("%d workers, %d opened, %d closed", got.Workers, f.opened.Load(), f.closed.Load())
			}
			if n := most.Load(); n > 4 {
				t.Errorf("%d requests at the same time", n)
			}
			for _, tag := range []string{record.TagResponse, record.TagService} {
				if h := latency(t, got, "OP", tag).Hist; h.Count() != 500 || h.Min() < 9.9e6 || h.Max() > 12e6 {
					t.Errorf("%s: %d from %d to %d", tag, h.Count(), h.Min(), h.Max())
				}
			}
			if h := latency(t, got, "OP/step", record.TagService).Hist; h.Count() != 1000 {
				t.Errorf("%d steps", h.Count())
			}
			if got.Silence > int64(200*time.Millisecond) {
				t.Errorf("a silence of %v", time.Duration(got.Silence))
			}
			for _, line := range l.loads() {
				checkIdentity(t, line)
			}
		})
	}
}

// TestPauseWaitsForAPermit: with one permit, operations whose pauses end together go on one after
// the other, and that wait counts.
func TestPauseWaitsForAPermit(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		f := &fake{do: func(ctx context.Context, _ int, k uint64, tm *Timer) error {
			until := 100*time.Millisecond - time.Duration(k)*10*time.Millisecond
			if err := tm.Pause(ctx, until); err != nil {
				return err
			}
			return pause(ctx, 30*time.Millisecond)
		}}
		got, err := runFake(t, t.Context(), f, Config{Schedule: Schedule{Rate: 100}, Workers: 1, Operations: 3}, nil)
		h := latency(t, got, "OP", record.TagResponse).Hist
		if err != nil || got.Completed != 3 || h.Count() != 3 || h.Min() < 29.9e6 || h.Min() > 31e6 || h.Max() < 89e6 || h.Max() > 91e6 {
			t.Errorf("%+v, %v; %d to %d", got.Load, err, h.Min(), h.Max())
		}
	})
}

// TestEndInPauses: operations that pause when they are given up are unfinished, in all lines;
// their bounds do not contain the pauses.
func TestEndInPauses(t *testing.T) {
	for name, c := range map[string]Config{
		"drained":   {Workers: 2, Duration: 3 * time.Second, Drain: time.Second},
		"limited":   {Workers: 1, Duration: 3 * time.Second, Drain: time.Second, OnLate: LateLimit},
		"dropping":  {Workers: 1, Duration: 3 * time.Second, Drain: time.Second, OnLate: LateSkip, Skip: 10 * time.Millisecond},
		"operation": {Workers: 2, Operations: 100, Drain: time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T) {
				var most atomic.Int64
				f := &fake{kinds: []string{"OP", "OP/step"}, do: thinks(time.Minute, &most)}
				c.Schedule = Schedule{Rate: 50}
				var l log
				got, err := runFake(t, t.Context(), f, c, l.sink)
				if err != nil || got.Completed != 0 || got.Unfinished < 100 || got.Unfinished != got.Started {
					t.Errorf("%+v, %v", got.Load, err)
				}
				for _, line := range l.loads() {
					checkIdentity(t, line)
				}
				for _, tag := range []string{record.TagUnanswered, record.TagUnansweredService} {
					if h := latency(t, got, "OP", tag).Hist; h.Count() != got.Unfinished || h.Max() > int64(50*time.Millisecond) || h.Min() < 4.9e6 {
						t.Errorf("%s: %d, at most %d", tag, h.Count(), h.Max())
					}
				}
			})
		})
	}
}

// TestCancelInPauses: a run that is cancelled does not wait for pauses.
func TestCancelInPauses(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, cancel)
		var most atomic.Int64
		f := &fake{kinds: []string{"OP", "OP/step"}, do: thinks(time.Hour, &most)}
		begin := time.Now()
		got, err := runFake(t, ctx, f, Config{Schedule: Schedule{Rate: 50}, Workers: 2, Duration: time.Minute}, nil)
		if err == nil || got.Unfinished == 0 || time.Since(begin) > 2*time.Second {
			t.Errorf("%+v, %v after %v", got.Load, err, time.Since(begin))
		}
		checkIdentity(t, &got.Load)
	})
}

// TestPauseInClosedLoop: a pause holds the user, and is in no latency.
func TestPauseInClosedLoop(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		var most atomic.Int64
		f := &fake{kinds: []string{"OP", "OP/step"}, do: thinks(time.Second, &most)}
		got, err := runFake(t, t.Context(), f, Config{Workers: 3, Operations: 9}, nil)
		h := latency(t, got, "OP", record.TagService).Hist
		if err != nil || got.Completed != 9 || got.Workers != 3 || h.Max() > 11e6 || got.Silence > int64(200*time.Millisecond) {
			t.Errorf("%+v, %v, %d", got.Load, err, h.Max())
		}
	})
}

// TestPauseOfFailedWorker: if no worker can be added, the run goes on with those that there are.
func TestPauseOfFailedWorker(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		var most atomic.Int64
		f := &fake{kinds: []string{"OP", "OP/step"}, do: thinks(time.Second, &most), worker: func(_ context.Context, n int) error {
			if n >= 2 {
				return errMine
			}
			return nil
		}}
		var l log
		got, err := runFake(t, t.Context(), f, Config{Schedule: Schedule{Rate: 50}, Workers: 2, Duration: 3 * time.Second}, l.sink)
		if err != nil || got.Unsent == 0 || !slices.Contains(l.warnings(), diagnosis.WorkerFailed) {
			t.Errorf("%+v, %v, %v", got.Load, err, l.warnings())
		}
		checkIdentity(t, &got.Load)
	})
}

// TestPauseOfNoRun: tests of workers need no engine.
func TestPauseOfNoRun(t *testing.T) {
	var tm Timer
	ctx, cancel := context.WithCancel(t.Context())
	tm.Part(0, tm.Now(), tm.Now(), nil)
	if err := tm.Pause(ctx, time.Nanosecond); err != nil {
		t.Error(err)
	}
	cancel()
	if err := tm.Pause(ctx, time.Hour); err == nil {
		t.Error("a cancelled pause has no error")
	}
}

// TestPermits: whatever who waits for, no permit is lost and none is added.
func TestPermits(t *testing.T) {
	const n, rounds = 3, 300
	p := &permits{free: n}
	var all sync.WaitGroup
	var now, most atomic.Int64
	for i := range 8 {
		all.Go(func() {
			for r := range rounds {
				done := make(chan struct{})
				if (i+r)%3 == 0 {
					time.AfterFunc(time.Duration(r)*time.Microsecond, func() { close(done) })
				}
				if !p.take(i%2 == 0, done) {
					continue
				}
				if m := now.Add(1); m > most.Load() {
					most.Store(m)
				}
				time.Sleep(time.Duration(r%7) * time.Microsecond)
				now.Add(-1)
				p.put()
			}
		})
	}
	all.Wait()
	if p.free != n || most.Load() > n || len(p.resuming)+len(p.starting) != 0 {
		t.Errorf("%d free, %d at once", p.free, most.Load())
	}
}
