package stat

import (
	"encoding/binary"
	"math"
	"slices"
	"testing"
)

// every calls all of the package on two samples, checks what must hold of any
// result, and that the samples are as they were.
func every(t *testing.T, a, b []float64, confidence float64) {
	t.Helper()
	a0, b0 := slices.Clone(a), slices.Clone(b)
	probability := func(what string, p float64) {
		if !math.IsNaN(p) && !(p >= 0 && p <= 1+1e-12) {
			t.Errorf("%s = %v for %v, %v", what, p, a, b)
		}
	}
	ordered := func(what string, lo, mid, hi float64) {
		if lo > hi || mid < lo*(1-1e-9) && lo > 0 || mid > hi*(1+1e-9) && hi > 0 {
			t.Errorf("%s: %v … %v … %v for %v, %v at %v", what, lo, mid, hi, a, b, confidence)
		}
	}
	Median(a)
	Quantile(a, confidence)
	MAD(a)
	RobustCV(a)
	Tukey(a)
	GeoMean(a)
	Bimodal(a)
	m := MedianInterval(a, confidence)
	ordered("MedianInterval", m.Lo, m.Median, m.Hi)
	q := QuantileInterval(a, 0.9, confidence)
	ordered("QuantileInterval", q.Lo, q.Lo, q.Hi)
	TInterval(a, confidence)
	g := GeoMeanInterval(a, 20, confidence, 1)
	ordered("GeoMeanInterval", g.Lo, g.Lo, g.Hi)
	probability("MannKendall", MannKendall(a).P)
	probability("IterationTrend", IterationTrend([][]float64{a, b}).P)
	probability("MannWhitney", MannWhitney(a, b).P)
	probability("Welch", Welch(a, b).P)
	probability("Wilcoxon", Wilcoxon(a).P)
	LogRatios(a, b)
	h := HodgesLehmann(a, b, confidence)
	ordered("HodgesLehmann", h.Lo, h.Value, h.Hi)
	e := BootstrapRatio(a, b, 20, confidence, 1)
	ordered("BootstrapRatio", e.Lo, e.Lo, e.Hi)
	for _, p := range append(Holm(a), BenjaminiHochberg(a)...) {
		if p > 1 {
			t.Errorf("adjusted p %v of %v", p, a)
		}
	}
	s := OneWay([][]float64{a, b})
	s.OptimalIterations(1, confidence)
	s.EffectiveValues(3, 4)
	cs := Components(VarianceTree{Children: []VarianceTree{{Values: a}, {Values: b}}})
	OptimalCounts(cs, []float64{1, confidence})
	for _, exact := range []bool{false, true} {
		c := Compare(a, b, Options{Confidence: confidence, Exact: exact, Resamples: 20})
		if c.Verdict == "" || c.ForksNeeded < 0 || c.ForksNeeded > 0 && c.Verdict != Undecided {
			t.Errorf("Compare(%v, %v) = %+v", a, b, c)
		}
		c.WithAdjustedP(0.5)
	}
	if !same(a, a0) || !same(b, b0) {
		t.Errorf("changed: %v, %v", a, b)
	}
}

func same(a, b []float64) bool {
	return slices.EqualFunc(a, b, func(x, y float64) bool { return math.Float64bits(x) == math.Float64bits(y) })
}

var awkward = [][]float64{
	nil, {}, {0}, {1}, {-1}, {nan}, {inf}, {-inf}, {math.Copysign(0, -1)},
	{1, 1}, {1, 2}, {0, 0, 0, 0, 0, 0, 0}, {5, 5, 5, 5, 5, 5, 5, 5}, {nan, nan, nan, nan, nan, nan},
	{3, 1, 2, nan, 5, 6, 7}, {inf, 1, 2, 3, 4, 5, 6}, {-inf, inf, 1, 2, 3, 4}, {-5, -4, -3, -2, -1, -0.5},
	{0, 1, 0, 1, 0, 1, 0, 1}, {5e-324, 5e-324, 1e-300, 1, 1e300, math.MaxFloat64},
	{math.MaxFloat64, math.MaxFloat64, -math.MaxFloat64, -math.MaxFloat64, 1, 1},
	{9, 8, 7, 6, 5, 4, 3, 2, 1, 0.5}, {1, 1 + 0x1p-52, 1 + 0x1p-51, 1, 1, 1 + 0x1p-52},
}

func TestAwkward(t *testing.T) {
	for _, a := range awkward {
		for _, b := range awkward {
			for _, confidence := range []float64{0.95, 0, -1, 1, 1.5, nan, inf, 1e-300, 1 - 0x1p-53} {
				every(t, a, b, confidence)
			}
		}
	}
}

func FuzzEvery(f *testing.F) {
	for _, xs := range awkward {
		var data []byte
		for _, x := range xs {
			data = binary.LittleEndian.AppendUint64(data, math.Float64bits(x))
		}
		f.Add(data, uint8(3), 0.95)
	}
	f.Fuzz(func(t *testing.T, data []byte, split uint8, confidence float64) {
		var xs []float64
		for ; len(data) >= 8 && len(xs) < 60; data = data[8:] {
			xs = append(xs, math.Float64frombits(binary.LittleEndian.Uint64(data)))
		}
		for _, b := range data { // the rest are small whole numbers: ties
			xs = append(xs, float64(b%8))
		}
		k := min(int(split), len(xs))
		every(t, xs[:k], xs[k:], confidence)
	})
}
