package pace

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// TestRampIsExact computes, in 300-bit numbers, how many operations a ramp has
// had at each due time: that must be k, to within a nanosecond.
func TestRampIsExact(t *testing.T) {
	seed := uint64(20)
	r := rand.New(rand.NewPCG(seed, 0))
	configs := []Config{
		{Rate: 0, To: 1000, Over: 10 * time.Second},
		{Rate: 1000, To: 0, Over: 10 * time.Second},
		{Rate: 1e6, To: 0, Over: 10 * time.Hour},
		{Rate: 1e6, To: 1e6 + 1, Over: time.Hour},
		{Rate: 100, To: 100, Over: time.Minute},
		{Rate: 1, To: 1e9, Over: time.Hour},
		{Rate: 0.1, To: 0.3, Over: time.Hour},
	}
	for range 50 {
		configs = append(configs, Config{
			Rate: math.Exp(r.Float64()*20 - 5), To: math.Exp(r.Float64()*20 - 5),
			Over: time.Duration(math.Exp(r.Float64()*12) * 1e9),
		})
	}
	for _, c := range configs {
		ramp := newRamp(c.Rate, c.To, int64(c.Over))
		want := new(big.Rat).Add(exactRate(c.Rate), exactRate(c.To))
		want.Mul(want, big.NewRat(int64(c.Over), 2e9))
		if ramp.n != ceil(want) {
			t.Errorf("seed %d, %v: %d operations, want %d", seed, c, ramp.n, ceil(want))
		}
		for range 200 {
			checkRamp(t, c, ramp, uint64(r.Float64()*float64(ramp.n)))
		}
		checkRamp(t, c, ramp, 0)
		checkRamp(t, c, ramp, ramp.n-1)
		if _, ok := ramp.due(ramp.n, 0); ok {
			t.Errorf("%v: operation %d lies in the ramp of %d", c, ramp.n, ramp.n)
		}
	}
}

func checkRamp(t *testing.T, c Config, r *ramp, k uint64) {
	t.Helper()
	if k >= r.n {
		return
	}
	due, ok := r.due(k, 0)
	if !ok || due < 0 || due >= int64(c.Over) {
		t.Fatalf("%v: operation %d of %d: %d, %v", c, k, r.n, due, ok)
	}
	slack := int64(1 + 1e-15*float64(due))
	before, after := cumulated(c, due-slack), cumulated(c, due+1+slack)
	exact := new(big.Rat).SetInt(new(big.Int).SetUint64(k))
	// due is rounded down to a whole nanosecond: N(due) ≤ k < N(due+1)
	if due > slack && before.Cmp(exact) > 0 || due+1+slack < int64(c.Over) && after.Cmp(exact) < 0 {
		lo, _ := before.Float64()
		hi, _ := after.Float64()
		t.Fatalf("%v: operation %d is due at %d ns, but around it %v to %v are", c, k, due, lo, hi)
	}
}

// cumulated is N(t) in rational numbers.
func cumulated(c Config, t int64) *big.Rat {
	seconds := big.NewRat(t, 1e9)
	n := new(big.Rat).Mul(exactRate(c.Rate), seconds)
	rise := new(big.Rat).Sub(exactRate(c.To), exactRate(c.Rate))
	rise.Mul(rise, seconds).Mul(rise, seconds)
	rise.Quo(rise, big.NewRat(int64(c.Over), 5e8)) // 2T in seconds
	return n.Add(n, rise)
}

// TestPoissonIsPinned: a seed must mean the same schedule in every version.
func TestPoissonIsPinned(t *testing.T) {
	got := all(t, Config{Rate: 1000, Poisson: true, Seed: 1, Ops: 5})
	want := []time.Duration{419258, 657232, 1879458, 5208084, 5692826}
	if !slices.Equal(got, want) {
		t.Errorf("due at %d, want %d", got, want)
	}
	again := all(t, Config{Rate: 1000, Poisson: true, Seed: 1, Ops: 5})
	other := all(t, Config{Rate: 1000, Poisson: true, Seed: 2, Ops: 5})
	if !slices.Equal(got, again) || slices.Equal(got, other) {
		t.Errorf("seed 1: %v, again %v; seed 2: %v", got, again, other)
	}
}

