package load

import (
	"context"
	"testing"
	"time"

	"github.com/tarebench/tare/internal/clock"
	"github.com/tarebench/tare/record"
)

// TestTruthLive is TestTruth on the real clock. What operations really took is
// measured here too, so that a busy machine, on which sleeps are long, is no
// reason to fail: with one worker that is never idle the k-th is answered when
// all up to it were done, and was due k/R after the first.
func TestTruthLive(t *testing.T) {
	const ops, service, period = 40, 20 * time.Millisecond, 5 * time.Millisecond
	for _, p := range []Pace{PaceHybrid, PaceSleep} {
		t.Run(string(p), func(t *testing.T) {
			var ends []int64
			f := &fake{do: func(ctx context.Context, _ int, _ uint64, _ *Timer) error {
				err := pause(ctx, service)
				ends = append(ends, clock.Now())
				return err
			}}
			var l log
			got, err := Run(t.Context(), f, Config{Schedule: Schedule{Rate: float64(time.Second / period)}, Operations: ops, Pace: p}, l.sink)
			if err != nil || got.Completed != ops {
				t.Fatalf("%+v, %v", got, err)
			}
			var want time.Duration // the longest
			for k, end := range ends {
				want = max(want, time.Duration(end-got.Start)-time.Duration(k)*period)
			}
			ideal := service + (ops-1)*(service-period)
			response := time.Duration(latency(t, got, "OP", record.TagResponse).Hist.Max())
			// The engine reads its clock after the operation did, and may have been
			// put aside meanwhile.
			if response < ideal || response < want-time.Microsecond || response > want*103/100+20*time.Millisecond {
				t.Errorf("the longest response was %v, want %v; by the formula %v", response, want, ideal)
			}
			if s := time.Duration(latency(t, got, "OP", record.TagService).Hist.Min()); s < service {
				t.Errorf("service in %v: cannot be below %v", s, service)
			}
			if text := doubtText(&l, DoubtRateMissed); text == "" {
				t.Error("nothing was said of the rate")
			}
		})
	}
}

// TestEveryPaceLive runs each pace and a closed loop with several workers on the
// real clock, and holds what comes to the sums.
func TestEveryPaceLive(t *testing.T) {
	for _, c := range []Config{
		{Schedule: Schedule{Rate: 2000, Poisson: true}, Workers: 4, Pace: PaceHybrid, Duration: 200 * time.Millisecond},
		{Schedule: Schedule{Rate: 2000}, Workers: 4, Pace: PaceSleep, Duration: 200 * time.Millisecond},
		{Schedule: Schedule{Rate: 500}, Auto: true, Duration: 200 * time.Millisecond},
		{Workers: 4, Duration: 50 * time.Millisecond},
	} {
		c.Interval = 20 * time.Millisecond
		var l log
		got, err := Run(t.Context(), &fake{do: takes(time.Millisecond)}, c, l.sink)
		if err != nil || got.Completed == 0 || got.Unfinished != 0 {
			t.Errorf("%+v, %v", got, err)
		}
		for _, line := range l.loads() {
			checkIdentity(t, line)
		}
		if _, ok := l.lines[0].(*record.Tare); !ok {
			t.Errorf("the first line is %T, not the cost of the clock", l.lines[0])
		}
		if got.Length < int64(c.Duration) {
			t.Errorf("took %v of %v", time.Duration(got.Length), c.Duration)
		}
	}
}

func TestClockInWords(t *testing.T) {
	if c := Clock(); c != "tsc" && len(c) < len("monotonic: ") {
		t.Errorf("%q", c)
	}
}
