package load

import (
	"context"
	"testing"
	"time"

	"github.com/tarebench/tare/internal/base/clock"
	"github.com/tarebench/tare/internal/base/diagnosis"
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
			// The engine reads its clock between the two, and may be put aside there.
			var ends, noted []int64
			f := &fake{
				do: func(ctx context.Context, _ int, _ uint64, _ *Timer) error {
					err := pause(ctx, service)
					ends = append(ends, clock.Now())
					return err
				},
				done: func(_ uint64, err error) error {
					noted = append(noted, clock.Now())
					return err
				},
			}
			var l log
			got, err := Run(t.Context(), f, Config{Schedule: Schedule{Rate: float64(time.Second / period)}, Operations: ops, Pace: p}, l.sink)
			if err != nil || got.Completed != ops {
				t.Fatalf("%+v, %v", got, err)
			}
			longest := func(stamps []int64) (most time.Duration) {
				for k, at := range stamps {
					most = max(most, time.Duration(at-got.Start)-time.Duration(k)*period)
				}
				return most
			}
			least, most := longest(ends)-time.Microsecond, longest(noted)+time.Microsecond
			ideal := service + (ops-1)*(service-period)
			response := time.Duration(latency(t, got, "OP", record.TagResponse).Hist.Max())
			if response < ideal || response < least || response > most {
				t.Errorf("the longest response was %v, want %v to %v; by the formula at least %v", response, least, most, ideal)
			}
			if s := time.Duration(latency(t, got, "OP", record.TagService).Hist.Min()); s < service {
				t.Errorf("service in %v: cannot be below %v", s, service)
			}
			if text := warningText(&l, diagnosis.RateMissed); text == "" {
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
		{Schedule: Schedule{Rate: 500}, AutoWorkers: true, Duration: 200 * time.Millisecond},
		{Workers: 4, Duration: 50 * time.Millisecond},
	} {
		c.Interval = 20 * time.Millisecond
		completed := runLive(t, c)
		for try := 0; completed == 0 && try < 3; try++ { // no worker had a processor in all that time
			c.Duration *= 4
			completed = runLive(t, c)
		}
		if completed == 0 {
			t.Errorf("nothing was done in %v", c.Duration)
		}
	}
}

// runLive returns how many operations a run has completed.
func runLive(t *testing.T, c Config) int64 {
	t.Helper()
	var l log
	got, err := Run(t.Context(), &fake{do: takes(time.Millisecond)}, c, l.sink)
	if err != nil || got.Unfinished != 0 {
		t.Fatalf("%+v, %v", got, err)
	}
	for _, line := range l.loads() {
		checkIdentity(t, line)
	}
	if _, ok := l.lines[0].(*record.Overhead); !ok {
		t.Errorf("the first line is %T, not the cost of the clock", l.lines[0])
	}
	if got.Length < int64(c.Duration) {
		t.Errorf("took %v of %v", time.Duration(got.Length), c.Duration)
	}
	return got.Completed
}

func TestClockInWords(t *testing.T) {
	if c := Clock(); c != "tsc" && len(c) < len("monotonic: ") {
		t.Errorf("%q", c)
	}
}
