package stat

import (
	"math"
	"slices"
)

// ComparePairs compares b with a where a[i] and b[i] were measured together, in random
// order, and pairs were decided on before measuring: what changes in time falls on both
// values of a pair, so that only the ratios count. Sides of other lengths are cut to the
// shorter.
//
// P is Wilcoxon's on the logarithms of the ratios: a permutation test in which each pair
// may be swapped, valid whatever the distribution and its correlation in time. Ratio is
// the pseudomedian of the ratios, the median of the means of all two (Hodges and Lehmann
// 1963), and Lo … Hi the interval of that which belongs to the test (Tukey 1949). Decide
// sets the verdict; ForksNeeded counts pairs. There is no bootstrap.
//
// Fewer than six pairs never exclude 1 at 95 %. A value that is not positive, or more
// than MaxPairs, has no ratio: the verdict is Undecided.
func ComparePairs(a, b []float64, o Options) Comparison {
	o = o.withDefaults()
	n := min(len(a), len(b))
	a, b = a[:n], b[:n]
	c := Comparison{Old: Median(a), New: Median(b), M: n, N: n, Test: TestPairs, Options: o}
	c.setRatio(noRatio())
	c.BootstrapRatio, c.BootstrapLo, c.BootstrapHi = math.NaN(), math.NaN(), math.NaN()
	ds := LogRatios(a, b)
	if n > MaxPairs || n > 0 && hasNaN(ds) {
		c.P, c.AdjustedP = math.NaN(), math.NaN()
		return Decide(c)
	}
	c.P = Wilcoxon(ds).P
	c.AdjustedP = c.P
	if n > 0 {
		c.setRatio(pseudomedian(ds, o.Confidence))
	}
	return Decide(c)
}

// MaxPairs is the most pairs that ComparePairs takes: it examines the mean of each two.
const MaxPairs = 4000

// pseudomedian returns the pseudomedian of logarithms, as a ratio, and its interval.
func pseudomedian(ds []float64, confidence float64) Estimate {
	means := walshAverages(ds)
	k, coverage := signedRankCritical(len(ds), alphaOf(confidence))
	e := Estimate{Value: math.Exp(sortedMedian(means)), Lo: 0, Hi: math.Inf(1)}
	if k >= 0 {
		e.Lo, e.Hi, e.Confidence = math.Exp(means[k]), math.Exp(means[len(means)-1-k]), coverage
	}
	return e
}

// walshAverages returns the means of all two values, a value with itself among them, in
// ascending order.
func walshAverages(ds []float64) []float64 {
	means := make([]float64, 0, len(ds)*(len(ds)+1)/2)
	for i, x := range ds {
		for _, y := range ds[i:] {
			means = append(means, mid(x, y))
		}
	}
	slices.Sort(means)
	return means
}

// signedRankCritical returns the largest rank sum k of n pairs with P(W ≤ k) ≤ alpha/2,
// and the confidence of the interval between the averages k and N-1-k, counted from 0. k
// is -1 if there is none.
func signedRankCritical(n int, alpha float64) (k int, confidence float64) {
	if math.IsNaN(alpha) || n == 0 {
		return -1, 0
	}
	if n > wilcoxonExactLimit {
		x := float64(n)
		sigma := math.Sqrt(x * (x + 1) * (2*x + 1) / 24)
		k = int(math.Floor(x*(x+1)/4 + normalQuantile(alpha/2)*sigma - 0.5))
		return max(k, -1), 1 - alpha
	}
	ranks := make([]int, n)
	for i := range ranks {
		ranks[i] = i + 1 // not doubled: there are no midranks
	}
	k, p := -1, 0.0
	for sum, q := range signedRankPMF(ranks, n*(n+1)/4) {
		if !atMost(2*(p+q), alpha) {
			break
		}
		k, p = sum, p+q
	}
	if k < 0 {
		return -1, 0
	}
	return k, 1 - 2*p
}
