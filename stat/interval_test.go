package stat

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/tarebench/tare/internal/testkit/testutil"
)

func TestMinSamples(t *testing.T) {
	for _, c := range []struct {
		confidence float64
		n          int
	}{{0.95, 6}, {0.99, 8}, {0.999, 11}, {0.5, 2}, {0, 2}, {-1, 2}, {0.96875, 6}, {1, 0}, {2, 0}, {nan, 0}} {
		if got := MinSamples(c.confidence); got != c.n {
			t.Errorf("MinSamples(%v) = %d, want %d", c.confidence, got, c.n)
		}
	}
}

// The ranks at 95 % are those of Conover's and Hollander & Wolfe's tables.
func TestMedianRanks(t *testing.T) {
	rank95 := map[int]int{6: 1, 7: 1, 8: 1, 9: 2, 10: 2, 11: 2, 12: 3, 13: 3, 14: 3, 15: 4, 16: 4,
		17: 5, 18: 5, 19: 5, 20: 6, 21: 6, 22: 6, 23: 7, 24: 7, 25: 8, 26: 8, 27: 8, 28: 9, 29: 9, 30: 10,
		50: 18, 100: 40}
	coverage95 := map[int]float64{6: 0.96875, 9: 0.9609375, 12: 0.961425781, 15: 0.964843750,
		20: 0.958610535, 25: 0.956714749, 30: 0.957226055}
	for n, r := range rank95 {
		got := ranksFor(n, 0.5, 0.95)
		if got.lo != r || got.hi != n+1-r {
			t.Errorf("n=%d: ranks %d … %d, want %d … %d", n, got.lo, got.hi, r, n+1-r)
		}
		if want, ok := coverage95[n]; ok {
			near(t, "coverage", got.coverage, want, 1e-8)
		}
	}
}

// For every n the ranks are the narrowest: their coverage is enough, the next
// narrower pair's is not.
func TestRanksNarrowest(t *testing.T) {
	for n := 1; n <= 1500; n += 1 + n/20 {
		for _, confidence := range []float64{0.5, 0.9, 0.95, 0.99, 0.999} {
			r := ranksFor(n, 0.5, confidence)
			if n < MinSamples(confidence) != (r.coverage == 0) {
				t.Errorf("n=%d at %v: coverage %v", n, confidence, r.coverage)
			}
			if r.coverage != 0 && r.coverage < confidence {
				t.Errorf("n=%d: coverage %v below %v", n, r.coverage, confidence)
			}
			tighter := 1 - 2*binomialCDF(n, 0.5, r.lo)
			if r.lo+1 < r.hi-1 && tighter >= confidence+1e-12 {
				t.Errorf("n=%d: %d … %d wider than needed for %v", n, r.lo, r.hi, confidence)
			}
		}
	}
}

func TestBinomial(t *testing.T) {
	for _, n := range []int{1, 2, 7, 30, 200, 1000, 1001, 5000} {
		for _, p := range []float64{0, 1e-9, 0.01, 0.3, 0.5, 0.9, 1} {
			sum := 0.0
			for k := -1; k <= n+1; k++ {
				sum += binomialPMF(n, p, k)
				if n > 200 && k%97 != 0 {
					continue
				}
				if got := binomialCDF(n, p, k); math.Abs(got-sum) > 1e-11 {
					t.Fatalf("P(Bin(%d, %v) ≤ %d) = %v, want %v", n, p, k, got, sum)
				}
			}
			near(t, "sum of probabilities", sum, 1, 1e-11)
		}
	}
}

func TestMedianIntervalEdges(t *testing.T) {
	for _, c := range []struct {
		xs   []float64
		conf float64
		want Interval
	}{
		{nil, 0.95, Interval{nan, -inf, inf, 0}},
		{[]float64{5}, 0.95, Interval{5, -inf, inf, 0}},
		{[]float64{5}, 0, Interval{5, -inf, inf, 0}},
		{[]float64{5, 4, 3, 2, 1}, 0.95, Interval{3, -inf, inf, 0}},
		{[]float64{6, 5, 4, 3, 2, 1}, 0.95, Interval{3.5, 1, 6, 0.96875}},
		{[]float64{6, 5, 4, 3, 2, 1}, 0.99, Interval{3.5, -inf, inf, 0}},
		{[]float64{6, 5, 4, 3, 2, 1}, 1, Interval{3.5, -inf, inf, 0}},
		{[]float64{6, 5, 4, 3, 2, 1}, nan, Interval{3.5, -inf, inf, 0}},
		{[]float64{2, 2, 2, 2, 2, 2}, 0.95, Interval{2, 2, 2, 0.96875}},
		{[]float64{1, 2, 3, nan, 5, 6}, 0.95, Interval{nan, -inf, inf, 0}},
		{[]float64{1, 2, 3, 4, 5, 6, 7, inf}, 0.95, Interval{4.5, 1, inf, 0.9921875}},
		{[]float64{1, 2, 3}, 0, Interval{2, 1, 3, 0.75}},
	} {
		got := MedianInterval(c.xs, c.conf)
		near(t, "Median", got.Median, c.want.Median, 1e-12)
		near(t, "Lo", got.Lo, c.want.Lo, 1e-12)
		near(t, "Hi", got.Hi, c.want.Hi, 1e-12)
		near(t, "Confidence", got.Confidence, c.want.Confidence, 1e-12)
	}
}

