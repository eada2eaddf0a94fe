package load

import (
	"context"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/tarebench/tare/record"
)

func TestValidate(t *testing.T) {
	rate := Schedule{Rate: 100}
	for _, tt := range []struct {
		name string
		c    Config
		want string // its lines in any order, joined; "" for valid
	}{
		{"closed loop", Config{Operations: 1}, ""},
		{"all set", Config{Schedule: rate, Workers: 2, AutoWorkers: true, MaxOutstanding: 9, Duration: 1, Operations: 1, First: 5, OnLate: LateLimit,
			Limit: 1.5, Pace: PaceSleep, Drain: 1, Interval: time.Second, MaxErrors: 1, Phase: record.LoadWarmup}, ""},
		{"replay ends by itself", Config{Schedule: Schedule{Times: []time.Duration{1, 2}}}, ""},
		{"steps end by themselves", Config{Schedule: Schedule{Steps: []Step{{Rate: 1, For: time.Second}}}}, ""},
		{"zero", Config{}, "the load has no end: set a duration or a number of operations"},
		{"steps without end", Config{Schedule: Schedule{Steps: []Step{{Rate: 1, For: 0}}}}, "the load has no end: set a duration or a number of operations"},
		{"rate", Config{Schedule: Schedule{Rate: -1}, Operations: 1}, "rate -1/s: must be above 0"},
		{"not a rate", Config{Schedule: Schedule{Rate: math.NaN()}, Operations: 1}, "rate NaN/s: not a number"},
		{"poisson alone", Config{Schedule: Schedule{Poisson: true}, Operations: 1}, "rate 0/s: must be above 0"},
		{"everything", Config{
			Schedule: Schedule{Rate: 1, Steps: []Step{{Rate: 1, For: 0}}}, Duration: -1, Workers: -1, MaxOutstanding: -1,
			OnLate: "never", Limit: 2, Skip: 1, Pace: "fast", Drain: -1, Interval: 1, MaxErrors: -1, Phase: "fun",
		}, `steps have their own rates: they take no other rate or ramp
duration -1ns: must not be negative
-1 workers: must be at least 1
at most -1 outstanding: must be at least 1
on late "never": want catch-up, limit, skip or fail
limit 2x: is for on late limit only
lateness limit 1ns: is for on late skip and fail only
pace "fast": want hybrid, sleep or spin
drain -1ns: must not be negative
interval 1ns: must be at least 1ms
at most -1 errors: must not be negative (0 means no bound)
phase "fun": want load, warmup or run`},
		{"closed loop with what needs a rate", Config{Operations: 1, AutoWorkers: true, OnLate: LateSkip, Skip: 1},
			`workers cannot be added as needed in a closed loop, where no operation is ever due: set a rate, or a number of workers
on late skip: nothing is ever late in a closed loop; set a rate`},
		{"limit of 1", Config{Schedule: rate, Operations: 1, OnLate: LateLimit, Limit: 1}, "limit 1x: must be above 1, or a backlog never ends, and at most 1e6"},
		{"limit not a number", Config{Schedule: rate, Operations: 1, OnLate: LateLimit, Limit: math.NaN()}, "limit NaNx: must be above 1, or a backlog never ends, and at most 1e6"},
		{"skip nothing", Config{Schedule: rate, Operations: 1, OnLate: LateFail}, "on late fail: the lateness limit must be above 0, not 0s"},
		{"outstanding", Config{Schedule: rate, Operations: 1, AutoWorkers: true, Workers: 5, MaxOutstanding: 4}, "at most 4 outstanding, but 5 workers from the start"},
		{"overflow", Config{First: 1 << 63, Operations: 1 << 63}, "9223372036854775808 operations from number 9223372036854775808: exceeds 64 bits"},
	} {
		err := tt.c.Validate()
		got := ""
		if err != nil {
			got = err.Error()
		}
		if got != tt.want {
			t.Errorf("%s:\n%s\nwant\n%s", tt.name, got, tt.want)
		}
		if tt.want != "" {
			if whole, err := Run(t.Context(), nothing{}, tt.c, nil); whole != nil || err == nil || !strings.HasPrefix(err.Error(), "load: ") {
				t.Errorf("%s was run: %v", tt.name, err)
			}
		}
	}
}

func TestScheduleInWords(t *testing.T) {
	for _, tt := range []struct {
		s    Schedule
		want string
	}{
		{Schedule{}, "closed loop"},
		{Schedule{Rate: 5000}, "constant 5000/s"},
		{Schedule{Rate: 1, To: 5, Over: time.Minute}, "ramp from 1/s to 5/s over 1m0s"},
		{Schedule{Steps: []Step{{Rate: 1, For: time.Second}, {Rate: 2, For: 0}}}, "steps 1/s for 1s, then 2/s"},
		{Schedule{Times: []time.Duration{1}}, "replay of 1 due times"},
	} {
		if got := tt.s.String(); got != tt.want {
			t.Errorf("%q, want %q", got, tt.want)
		}
	}
}

// TestRateAt: at what rate the schedule is, for catching up at a multiple of it.
func TestRateAt(t *testing.T) {
	const s = time.Second
	steps := Schedule{Steps: []Step{{Rate: 0, For: s}, {Rate: 10, For: s}, {Rate: 0, For: s}, {Rate: 20, For: s}, {Rate: 0, For: 0}}}
	ramp := Schedule{Rate: 0, To: 10, Over: 10 * s}
	ramps := Schedule{Steps: []Step{{To: 10, Ramp: true, For: 10 * s}, {Rate: 20, To: 0, Ramp: true, For: 2 * s}}}
	for _, tt := range []struct {
		s    Schedule
		at   time.Duration
		want float64
	}{
		{Schedule{Rate: 7}, 5 * s, 7},
		{steps, 0, 10}, {steps, s + 1, 10}, {steps, 2*s + 1, 10}, {steps, 3*s + 1, 20}, {steps, 9 * s, 20},
		{ramps, 0, 5}, {ramps, 4 * s, 4}, {ramps, 11 * s, 10}, {ramps, 20 * s, 10},
		{ramp, 0, 5}, {ramp, 5 * s, 5}, {ramp, 10 * s, 10}, {ramp, 20 * s, 10},
		{Schedule{Rate: 10, To: 0, Over: s}, 2 * s, 5},
		{Schedule{Times: []time.Duration{0, s, 2 * s}}, 0, 1.5},
		{Schedule{Times: []time.Duration{0, 0}}, 0, maxCatchUp},
	} {
		if got := tt.s.rateAt(tt.at); got != tt.want {
			t.Errorf("%v at %v: %v/s, want %v/s", tt.s, tt.at, got, tt.want)
		}
	}
}

// TestNilArguments: what is missing is named.
func TestNilArguments(t *testing.T) {
	var none context.Context
	if _, err := Run(none, nil, Config{}, nil); err == nil || err.Error() != "load: Run: ctx is nil" {
		t.Error(err)
	}
	if _, err := Run(t.Context(), nil, Config{}, nil); err == nil || err.Error() != "load: Run: t is nil" {
		t.Error(err)
	}
	defer func() {
		if got := recover(); got != "load: NewDialer: run is nil" {
			t.Error(got)
		}
	}()
	NewDialer(none, nil, 0)
}
