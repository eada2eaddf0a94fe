package stat

import (
	"math"
	"slices"
	"testing"
)

// R: p.adjust(c(0.01, 0.04, 0.03, 0.005), …), and with a NaN among them.
func TestAdjustVectors(t *testing.T) {
	ps := []float64{0.01, nan, 0.04, 0.03, 0.005}
	for i, want := range []float64{0.03, nan, 0.06, 0.06, 0.02} {
		near(t, "Holm", Holm(ps)[i], want, 1e-12)
	}
	for i, want := range []float64{0.02, nan, 0.04, 0.04, 0.02} {
		near(t, "BenjaminiHochberg", BenjaminiHochberg(ps)[i], want, 1e-12)
	}
	if ps[0] != 0.01 || len(Holm(nil)) != 0 || len(BenjaminiHochberg(nil)) != 0 {
		t.Error("argument changed, or something from nothing")
	}
	for _, p := range append(Holm([]float64{0.7, 0.9, 1}), BenjaminiHochberg([]float64{0.7, 0.9, 1})...) {
		if p > 1 {
			t.Errorf("adjusted to %v", p)
		}
	}
}

// The worked example of Benjamini & Hochberg 1995: of 15 hypotheses at 0.05
// their procedure rejects four, Bonferroni's and Holm's three.
func TestAdjustPaper(t *testing.T) {
	ps := []float64{0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459,
		0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1}
	count := func(ps []float64) (n int) {
		for _, p := range ps {
			n += int(indicator(p <= 0.05))
		}
		return n
	}
	if h, bh := count(Holm(ps)), count(BenjaminiHochberg(ps)); h != 3 || bh != 4 {
		t.Errorf("Holm rejects %d, Benjamini-Hochberg %d; want 3 and 4", h, bh)
	}
}

// Comparing adjusted values with alpha is the step-wise procedure itself.
func TestAdjustIsTheProcedure(t *testing.T) {
	r := seeded(1)
	for range 300 {
		m := 1 + r.IntN(12)
		ps := make([]float64, m)
		for i := range ps {
			ps[i] = math.Pow(r.Float64(), 4)
		}
		const alpha = 0.05
		s := slices.Sorted(slices.Values(ps))
		holm, bh := 0, 0
		for holm < m && s[holm] <= alpha/float64(m-holm) {
			holm++
		}
		for k := range s {
			if s[k] <= float64(k+1)*alpha/float64(m) {
				bh = k + 1
			}
		}
		h, b := Holm(ps), BenjaminiHochberg(ps)
		for i, p := range ps {
			rank, _ := slices.BinarySearch(s, p)
			if (h[i] <= alpha) != (rank < holm) || (b[i] <= alpha) != (rank < bh) {
				t.Fatalf("%v: Holm %v (%d), BH %v (%d)", ps, h, holm, b, bh)
			}
		}
	}
}
