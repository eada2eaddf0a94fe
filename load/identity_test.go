package load

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tarebench/tare/record"
)

// random returns a generator whose seed is printed when the test fails. Setting
// LOAD_SEED repeats a failure.
func random(t testing.TB) *rand.Rand {
	seed := rand.Uint64()
	if s := os.Getenv("LOAD_SEED"); s != "" {
		var err error
		if seed, err = strconv.ParseUint(s, 10, 64); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("repeat with LOAD_SEED=%d", seed)
		}
	})
	return rand.New(rand.NewPCG(seed, 0))
}

// TestIdentity runs any schedule under any policy against a target that is slow,
// fails, hangs and stalls, with cancellations in between, and holds every line to
// the sums, and the totals to what the target saw.
func TestIdentity(t *testing.T) {
	rounds := 200
	if raceDetector {
		rounds = 25
	}
	r := random(t)
	for i := range rounds {
		c := anyConfig(r)
		scenario := anyScenario(r)
		if c.Schedule.closed() { // or there would be millions of operations
			scenario.Service += time.Duration(c.Workers) * 200 * time.Microsecond
		}
		if err := c.Validate(); err != nil {
			t.Fatalf("%+v: %v", c, err)
		}
		inBubble(t, func(t *testing.T) { scenario.check(t, c) })
		if t.Failed() {
			t.Fatalf("round %d: %+v, %+v", i, c, scenario)
		}
	}
}

func oneOf[T any](r *rand.Rand, all ...T) T { return all[r.IntN(len(all))] }

// anyTime returns a time of any magnitude from 1 µs to 2 s.
func anyTime(r *rand.Rand) time.Duration {
	return time.Duration(float64(time.Microsecond) * float64(int(1)<<r.IntN(21)))
}

func anyConfig(r *rand.Rand) Config {
	c := Config{
		Workers:   oneOf(r, 1, 1, 2, 7, 70),
		Interval:  oneOf(r, 10*time.Millisecond, 100*time.Millisecond, time.Second),
		Drain:     oneOf(r, 0, time.Millisecond, time.Second),
		MaxErrors: oneOf[int64](r, 0, 0, 0, 1, 20),
		First:     oneOf[uint64](r, 0, 1000),
		Seed:      r.Uint64(),
		Phase:     oneOf(r, "", record.LoadWarmup, record.LoadInsert),
	}
	switch r.IntN(6) {
	case 0:
		c.Schedule.Rate = 1 + r.Float64()*2000
	case 1:
		c.Schedule = Schedule{Rate: r.Float64() * 1000, To: 1 + r.Float64()*1000, Over: anyTime(r)}
	case 2:
		c.Schedule.Steps = []Step{{Rate: r.Float64() * 2000, For: anyTime(r)}, {Rate: 0, For: anyTime(r)}, {Rate: 1 + r.Float64()*2000, For: anyTime(r)}}
	case 3:
		at := time.Duration(0)
		for range r.IntN(500) + 1 {
			at += time.Duration(r.ExpFloat64() * float64(time.Millisecond) * float64(r.IntN(3)))
			c.Schedule.Times = append(c.Schedule.Times, at)
		}
	}
	open := !c.Schedule.closed()
	c.Schedule.Poisson = open && c.Schedule.Times == nil && r.IntN(3) == 0
	ends := r.IntN(3)
	if ends != 0 {
		c.Duration = oneOf(r, 7*time.Millisecond, 500*time.Millisecond, 2*time.Second)
	}
	if ends != 1 {
		c.Operations = uint64(r.IntN(1000) + 1)
	}
	if open {
		c.AutoWorkers = r.IntN(3) == 0
		if c.AutoWorkers {
			c.MaxOutstanding = c.Workers + r.IntN(100)
		}
		c.OnLate = oneOf(r, LateCatchUp, LateCatchUp, LateLimit, LateSkip, LateFail)
		switch c.OnLate {
		case LateLimit:
			c.Limit = oneOf(r, 0, 1.1, 50)
		case LateSkip, LateFail:
			c.Skip = anyTime(r)
		}
	}
	return c
}

// A scenario is what a target does. Every choice follows from the seed and the
// number of the operation.
type scenario struct {
	Seed    uint64
	Service time.Duration // mean
	Fails   float64       // share of operations
	Misses  float64       // share of operations
	Stalls  float64       // share that takes 50 times as long
	Hangs   float64       // share that ignores cancellation, for a minute
	Cancel  time.Duration // when the run is cancelled; 0 means never
	Refuses bool          // no worker beyond the first ones can be made
}

func anyScenario(r *rand.Rand) scenario {
	s := scenario{Seed: r.Uint64(), Service: anyTime(r) / 20}
	s.Fails = oneOf(r, 0, 0, 0.01, 0.5)
	s.Misses = oneOf(r, 0, 0.1)
	s.Stalls = oneOf(r, 0, 0.02)
	s.Hangs = oneOf(r, 0, 0, 0, 0.003)
	s.Cancel = oneOf(r, 0, 0, time.Nanosecond, 3*time.Millisecond, time.Second)
	s.Refuses = r.IntN(3) == 0
	return s
}

// An attempt is what a target saw.
type attempt struct{ prepared, sent, answered, failed, missed atomic.Int64 }

