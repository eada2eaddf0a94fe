package pace

import (
	"math"
	"strings"
	"testing"
	"time"
)

func TestValidate(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	tests := []struct {
		c    Config
		want string // lines
	}{
		{Config{Rate: 1}, ""},
		{Config{Rate: 1e9}, ""},
		{Config{Rate: 1e-9}, ""},
		{Config{}, "rate 0/s: must be above 0"},
		{Config{Rate: -5}, "rate -5/s: must be above 0"},
		{Config{Rate: nan}, "rate NaN/s: not a number"},
		{Config{Rate: inf}, "rate +Inf/s: above 1e9/s, which is one operation per nanosecond"},
		{Config{Rate: 1e9 + 1}, "rate 1000000001/s: above 1e9/s, which is one operation per nanosecond"},
		{Config{Rate: 1e-10}, "rate 1e-10/s: below 1e-9/s, which is one operation in 30 years"},
		{Config{Rate: 1, For: -time.Second}, "duration -1s: must not be negative (0 means no bound)"},
		{Config{To: 5, Over: time.Second}, ""},
		{Config{Rate: 5, Over: time.Second}, ""},
		{Config{Rate: 5, To: 5}, "ramp over 0s: the time must be above 0"},
		{Config{Rate: 5, To: nan, Over: -1}, "ramp to NaN/s: not a number\nramp over -1ns: the time must be above 0"},
		{Config{Over: time.Second}, "ramp from 0/s to 0/s: no operation would ever be due"},
		{Config{Steps: []Step{{Rate: 5, For: time.Second}, {Rate: 0, For: time.Second}, {Rate: 7, For: 0}}}, ""},
		{Config{Steps: []Step{{Rate: 0, For: time.Second}, {Rate: 0, For: 0}}}, "steps: all rates are 0, no operation would ever be due"},
		{Config{Rate: 1, Steps: []Step{{Rate: 5, For: 0}, {Rate: -7, For: -1}}},
			"steps have their own rates: they take no other rate or ramp\n" +
				"step 1: has no duration; only the last step may go without\n" +
				"step 2: rate -7/s: must be above 0\n" +
				"step 2: duration -1ns: must not be negative"},
		{Config{Steps: []Step{{To: 5, Ramp: true, For: time.Second}, {Rate: 5, Ramp: true, For: time.Second}}}, ""},
		{Config{Steps: []Step{{Rate: 1, To: 5, For: 1}, {Ramp: true, For: 1}, {Rate: 1, To: nan, Ramp: true}}},
			"step 1: a rate to which it changes is for ramps only\n" +
				"step 2: ramp from 0/s to 0/s: want a rate of 0 without a ramp\n" +
				"step 3: ramp to NaN/s: not a number\n" +
				"step 3: a ramp has no duration"},
		{Config{Times: []time.Duration{0, 0, 9}}, ""},
		{Config{Times: []time.Duration{-1, 0}}, "due time 1: -1ns: must not be negative"},
		{Config{Times: []time.Duration{5, 3}, Poisson: true},
			"a replay has its own due times: it takes no rate, ramp, steps or Poisson arrivals\n" +
				"due time 2: 3ns comes after 5ns: they must ascend"},
	}
	for _, tt := range tests {
		got := ""
		if err := tt.c.Validate(); err != nil {
			got = err.Error()
		}
		if got != tt.want {
			t.Errorf("%+v:\n%s\nwant:\n%s", tt.c, got, tt.want)
		}
		_, err := New(tt.c)
		if (err != nil) != (tt.want != "") {
			t.Errorf("%+v: New says %v", tt.c, err)
		}
		if err != nil && !strings.HasPrefix(err.Error(), "pace: ") {
			t.Errorf("the error of New does not begin with the package: %v", err)
		}
	}
}

func TestConfigString(t *testing.T) {
	tests := []struct {
		c    Config
		want string
	}{
		{Config{Rate: 5000}, "constant 5000/s"},
		{Config{Rate: 1e6, For: time.Minute}, "constant 1000000/s, at most 1m0s"},
		{Config{Rate: 0.5, Poisson: true, Seed: 7, Ops: 10}, "constant 0.5/s, Poisson arrivals of seed 7, at most 10 operations"},
		{Config{To: 100, Over: time.Second}, "ramp from 0/s to 100/s over 1s"},
		{Config{Steps: []Step{{Rate: 5, For: time.Second}, {Rate: 7.5, For: 0}}}, "steps 5/s for 1s, then 7.5/s"},
		{Config{Steps: []Step{{To: 5, Ramp: true, For: time.Second}, {Rate: 5}}}, "steps from 0/s to 5/s over 1s, then 5/s"},
		{Config{Times: make([]time.Duration, 3)}, "replay of 3 due times"},
	}
	for _, tt := range tests {
		if got := tt.c.String(); got != tt.want {
			t.Errorf("%q, want %q", got, tt.want)
		}
	}
}

// FuzzSchedule: whatever is accepted ascends, keeps its bounds, and ends.
func FuzzSchedule(f *testing.F) {
	f.Add(5000.0, 0.0, int64(0), false, uint64(1), int64(1e9))
	f.Add(0.0, 1e9, int64(1), true, uint64(2), int64(0))
	f.Add(1e-9, 0.0, int64(math.MaxInt64), true, uint64(3), int64(math.MaxInt64))
	f.Add(333333.3333333333, 1e-9, int64(12345678901), false, uint64(4), int64(99))
	f.Fuzz(func(t *testing.T, rate, to float64, over int64, poisson bool, seed uint64, span int64) {
		c := Config{Rate: rate, To: to, Over: time.Duration(over), Poisson: poisson, Seed: seed, Ops: 2000, For: time.Duration(span)}
		checkAscends(t, c)
		c = Config{Steps: []Step{{Rate: rate, For: time.Duration(over)}, {Rate: to, For: time.Duration(over)}, {Rate: rate, For: 0}}, Poisson: poisson, Seed: seed, Ops: 2000, For: time.Duration(span)}
		checkAscends(t, c)
		c.Steps[1] = Step{Rate: rate, To: to, Ramp: true, For: time.Duration(over)}
		checkAscends(t, c)
	})
}

func checkAscends(t *testing.T, c Config) {
	s, err := New(c)
	if err != nil {
		return
	}
	last := time.Duration(0)
	for n := uint64(0); ; n++ {
		k, due, ok := s.Claim()
		if !ok {
			break
		}
		if k != n || k >= c.Ops || due < last || (c.For > 0 && due >= c.For) {
			t.Fatalf("%v: operation %d (the %dth) is due at %v, after %v", c, k, n, due, last)
		}
		last = due
	}
}
