package load

import (
	"context"
	"testing"
	"time"

	"github.com/tarebench/tare/record"
)

// TestSub: operations inside an operation have service times of their own, and
// the response time from when the whole was due; their errors are counted once.
func TestSub(t *testing.T) {
	const ms = time.Millisecond
	target := func() *fake {
		return &fake{
			kinds: []string{"RMW", "READ", "UPDATE"},
			do: func(ctx context.Context, _ int, k uint64, tm *Timer) error {
				from := tm.Now()
				err := pause(ctx, 3*ms)
				tm.Sub(1, from, err)
				from = tm.Now()
				err = pause(ctx, 4*ms)
				switch k % 3 {
				case 1:
					err = errMine
				case 2:
					err = ErrNotFound
				}
				tm.Sub(2, from, err)
				return err
			},
		}
	}
	check := func(t *testing.T, i *Interval, kind, tag string, n int64, want time.Duration) {
		t.Helper()
		h := latency(t, i, kind, tag).Hist
		if h.Count() != n || h.Max() != int64(want) || h.Min() != int64(want) {
			t.Errorf("%s %s: %d from %v to %v, want %d of %v", kind, tag, h.Count(), time.Duration(h.Min()), time.Duration(h.Max()), n, want)
		}
	}
	inBubble(t, func(t *testing.T) {
		got, err := runFake(t, t.Context(), target(), Config{Schedule: Schedule{Rate: 100}, Operations: 9}, nil)
		if err != nil || got.Completed != 9 || got.Errors[ClassOther] != 3 || got.Errors[ClassNotFound] != 3 {
			t.Errorf("%+v, %v", got.Load, err)
		}
		check(t, got, "READ", record.TagService, 9, 3*ms)
		check(t, got, "READ", record.TagResponse, 9, 3*ms)
		check(t, got, "UPDATE", record.TagService, 6, 4*ms)
		check(t, got, "UPDATE", record.TagResponse, 6, 7*ms)
		check(t, got, "UPDATE", record.TagFailed, 3, 7*ms)
		check(t, got, "RMW", record.TagService, 6, 7*ms)
		check(t, got, "RMW", record.TagLateness, 6, 0)
		check(t, got, "RMW", record.TagFailed, 3, 7*ms)
		if n := len(got.Latencies); n != 9 {
			t.Errorf("%d histograms, want 9", n)
		}
	})
	inBubble(t, func(t *testing.T) {
		got, err := runFake(t, t.Context(), target(), Config{Operations: 9}, nil)
		if err != nil {
			t.Fatal(err)
		}
		check(t, got, "READ", record.TagService, 9, 3*ms)
		check(t, got, "UPDATE", record.TagService, 6, 4*ms)
		check(t, got, "UPDATE", record.TagFailed, 3, 4*ms)
		check(t, got, "RMW", record.TagService, 6, 7*ms)
		if n := len(got.Latencies); n != 5 {
			t.Errorf("%d histograms, want 5", n)
		}
	})
}

// TestSubOfGivenUp: when the run has given an operation up, so have those inside.
func TestSubOfGivenUp(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		f := &fake{do: func(ctx context.Context, _ int, k uint64, tm *Timer) error {
			from := tm.Now()
			err := pause(ctx, time.Minute)
			tm.Sub(0, from, err)
			return err
		}}
		got, err := runFake(t, t.Context(), f, Config{Duration: time.Second, Drain: time.Second}, nil)
		if err != nil || got.Unfinished != 1 || len(got.Latencies) != 1 || got.Latencies[0].Tag != record.TagUnansweredService {
			t.Errorf("%+v, %v", got, err)
		}
	})
}

// TestTimerOfNoRun: tests of workers need no engine.
func TestTimerOfNoRun(t *testing.T) {
	var tm Timer
	before := tm.Now()
	tm.Sub(0, before, nil)
	if now := tm.Now(); now < before || before == 0 {
		t.Errorf("%d, then %d", before, now)
	}
}