func (s scenario) target(seen *attempt, workers int) *fake {
	return &fake{
		kinds: []string{"A", "B"},
		worker: func(_ context.Context, n int) error {
			if s.Refuses && n >= workers {
				return errors.New("no room")
			}
			return nil
		},
		prepare: func(_ int, k uint64) int {
			seen.prepared.Add(1)
			return int(k % 2)
		},
		do: func(ctx context.Context, _ int, k uint64, t *Timer) error {
			seen.sent.Add(1)
			r := rand.New(rand.NewPCG(s.Seed, k))
			d := time.Duration(r.ExpFloat64() * float64(s.Service))
			if r.Float64() < s.Stalls {
				d *= 50
			}
			if r.Float64() < s.Hangs {
				time.Sleep(time.Minute)
			} else if err := pause(ctx, d+1); err != nil {
				return err
			}
			seen.answered.Add(1)
			switch p := r.Float64(); {
			case p < s.Fails:
				seen.failed.Add(1)
				return errors.New("failed")
			case p < s.Fails+s.Misses:
				seen.missed.Add(1)
				return fmt.Errorf("key %d: %w", k, ErrNotFound)
			}
			return nil
		},
	}
}

func (s scenario) check(t *testing.T, c Config) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	if s.Cancel > 0 {
		time.AfterFunc(s.Cancel, cancel)
	}
	var seen attempt
	var l log
	calls := 0
	c.Status = func(i *Interval) { calls++ }
	whole, err := runFake(t, ctx, s.target(&seen, c.Workers), c, l.sink)
	if whole == nil {
		t.Fatal(err)
	}
	// What the target saw, before operations that hang go on.
	sent, answered := seen.sent.Load(), seen.answered.Load()
	failed, missed := seen.failed.Load(), seen.missed.Load()
	s.reasons(t, c, err, failed, ctx.Err() != nil)
	loads := l.loads()
	if calls != len(loads) || !loads[len(loads)-1].Final {
		t.Errorf("%d calls of Status for %d lines", calls, len(loads))
	}
	for _, line := range loads {
		checkIdentity(t, line)
	}
	checkOrder(t, loads)
	if whole.Started != sent {
		t.Errorf("%d operations were sent, %d say the totals", sent, whole.Started)
	}
	if given := sent - answered; whole.Unfinished < given {
		t.Errorf("%d were not answered, %d say the totals", given, whole.Unfinished)
	}
	if n := whole.Errors[ClassOther] - failed; n > 0 || n < -int64(whole.Unfinished) {
		t.Errorf("%d failed, %d say the totals", failed, whole.Errors[ClassOther])
	}
	if n := whole.Errors[ClassNotFound] - missed; n > 0 || n < -int64(whole.Unfinished) {
		t.Errorf("%d were not found, %d say the totals", missed, whole.Errors[ClassNotFound])
	}
	if whole.Errors[ClassCanceled] != 0 {
		t.Errorf("%d were cancelled: they are unfinished, and no errors", whole.Errors[ClassCanceled])
	}
	checkLatencies(t, whole, &l)
	if err == nil && c.Operations > 0 && c.Duration == 0 && (whole.Unsent > 0 || whole.Scheduled > int64(c.Operations)) {
		t.Errorf("%d operations were asked for: %+v", c.Operations, whole.Load)
	}
	time.Sleep(2 * time.Minute) // let go of what hangs
}

// reasons checks that a run failed only for a reason that it had.
func (s scenario) reasons(t *testing.T, c Config, err error, failed int64, cancelled bool) {
	t.Helper()
	switch {
	case err == nil:
	case errors.Is(err, ErrMaxErrors):
		if c.MaxErrors == 0 || failed < c.MaxErrors {
			t.Errorf("%v after %d", err, failed)
		}
	case errors.Is(err, ErrLate):
		if c.OnLate != LateFail {
			t.Error(err)
		}
	case errors.Is(err, context.Canceled):
		if !cancelled {
			t.Error(err)
		}
	default:
		t.Error(err)
	}
}

// checkOrder checks that intervals follow each other and counts only grow.
func checkOrder(t *testing.T, loads []*record.Load) {
	t.Helper()
	for i := 1; i < len(loads); i++ {
		a, b := loads[i-1], loads[i]
		if b.Scheduled < a.Scheduled || b.Started < a.Started || b.Completed < a.Completed || b.Dropped < a.Dropped || b.BacklogMax < a.BacklogMax {
			t.Errorf("went back: %+v, then %+v", a, b)
		}
		if !b.Final && (b.Iter != i+1 || b.Start != a.Start+a.Length) {
			t.Errorf("%+v does not follow %+v", b, a)
		}
	}
}

// checkLatencies checks that every operation completed was recorded once, in all
// intervals together as in the whole, and that no response is shorter than its
// service.
func checkLatencies(t *testing.T, whole *Interval, l *log) {
	t.Helper()
	var recorded int64
	for _, kind := range []string{"A", "B"} {
		merged := map[string]int64{}
		for _, line := range l.lines {
			if h, ok := line.(*record.Hist); ok && h.Name == kind {
				merged[h.Tag] += decode(t, h).Count()
			}
		}
		counts := map[string]int64{}
		for _, lat := range whole.Latencies {
			if lat.Kind == kind {
				counts[lat.Tag] = lat.Hist.Count()
			}
		}
		for _, tag := range []string{record.TagResponse, record.TagService, record.TagLateness, record.TagFailed} {
			if merged[tag] != counts[tag] {
				t.Errorf("%s %s: %d values in the intervals, %d in the whole", kind, tag, merged[tag], counts[tag])
			}
		}
		if n := counts[record.TagResponse]; n != 0 && n != counts[record.TagService] {
			t.Errorf("%s: %d response and %d service times", kind, n, counts[record.TagService])
		}
		if counts[record.TagLateness] > counts[record.TagService] {
			t.Errorf("%s: lateness of %d operations, but there are %d", kind, counts[record.TagLateness], counts[record.TagService])
		}
		recorded += counts[record.TagService] + counts[record.TagFailed]
	}
	if recorded != whole.Completed {
		t.Errorf("%d operations were recorded, %d completed", recorded, whole.Completed)
	}
}
