package stat

import (
	"math"
	"math/bits"
	"slices"
	"testing"
)

// TestIntervalIsTheTest deals the numbers 1 … m+n in every way: without ties
// the interval excludes 1 exactly if p ≤ alpha.
func TestIntervalIsTheTest(t *testing.T) {
	for m := 1; m <= 6; m++ {
		for n := 1; n <= 6; n++ {
			for mask := range 1 << (m + n) {
				if bits.OnesCount(uint(mask)) != m {
					continue
				}
				var a, b []float64
				for i := range m + n {
					if mask>>i&1 == 1 {
						a = append(a, float64(i+1))
					} else {
						b = append(b, float64(i+1))
					}
				}
				for _, confidence := range []float64{0.5, 0.8, 0.9, 0.95, 0.99} {
					checkAgreement(t, a, b, confidence)
				}
			}
		}
	}
}

// The same beyond, with the normal approximation above 50 values.
func TestIntervalIsTheTestLarge(t *testing.T) {
	r := seeded(3)
	for i := range 300 {
		m, n := 2+r.IntN(25), 2+r.IntN(25)
		if i%10 == 0 {
			m, n = 45+r.IntN(20), 45+r.IntN(20)
		}
		a, b := draws(r, lognormalShape(0.05), m), draws(r, lognormalShape(0.05), n)
		shift := 1 + 0.08*r.Float64()
		for j := range b {
			b[j] *= shift
		}
		for _, confidence := range []float64{0.9, 0.95, 0.99, 0.999} {
			checkAgreement(t, a, b, confidence)
		}
	}
}

func checkAgreement(t *testing.T, a, b []float64, confidence float64) {
	t.Helper()
	e, p := HodgesLehmann(a, b, confidence), MannWhitney(a, b).P
	excludes := e.Lo > 1 || e.Hi < 1
	if excludes != atMost(p, alphaOf(confidence)) {
		t.Fatalf("%v, %v at %v: interval %v … %v but p = %v", a, b, confidence, e.Lo, e.Hi, p)
	}
	if !(e.Lo <= e.Value && e.Value <= e.Hi) {
		t.Fatalf("%v, %v: %v outside %v … %v", a, b, e.Value, e.Lo, e.Hi)
	}
	if e.Confidence != 0 && e.Confidence < confidence-1e-12 {
		t.Fatalf("confidence %v below %v", e.Confidence, confidence)
	}
}

// Not only 1: every factor is in the interval exactly if the test does not
// reject b = factor·a.
func TestIntervalInvertsTheTest(t *testing.T) {
	r := seeded(4)
	for range 200 {
		a, b := draws(r, heavyShape(0.1), 4+r.IntN(8)), draws(r, heavyShape(0.1), 4+r.IntN(8))
		e := HodgesLehmann(a, b, 0.95)
		for range 10 {
			factor := math.Exp(0.3 * (2*r.Float64() - 1))
			scaled := make([]float64, len(a))
			for i, x := range a {
				scaled[i] = x * factor
			}
			inside := e.Lo <= factor && factor <= e.Hi
			if rejected := atMost(MannWhitney(scaled, b).P, 0.05); rejected == inside {
				t.Fatalf("factor %v, interval %v … %v, rejected %v", factor, e.Lo, e.Hi, rejected)
			}
		}
	}
}

// The staircase search against sorting all ratios, with ties and zeros.
func TestKthRatio(t *testing.T) {
	r := seeded(5)
	for range 300 {
		a, b := sorted(whole(r, 1+r.IntN(9), 6)), sorted(whole(r, 1+r.IntN(9), 6))
		for i := range a {
			a[i] -= float64(r.IntN(2)) // some zeros
		}
		slices.Sort(a)
		var all []float64
		for _, x := range a {
			for _, y := range b {
				all = append(all, ratio(x, y))
			}
		}
		slices.Sort(all)
		for k, want := range all {
			if got := kthRatio(a, b, k+1); got != want {
				t.Fatalf("ratio %d of %v, %v = %v, want %v", k+1, a, b, got, want)
			}
		}
	}
}

func TestHodgesLehmannEdges(t *testing.T) {
	four := []float64{1, 2, 3, 4}
	for _, c := range []struct {
		a, b []float64
		want Estimate
	}{
		{nil, four, noRatio()}, {four, nil, noRatio()}, {[]float64{-1, 2}, four, noRatio()},
		{[]float64{nan}, four, noRatio()}, {four, []float64{inf}, noRatio()},
		{[]float64{2}, []float64{3}, Estimate{1.5, 0, inf, 0}},
		{[]float64{1, 1, 1}, []float64{2, 2, 2}, Estimate{2, 0, inf, 0}},
		{[]float64{1, 1, 1, 1}, []float64{2, 2, 2, 2}, Estimate{2, 2, 2, 1 - 2.0/70}},
		{[]float64{0, 0, 0, 0}, []float64{0, 0, 0, 0}, Estimate{1, 1, 1, 1 - 2.0/70}},
		{[]float64{0, 0, 0, 0}, four, Estimate{inf, inf, inf, 1 - 2.0/70}},
		{four, []float64{0, 0, 0, 0}, Estimate{0, 0, 0, 1 - 2.0/70}},
		{[]float64{0, 4}, []float64{0, 4}, Estimate{1, 0, inf, 0}},
		{[]float64{0, 0, 3}, []float64{0, 3, 3}, Estimate{1, 0, inf, 0}},
		{[]float64{5e-324, 1e308}, []float64{5e-324, 1e308}, Estimate{1, 0, inf, 0}},
	} {
		got := HodgesLehmann(c.a, c.b, 0.95)
		near(t, "Value", got.Value, c.want.Value, 1e-12)
		near(t, "Lo", got.Lo, c.want.Lo, 1e-12)
		near(t, "Hi", got.Hi, c.want.Hi, 1e-12)
		near(t, "Confidence", got.Confidence, c.want.Confidence, 1e-12)
	}
}

// Sides that swap give the reciprocal.
func TestHodgesLehmannSwap(t *testing.T) {
	r := seeded(6)
	for range 100 {
		a, b := draws(r, lognormalShape(0.2), 3+r.IntN(9)), draws(r, lognormalShape(0.2), 3+r.IntN(9))
		e, f := HodgesLehmann(a, b, 0.9), HodgesLehmann(b, a, 0.9)
		near(t, "Value", e.Value, 1/f.Value, 1e-12)
		near(t, "Lo", e.Lo, 1/f.Hi, 1e-12)
		near(t, "Hi", e.Hi, 1/f.Lo, 1e-12)
	}
}
