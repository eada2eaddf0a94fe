package mock

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// TestDistributions holds delays against their distribution functions (Kolmogorov–Smirnov). The seed is fixed: the bound is that
// of a level of 0.001, and need not hold for every one.
func TestDistributions(t *testing.T) {
	const n = 200_000
	phi := func(z float64) float64 { return 0.5 * math.Erfc(-z/math.Sqrt2) }
	for _, c := range []struct {
		l   delays
		cdf func(ms float64) float64
	}{
		{delays{shape: exponential, delay: 2 * time.Millisecond}, func(x float64) float64 { return 1 - math.Exp(-x/2) }},
		{delays{shape: lognormal, delay: 3 * time.Millisecond, sigma: 0.8}, func(x float64) float64 { return phi(math.Log(x/3) / 0.8) }},
		{delays{shape: pareto, delay: time.Millisecond, alpha: 1.5}, func(x float64) float64 { return 1 - math.Pow(x, -1.5) }},
		{delays{shape: uniform, delay: 5 * time.Millisecond}, func(x float64) float64 { return x / 5 }},
	} {
		rng := rand.New(rand.NewPCG(3, 4))
		all, sum := make([]float64, n), 0.0
		for i := range all {
			d, stall := c.l.next(rng)
			if stall || d < 0 {
				t.Fatalf("%v: %v, stall %v", c.l, d, stall)
			}
			all[i] = float64(d) / 1e6
			sum += all[i]
		}
		slices.Sort(all)
		worst := 0.0
		for i, x := range all {
			f := c.cdf(x)
			worst = max(worst, math.Abs(f-float64(i)/n), math.Abs(f-float64(i+1)/n))
		}
		if bound := 1.95 / math.Sqrt(n); worst > bound {
			t.Errorf("%v: distance %.5f, want at most %.5f", c.l, worst, bound)
		}
		if mean := sum / n; c.l.shape != pareto && math.Abs(mean*1e6/c.l.mean()-1) > 0.01 { // the mean of that tail does not settle
			t.Errorf("%v: mean %v ms, want %v ns", c.l, mean, c.l.mean())
		}
	}
}

func TestBimodal(t *testing.T) {
	const n = 100_000
	l := delays{shape: bimodal, delay: time.Millisecond, slow: 50 * time.Millisecond, share: 0.02}
	rng := rand.New(rand.NewPCG(5, 6))
	counts := map[time.Duration]int{}
	for range n {
		d, _ := l.next(rng)
		counts[d]++
	}
	if len(counts) != 2 || counts[l.delay]+counts[l.slow] != n {
		t.Fatal(counts)
	}
	if share, sigma := float64(counts[l.slow])/n, math.Sqrt(0.02*0.98/n); math.Abs(share-0.02) > 4*sigma {
		t.Errorf("%v are slow", share)
	}
	if want := 0.98e6 + 0.02*50e6; math.Abs(l.mean()-want) > 1 {
		t.Errorf("mean %v, want %v", l.mean(), want)
	}
}

// TestWholeMilliseconds: YCSB draws its random delays so, and never the upper bound.
func TestWholeMilliseconds(t *testing.T) {
	l := delays{shape: uniform, delay: 3 * time.Millisecond, whole: true}
	rng := rand.New(rand.NewPCG(7, 8))
	counts := map[time.Duration]int{}
	for range 30_000 {
		d, _ := l.next(rng)
		counts[d]++
	}
	for ms := range 3 {
		if c := counts[time.Duration(ms)*time.Millisecond]; c < 9_500 || c > 10_500 {
			t.Errorf("%d of %d ms", c, ms)
		}
	}
	if len(counts) != 3 {
		t.Error(counts)
	}
}

func TestHeavyTailIsBounded(t *testing.T) {
	l := delays{shape: pareto, delay: time.Minute, alpha: 0.1}
	rng := rand.New(rand.NewPCG(9, 10))
	for range 1000 {
		if d, _ := l.next(rng); d < time.Minute || d > longest {
			t.Fatal(d)
		}
	}
}
