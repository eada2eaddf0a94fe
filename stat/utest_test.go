package stat

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/aclements/go-moremath/stats"
	"golang.org/x/perf/benchmath"
)

// whole draws n values from 1 … k: many ties for small k.
func whole(r *rand.Rand, n, k int) []float64 {
	xs := make([]float64, n)
	for i := range xs {
		xs[i] = 1 + float64(r.IntN(k))
	}
	return xs
}

// R: wilcox.test(x, y, alternative = "greater"), W = 35, p = 0.1272.
func TestMannWhitneyVector(t *testing.T) {
	x := []float64{0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46}
	y := []float64{1.15, 0.88, 0.90, 0.74, 1.21}
	r := MannWhitney(y, x) // U counts pairs in which the second is larger
	if r.U != 35 {
		t.Errorf("U = %v, want 35", r.U)
	}
	near(t, "P", r.P, 2*0.1272, 1e-3)
}

func TestMannWhitneySmallestP(t *testing.T) {
	want := []float64{2: 0.3333333, 3: 0.1, 4: 0.02857143, 5: 0.007936508, 6: 0.002164502,
		7: 5.827506e-4, 8: 1.554002e-4, 9: 4.113534e-5}
	for n := 2; n < len(want); n++ {
		a, b := make([]float64, n), make([]float64, n)
		for i := range a {
			a[i], b[i] = float64(i), float64(100+i)
		}
		r := MannWhitney(a, b)
		near(t, "P", r.P, want[n], 1e-6)
		if r.U != float64(n*n) {
			t.Errorf("U = %v of %d", r.U, n*n)
		}
	}
	for _, c := range []struct {
		confidence float64
		n          int
	}{{0.95, 4}, {0.9975, 6}, {0.9, 3}, {0.99, 5}, {0.999, 7}, {0, 1}, {1, 0}, {nan, 0}} {
		if got := MinForks(c.confidence); got != c.n {
			t.Errorf("MinForks(%v) = %d, want %d", c.confidence, got, c.n)
		}
	}
}

func TestMannWhitneyEdges(t *testing.T) {
	for _, c := range []struct {
		a, b []float64
		p    float64
	}{
		{nil, nil, nan}, {nil, []float64{1}, nan}, {[]float64{1, nan}, []float64{1}, nan},
		{[]float64{1}, []float64{1}, 1}, {[]float64{1}, []float64{2}, 1},
		{[]float64{5, 5, 5, 5}, []float64{5, 5, 5, 5}, 1},
		{[]float64{-inf, 1, 2, 3}, []float64{4, 5, 6, inf}, 2.0 / 70},
		{[]float64{-4, -3, -2, -1}, []float64{0, 0, 0, 0}, 2.0 / 70},
	} {
		near(t, "P", MannWhitney(c.a, c.b).P, c.p, 1e-12)
	}
	big := make([]float64, 60)
	if p := MannWhitney(big, big).P; p != 1 {
		t.Errorf("all equal, beyond the exact sizes: %v", p)
	}
}

// The p of benchstat, over sizes and ties on both sides of the exact limits.
func TestMannWhitneyIsBenchstats(t *testing.T) {
	r := seeded(1)
	for range 400 {
		m, n, k := 1+r.IntN(12), 1+r.IntN(12), []int{2, 5, 30, 1e9}[r.IntN(4)]
		compareWithBenchmath(t, whole(r, m, k), whole(r, n, k))
	}
	for _, n := range []int{25, 26, 50, 51} {
		for _, k := range []int{40, 1e9} {
			a, b := whole(r, n, k), whole(r, n, k)
			compareWithBenchmath(t, a, b)
			compareWithBenchmath(t, a[:20], b)
		}
	}
}

func compareWithBenchmath(t *testing.T, a, b []float64) {
	t.Helper()
	thresholds := benchmath.DefaultThresholds
	sample := func(xs []float64) *benchmath.Sample { // NewSample sorts in place
		return benchmath.NewSample(append([]float64(nil), xs...), &thresholds)
	}
	want := benchmath.AssumeNothing.Compare(sample(a), sample(b)).P
	got := MannWhitney(a, b)
	tiedUnequal := len(a) != len(b) && newPool(a, b).ties > 0 && max(len(a), len(b)) <= uTiesExactLimit
	if !tiedUnequal && math.Abs(got.P-want) > 1e-11*max(1e-3, want) {
		t.Errorf("MannWhitney(%v, %v).P = %v, benchmath %v", a, b, got.P, want)
	}
	if swapped := MannWhitney(b, a).P; math.Abs(swapped-got.P) > 1e-12 {
		t.Errorf("MannWhitney(%v, %v).P = %v, swapped %v", a, b, got.P, swapped)
	}
	if res, err := stats.MannWhitneyUTest(b, a, stats.LocationDiffers); err == nil && res.U != got.U {
		t.Errorf("MannWhitney(%v, %v).U = %v, moremath %v", a, b, got.U, res.U)
	}
}

// The tied distribution against all ways to deal the pooled values.
func TestTiedDistribution(t *testing.T) {
	r := seeded(2)
	for range 60 {
		a, b := whole(r, 1+r.IntN(5), 3), whole(r, 1+r.IntN(5), 3)
		s := newPool(a, b)
		for twoU := 0; twoU <= 2*s.m*s.n; twoU++ {
			got := uTiedTail(s.ranks2, s.n, twoU)
			if want := dealTail(s, twoU); math.Abs(got-want) > 1e-12 {
				t.Fatalf("tail at 2U = %d of %v, %v = %v, want %v", twoU, a, b, got, want)
			}
		}
	}
	// moremath says 1.2 and 1.33.
	near(t, "P", MannWhitney([]float64{2}, []float64{2, 1, 1, 1}).P, 0.8, 1e-12)
	near(t, "P", MannWhitney([]float64{29}, []float64{19, 19}).P, 2.0/3, 1e-12)
}

func dealTail(s pool, twoU int) float64 {
	lower, upper, all := 0, 0, 0
	for mask := range 1 << len(s.ranks2) {
		if bits.OnesCount(uint(mask)) != s.n {
			continue
		}
		sum := 0
		for i, rank := range s.ranks2 {
			if mask>>i&1 == 1 {
				sum += rank
			}
		}
		all++
		if u := sum - s.n*(s.n+1); u <= twoU {
			lower++
		}
		if u := sum - s.n*(s.n+1); u >= twoU {
			upper++
		}
	}
	return float64(min(lower, upper)) / float64(all)
}
