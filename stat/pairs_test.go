package stat

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestPairsAgreement: the interval excludes 1 exactly if p is at most alpha, where nothing is
// tied, also around the end of the exact distribution.
func TestPairsAgreement(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for trial := range 400 {
		n := 3 + trial%70
		a, b := make([]float64, n), make([]float64, n)
		shift := rng.NormFloat64() * 0.4 / math.Sqrt(float64(n))
		for i := range a {
			a[i] = math.Exp(rng.NormFloat64())
			b[i] = a[i] * math.Exp(shift+0.3*rng.NormFloat64())
		}
		c := ComparePairs(a, b, Options{})
		if excluded := c.Lo > 1 || c.Hi < 1; excluded != (c.P <= 0.05) && math.Abs(c.P-0.05) > 0.003 {
			t.Errorf("%d pairs: p %v, %v … %v", n, c.P, c.Lo, c.Hi)
		}
		if !(c.Lo <= c.Ratio && c.Ratio <= c.Hi) {
			t.Errorf("%d pairs: %v is not within %v … %v", n, c.Ratio, c.Lo, c.Hi)
		}
	}
}

// TestPairsLevels: what is said at 95 % holds in 95 of 100 cases, and values that follow each
// other are no matter.
func TestPairsLevels(t *testing.T) {
	const trials = 1000
	rng := rand.New(rand.NewPCG(3, 4))
	for _, n := range []int{6, 12, 30, 80} {
		different, missed := 0, 0
		for range trials {
			a, b := make([]float64, n), make([]float64, n)
			common := 0.0
			for i := range a {
				common = 0.9*common + rng.NormFloat64() // of both values of a pair
				a[i] = math.Exp(common + 0.3*rng.ExpFloat64())
				b[i] = 1.1 * math.Exp(common+0.3*rng.ExpFloat64())
			}
			c := ComparePairs(a, b, Options{Resamples: -1})
			if c.Lo > 1.1 || c.Hi < 1.1 {
				missed++
			}
			for i := range b {
				b[i] /= 1.1
			}
			if v := ComparePairs(a, b, Options{}).Verdict; v == Faster || v == Slower {
				different++
			}
		}
		if most := int(0.05*trials + 4*math.Sqrt(0.05*0.95*trials)); different > most || missed > most {
			t.Errorf("%d pairs: of %d equal ones %d were called different, and %d intervals missed the ratio; at most %d are due", n, trials, different, missed, most)
		}
	}
}

func TestPairsEdges(t *testing.T) {
	same := []float64{1, 2, 3, 4, 5, 6, 7, 8}
	for _, test := range []struct {
		name string
		a, b []float64
		want Verdict
	}{
		{"none", nil, nil, Undecided},
		{"equal", same, same, Equivalent},
		{"few", []float64{1, 1, 1, 1, 1}, []float64{2, 2, 2, 2, 2}, Undecided},
		{"twice", []float64{1, 1, 1, 1, 1, 1}, []float64{2, 2.1, 2.2, 2.3, 2.4, 2.5}, Slower},
		{"cut", []float64{1, 1, 1, 1, 1, 1}, []float64{2, 2.1, 2.2, 2.3, 2.4, 2.5, 0}, Slower},
		{"zero", []float64{0, 1, 1, 1, 1, 1}, []float64{2, 2, 2, 2, 2, 2}, Undecided},
		{"not a number", []float64{math.NaN(), 1, 1, 1, 1, 1}, []float64{2, 2, 2, 2, 2, 2}, Undecided},
		{"too many", make([]float64, MaxPairs+1), make([]float64, MaxPairs+1), Undecided},
	} {
		if c := ComparePairs(test.a, test.b, Options{}); c.Verdict != test.want {
			t.Errorf("%s: %+v, want %s", test.name, c, test.want)
		}
	}
	c := ComparePairs([]float64{1, 1, 1, 1, 1, 1}, []float64{2, 2, 2, 2, 2, 2}, Options{HigherIsBetter: true})
	if c.Verdict != Faster || c.Ratio != 2 || c.P != 2.0/64 {
		t.Errorf("%+v", c)
	}
}

func TestSignedRankCritical(t *testing.T) {
	for n, want := range map[int]int{5: -1, 6: 0, 7: 2, 10: 8, 20: 52, 25: 89} { // tables of Wilcoxon
		if k, _ := signedRankCritical(n, 0.05); k != want {
			t.Errorf("%d pairs: %d, want %d", n, k, want)
		}
	}
}
