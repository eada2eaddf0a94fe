package load

import (
	"context"
	"errors"
	"testing"
	"time"
)

// TestSilence: an outage is found however long an interval is, in both loops, and what is only slow is none.
func TestSilence(t *testing.T) {
	const outage, begin, end = 2 * time.Second, 3 * time.Second, 5 * time.Second
	stands := func(ctx context.Context, since time.Duration) error {
		if since >= begin && since < end {
			return pause(ctx, end-since)
		}
		return pause(ctx, time.Millisecond)
	}
	fails := func(ctx context.Context, since time.Duration) error {
		if since >= begin && since < end {
			return errors.New("sorry")
		}
		return pause(ctx, time.Millisecond)
	}
	slow := func(ctx context.Context, _ time.Duration) error { return pause(ctx, 700*time.Millisecond) }
	quick := func(ctx context.Context, _ time.Duration) error { return pause(ctx, time.Millisecond) }
	many := Config{Schedule: Schedule{Rate: 500}, Workers: 1, AutoWorkers: true}
	few := Config{Schedule: Schedule{Rate: 500}, Workers: 2}
	for _, tt := range []struct {
		name   string
		config Config
		do     func(context.Context, time.Duration) error
		want   time.Duration // at most, and two periods less at least
		due    int64
	}{
		{"each worker waits", many, stands, outage, 1000},
		{"two workers wait", few, stands, outage, 1000},
		{"errors", many, fails, outage, 1000},
		{"closed loop", Config{Workers: 3}, stands, outage, 0},
		{"errors in a closed loop", Config{Schedule: Schedule{Rate: 20}, Workers: 3}, fails, outage, 40},
		{"slow", Config{Schedule: Schedule{Rate: 50}, Workers: 1, AutoWorkers: true}, slow, 700 * time.Millisecond, 35},
		{"few are due", Config{Schedule: Schedule{Rate: 0.5}}, quick, time.Duration(watchPeriod), 0},
		{"well", many, quick, 0, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			inBubble(t, func(t *testing.T) {
				c := tt.config
				c.Duration, c.Interval = 8*time.Second, 10*time.Second
				start := time.Now()
				f := &fake{do: func(ctx context.Context, _ int, _ uint64, _ *Timer) error { return tt.do(ctx, time.Since(start)) }}
				var l log
				got, err := runFake(t, t.Context(), f, c, l.sink)
				if err != nil {
					t.Fatal(err)
				}
				short := time.Duration(min(tt.want, 2*time.Duration(watchPeriod)))
				if s := time.Duration(got.Silence); s > tt.want+time.Duration(watchPeriod)/2 || s < tt.want-short {
					t.Errorf("a silence of %v, want %v", s, tt.want)
				}
				if tt.due > 0 && (got.SilenceDue > tt.due+tt.due/20 || got.SilenceDue < tt.due-tt.due/7) {
					t.Errorf("%d operations were due in it, want %d", got.SilenceDue, tt.due)
				}
				for _, line := range l.loads() {
					checkIdentity(t, line)
				}
			})
		})
	}
}

// TestStoodStill: a time in which the load generator itself did not run is no silence of the system.
func TestStoodStill(t *testing.T) {
	e := &engine{start: 1}
	e.silences.at = 1
	e.workers = []*worker{{}}
	e.workers[0].state.Store(1) // in flight
	now := int64(1)
	for range 10 {
		now += watchPeriod
		e.watch(now)
	}
	if got := e.silences.longest.length; got != 10*watchPeriod {
		t.Errorf("%v before, want %v", time.Duration(got), time.Duration(10*watchPeriod))
	}
	e.watch(now + int64(3*time.Second))
	if got := e.silences.longest.length; got != 10*watchPeriod {
		t.Errorf("%v with 3 s without a reading", time.Duration(got))
	}
}