func TestQuantileInterval(t *testing.T) {
	xs := make([]float64, 100)
	for i := range xs {
		xs[i] = float64(i + 1)
	}
	// 25th percentile of 100: P(Bin(100, ¼) ≤ 16) = 0.0211 and P(≥ 35) = 0.0164.
	e := QuantileInterval(xs, 0.25, 0.95)
	if e.Lo != 17 || e.Hi != 35 {
		t.Errorf("quartile: %+v", e)
	}
	near(t, "coverage", e.Confidence, 1-binomialCDF(100, 0.25, 16)-(1-binomialCDF(100, 0.25, 34)), 1e-9)
	e = QuantileInterval(xs, 0.99, 0.95) // P(Bin(100, 0.99) = 100) = 0.37
	if e.Lo != 97 || !math.IsInf(e.Hi, 1) || e.Confidence < 0.975 {
		t.Errorf("p99 of 100: %+v", e)
	}
	for _, q := range []float64{0, 1, -1, 2, nan} {
		if e := QuantileInterval(xs, q, 0.95); !math.IsNaN(e.Value) || e.Confidence != 0 {
			t.Errorf("q=%v: %+v", q, e)
		}
	}
}

// TestMedianCoverage draws 100 000 samples from each of four shapes, looks at
// their first 6, 7, … 30 values, and counts how often the interval holds the
// true median: it must be the binomial coverage, which MedianInterval reports.
func TestMedianCoverage(t *testing.T) {
	const most = 30
	samples := testutil.Pick(20_000, 100_000)
	levels := []float64{0.95, 0.99, 0.999}
	var table [most + 1][3]ranks // what MedianInterval computes at each call
	for n := 1; n <= most; n++ {
		for l, confidence := range levels {
			table[n][l] = ranksFor(n, 0.5, confidence)
		}
	}
	for i, s := range []shape{normalShape(0.05), lognormalShape(0.2), bimodalShape(), heavyShape(0.05)} {
		t.Run(s.name, func(t *testing.T) {
			r := seeded(uint64(i))
			var hits [most + 1][3]int
			for range samples {
				coverOnce(r, s, &table, &hits)
			}
			for n := 6; n <= most; n++ {
				for l, confidence := range levels {
					if n < MinSamples(confidence) {
						if hits[n][l] != 0 {
							t.Errorf("n=%d at %v has an interval", n, confidence)
						}
						continue
					}
					nearRate(t, s.name, hits[n][l], samples, table[n][l].coverage)
				}
			}
			coverWhole(t, r, s, &table)
		})
	}
}

// coverOnce grows one sorted sample value by value and applies the ranks.
func coverOnce(r *rand.Rand, s shape, table *[31][3]ranks, hits *[31][3]int) {
	var buf [30]float64
	for n := 1; n <= len(buf); n++ {
		x, i := s.draw(r), n-1
		for ; i > 0 && buf[i-1] > x; i-- {
			buf[i] = buf[i-1]
		}
		buf[i] = x
		if n < 6 {
			continue
		}
		for l := range table[n] {
			lo, hi, coverage := table[n][l].apply(buf[:n])
			if coverage > 0 && lo <= s.median && s.median <= hi {
				hits[n][l]++
			}
		}
	}
}

// coverWhole checks on some samples that MedianInterval is these ranks.
func coverWhole(t *testing.T, r *rand.Rand, s shape, table *[31][3]ranks) {
	for range 200 {
		n := 1 + r.IntN(30)
		xs := draws(r, s, n)
		for l, confidence := range []float64{0.95, 0.99, 0.999} {
			got := MedianInterval(xs, confidence)
			lo, hi, coverage := table[n][l].apply(sorted(xs))
			if got.Lo != lo || got.Hi != hi || got.Confidence != coverage {
				t.Fatalf("MedianInterval of %d values = %+v, want %v … %v, %v", n, got, lo, hi, coverage)
			}
		}
	}
}
