package stat

import (
	"math"
	"slices"
	"sort"
)

// WilcoxonResult is the result of Wilcoxon.
type WilcoxonResult struct {
	N int     // differences that are not zero
	W float64 // rank sum of the positive ones, 0 … N(N+1)/2
	P float64 // two-sided, in [0, 1]
}

// wilcoxonExactLimit is the largest N with the exact null distribution.
const wilcoxonExactLimit = 60

// Wilcoxon returns the signed-rank test (Wilcoxon 1945) of whether the differences
// of pairs are centred on zero. For ratios give it LogRatios.
//
// Zero differences are dropped, equal sizes share their midrank, and P is
// exact for N ≤ 60, ties included (all 2^N signs are counted by dynamic
// programming on the rank sum); beyond that it is the normal approximation with
// tie and continuity corrections. The smallest possible P is 2/2^N, so six
// pairs are needed for 0.05.
//
// Use pairs only if that was decided before measuring: on a noisy host pairing
// loses power. No difference at all gives P = 1; a NaN or no value gives NaN.
func Wilcoxon(ds []float64) WilcoxonResult {
	if len(ds) == 0 || hasNaN(ds) {
		return WilcoxonResult{W: math.NaN(), P: math.NaN()}
	}
	ranks2, twoW, ties := signedRanks(ds)
	r := WilcoxonResult{N: len(ranks2), W: float64(twoW) / 2}
	n := float64(r.N)
	small := min(twoW, r.N*(r.N+1)-twoW)
	switch {
	case 2*twoW == r.N*(r.N+1):
		r.P = 1
	case r.N <= wilcoxonExactLimit:
		r.P = min(1, 2*signedRankCDF(ranks2, small))
	default:
		sigma := math.Sqrt(n*(n+1)*(2*n+1)/24 - ties/48)
		distance := max(0, math.Abs(r.W-n*(n+1)/4)-0.5)
		r.P = min(1, normalTail(distance/sigma))
	}
	return r
}

// LogRatios returns log(bᵢ/aᵢ) of pairs, for Wilcoxon and Median; NaN where a value
// is not positive. Values without a partner are dropped.
func LogRatios(a, b []float64) []float64 {
	ds := make([]float64, min(len(a), len(b)))
	for i := range ds {
		ds[i] = logRatio(a[i], b[i])
	}
	return ds
}

// logRatio uses the quotient, so that equal ratios are ties.
func logRatio(x, y float64) float64 {
	if !(x > 0) || !(y > 0) || math.IsInf(x, 0) || math.IsInf(y, 0) {
		return math.NaN()
	}
	if q := y / x; q > 0x1p-1000 && q < 0x1p1000 {
		return math.Log(q)
	}
	return math.Log(y) - math.Log(x)
}

// bySize sorts differences by their size, whatever their sign.
type bySize []float64

func (s bySize) Len() int           { return len(s) }
func (s bySize) Less(i, j int) bool { return math.Abs(s[i]) < math.Abs(s[j]) }
func (s bySize) Swap(i, j int)      { s[i], s[j] = s[j], s[i] }

// signedRanks drops zeros and ranks by size: doubled midranks in ascending
// order, the doubled sum of the positive ones, and Σ(t³-t) over ties.
func signedRanks(ds []float64) (ranks2 []int, twoW int, ties float64) {
	xs := slices.DeleteFunc(slices.Clone(ds), func(d float64) bool { return d == 0 })
	sort.Sort(bySize(xs))
	ranks2 = make([]int, len(xs))
	for i := 0; i < len(xs); {
		j := i + 1
		for j < len(xs) && math.Abs(xs[j]) == math.Abs(xs[i]) {
			j++
		}
		for k := i; k < j; k++ {
			ranks2[k] = i + 1 + j
			if xs[k] > 0 {
				twoW += i + 1 + j
			}
		}
		t := float64(j - i)
		ties += t*t*t - t
		i = j
	}
	return ranks2, twoW, ties
}

// signedRankCDF is P(2W ≤ twoW) when every rank is positive with chance ½.
func signedRankCDF(ranks2 []int, twoW int) float64 {
	sum := 0.0
	for _, x := range signedRankPMF(ranks2, twoW) {
		sum += x
	}
	return sum
}

// signedRankPMF returns P(2W = x) for each x up to twoW.
func signedRankPMF(ranks2 []int, twoW int) []float64 {
	p := make([]float64, twoW+1)
	p[0] = 1
	for _, r := range ranks2 {
		for s := twoW; s >= 0; s-- {
			with := 0.0
			if s >= r {
				with = p[s-r]
			}
			p[s] = (p[s] + with) / 2
		}
	}
	return p
}