// TestPoissonIsPoisson looks at gaps (exponential, by the Kolmogorov-Smirnov
// distance), their independence, and the counts per second (variance = mean).
// Seeds are fixed, so the limits are met always or never.
func TestPoissonIsPoisson(t *testing.T) {
	const rate, n = 2000.0, 200_000
	for seed := range uint64(3) {
		due := all(t, Config{Rate: rate, Poisson: true, Seed: seed, Ops: n})
		gaps := make([]float64, n)
		perTenth := map[int64]float64{}
		last := time.Duration(0)
		for i, d := range due {
			gaps[i] = (d - last).Seconds() * rate
			last = d
			perTenth[int64(d/(100*time.Millisecond))]++
		}
		lag := 0.0
		for i := 1; i < n; i++ {
			lag += (gaps[i] - 1) * (gaps[i-1] - 1) / n
		}
		if math.Abs(lag) > 4/math.Sqrt(n) {
			t.Errorf("seed %d: neighbouring gaps are correlated by %.4f", seed, lag)
		}
		slices.Sort(gaps)
		ks := 0.0
		for i, g := range gaps {
			ks = max(ks, math.Abs(1-math.Exp(-g)-float64(i)/n))
		}
		if ks > 1.63/math.Sqrt(n) { // 1 % level
			t.Errorf("seed %d: gaps differ by %.5f from an exponential distribution", seed, ks)
		}
		mean, variance, tenths := 0.0, 0.0, float64(last/(100*time.Millisecond))
		for i := range int64(tenths) {
			mean += perTenth[i] / tenths
		}
		for i := range int64(tenths) {
			variance += (perTenth[i] - mean) * (perTenth[i] - mean) / tenths
		}
		if r := variance / mean; r < 0.85 || r > 1.15 {
			t.Errorf("seed %d: variance of the counts is %.2f times their mean, want 1", seed, r)
		}
	}
}

// TestPoissonFollowsTheRate counts arrivals of ramps and steps in slices of
// time: each count is Poisson around the integral of the rate.
func TestPoissonFollowsTheRate(t *testing.T) {
	tests := []struct {
		name string
		c    Config
		rate func(s float64) float64
	}{
		{"up", Config{Rate: 100, To: 3000, Over: 10 * time.Second}, func(s float64) float64 { return min(100+290*s, 3000) }},
		{"down", Config{Rate: 3000, To: 0, Over: 10 * time.Second}, func(s float64) float64 { return max(3000-300*s, 0) }},
		{"steps", Config{Steps: []Step{{Rate: 1000, For: 3 * time.Second}, {Rate: 0, For: 3 * time.Second}, {Rate: 2000, For: 0}}},
			func(s float64) float64 {
				switch {
				case s < 3:
					return 1000
				case s < 6:
					return 0
				}
				return 2000
			}},
		{"steps with ramps", Config{Steps: []Step{{Rate: 1000, For: 3 * time.Second}, {Rate: 1000, To: 0, Ramp: true, For: 3 * time.Second}, {To: 2000, Ramp: true, For: 2 * time.Second}, {Rate: 2000}}},
			func(s float64) float64 {
				switch {
				case s < 3:
					return 1000
				case s < 6:
					return 1000 - (s-3)*1000/3
				}
				return min((s-6)*1000, 2000)
			}},
		{"steps shorter than a gap", Config{Steps: slices.Repeat([]Step{{Rate: 0.5, For: time.Second}, {Rate: 1.5, For: time.Second}}, 6000)},
			func(s float64) float64 { return 1 }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.c.Poisson, tt.c.Seed, tt.c.For = true, 5, 12*time.Second
			slices := 12
			width := 1.0
			if len(tt.c.Steps) > 1000 {
				tt.c.For, width = 12000*time.Second, 1000
			}
			counts := make([]float64, slices)
			for _, due := range all(t, tt.c) {
				counts[int(due.Seconds()/width)]++
			}
			for i, got := range counts {
				want := tt.rate(float64(i)*width+width/2) * width // linear in a slice: the middle is exact
				if math.Abs(got-want) > 4*math.Sqrt(want) {
					t.Errorf("%v from %v s on, want %v ± %.0f", got, float64(i)*width, want, math.Sqrt(want))
				}
			}
		})
	}
}
