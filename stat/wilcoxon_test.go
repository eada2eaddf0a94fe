package stat

import (
	"math"
	"testing"
)

// Hollander & Wolfe's depression data; R: V = 40, one-sided p = 0.01953.
func TestWilcoxonVector(t *testing.T) {
	x := []float64{1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30}
	y := []float64{0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29}
	ds := make([]float64, len(x))
	for i := range ds {
		ds[i] = x[i] - y[i]
	}
	r := Wilcoxon(ds)
	if r.W != 40 || r.N != 9 {
		t.Errorf("W = %v of %d", r.W, r.N)
	}
	near(t, "P", r.P, 0.0390625, 1e-12)
}

// The largest W rejected at 5 %, two-sided, from the usual tables, with its p.
func TestWilcoxonTable(t *testing.T) {
	for _, c := range []struct {
		n, w int
		p    float64
	}{{6, 0, 0.03125}, {7, 2, 0.046875}, {8, 3, 0.0390625}, {9, 5, 0.0390625}, {10, 8, 0.048828125}} {
		ranks2 := make([]int, c.n)
		for i := range ranks2 {
			ranks2[i] = 2 * (i + 1)
		}
		near(t, "P", 2*signedRankCDF(ranks2, 2*c.w), c.p, 1e-12)
		if 2*signedRankCDF(ranks2, 2*c.w+2) <= 0.05 {
			t.Errorf("n=%d: W = %d is rejected too", c.n, c.w+1)
		}
	}
}

// All 2^N signs, with ties and zeros.
func TestWilcoxonExact(t *testing.T) {
	r := seeded(1)
	for range 40 {
		ds := whole(r, 1+r.IntN(8), 7)
		for i := range ds {
			ds[i] -= 3
		}
		got, nonzero := Wilcoxon(ds), []float64{}
		for _, d := range ds {
			if d != 0 {
				nonzero = append(nonzero, d)
			}
		}
		if len(nonzero) == 0 {
			near(t, "P", got.P, 1, 0)
			continue
		}
		n, hits := len(nonzero), 0
		centre := float64(n*(n+1)) / 4
		for mask := range 1 << n {
			for i := range nonzero {
				nonzero[i] = math.Abs(nonzero[i])
				if mask>>i&1 == 1 {
					nonzero[i] = -nonzero[i]
				}
			}
			_, twoW, _ := signedRanks(nonzero)
			if math.Abs(float64(twoW)/2-centre) >= math.Abs(got.W-centre) {
				hits++
			}
		}
		near(t, "P", got.P, float64(hits)/math.Exp2(float64(n)), 1e-12)
	}
}

func TestWilcoxonEdges(t *testing.T) {
	for _, c := range []struct {
		ds []float64
		p  float64
	}{{nil, nan}, {[]float64{nan, 1}, nan}, {[]float64{0, 0}, 1}, {[]float64{3}, 1}, {[]float64{inf, inf, 1, 2, 3, 4}, 0.03125}} {
		near(t, "P", Wilcoxon(c.ds).P, c.p, 1e-12)
	}
	// The normal form continues the exact one.
	ds := make([]float64, 61)
	for i := range ds {
		ds[i] = float64(i+1) * float64(1-2*(i%3/2))
	}
	near(t, "P at 61 against 60", Wilcoxon(ds).P, Wilcoxon(ds[1:]).P, 0.1)
}

func TestLogRatios(t *testing.T) {
	got := LogRatios([]float64{1, 2, 0, -1, inf, 5e-324, 3, 9}, []float64{2, 4, 1, 1, 1, 1e300, 3})
	want := []float64{math.Ln2, math.Ln2, nan, nan, nan, math.Log(1e300) - math.Log(5e-324), 0}
	if len(got) != len(want) {
		t.Fatal(got)
	}
	for i := range want {
		near(t, "log ratio", got[i], want[i], 1e-15)
	}
	if got[0] != got[1] {
		t.Error("equal ratios differ")
	}
}
