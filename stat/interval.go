package stat

import "math"

// Interval is a sample median with its confidence interval, in the unit of
// the sample.
type Interval struct {
	Median float64 // of the sample; NaN if there is none
	Lo, Hi float64 // values of the sample, or ∓Inf if it is too small
	// Confidence is the true coverage of Lo … Hi. It is at least the requested
	// level, because order statistics come in steps: 0.96875 for six forks at
	// 0.95. It is 0 if there is no interval.
	Confidence float64
}

// Estimate is any other estimate with its confidence interval, in the unit
// of the value. If there is no interval, the bounds are the least and the
// largest possible value (-Inf or 0, and +Inf; NaN if a ratio is undefined)
// and Confidence is 0.
type Estimate struct {
	Value      float64
	Lo, Hi     float64
	Confidence float64 // coverage of Lo … Hi, in (0, 1); 0: no interval
}

// MedianInterval returns the median of xs and the order-statistic interval
// for the median of the distribution that xs were drawn from: the r-th
// smallest and r-th largest value, r the largest for which the coverage
// 1 - 2·P(Bin(n, ½) ≤ r-1) is still at least confidence.
//
// It assumes that the values are independent draws from one continuous
// distribution, of any shape; on ties the coverage can only grow. The
// binomial is exact for every n. Below MinSamples(confidence) values Lo and
// Hi are infinite and Confidence is 0. A NaN or no value at all gives a NaN
// median without interval. Confidence 1 or more, or NaN, gives no interval.
//
// Source: Conover, Practical Nonparametric Statistics, §3.2. benchstat's
// interval (moremath QuantileCI) may take one order statistic less at one end,
// is approximate above n = 30, and calls the infinite interval confidence 1.
func MedianInterval(xs []float64, confidence float64) Interval {
	e := QuantileInterval(xs, 0.5, confidence)
	return Interval{Median: e.Value, Lo: e.Lo, Hi: e.Hi, Confidence: e.Confidence}
}

// QuantileInterval is MedianInterval for the q-quantile, 0 < q < 1, with at
// most (1-confidence)/2 in either tail of Bin(n, q).
//
// Value is Quantile(xs, q). For q far from ½ only one of the bounds may be
// missing: with 100 values and q = 0.99 only Lo is finite. Confidence is then
// the true one-sided coverage. It is 0 only if both bounds are missing.
func QuantileInterval(xs []float64, q, confidence float64) Estimate {
	none := Estimate{Value: math.NaN(), Lo: math.Inf(-1), Hi: math.Inf(1)}
	if len(xs) == 0 || hasNaN(xs) || !(q > 0 && q < 1) {
		return none
	}
	ys := sorted(xs)
	lo, hi, coverage := ranksFor(len(ys), q, confidence).apply(ys)
	return Estimate{Value: sortedQuantile(ys, q), Lo: lo, Hi: hi, Confidence: coverage}
}

// MinSamples returns the smallest number of values for which MedianInterval
// is finite: 6 for 0.95, 8 for 0.99, 11 for 0.999. It is 0 if no number is
// enough (confidence 1 or more, or NaN), and 2 for a confidence of 0 or less.
func MinSamples(confidence float64) int {
	alpha := alphaOf(confidence)
	if alpha == 0 {
		return 0
	}
	n := 2
	for !atMost(math.Pow(0.5, float64(n)), alpha/2) {
		n++
	}
	return n
}

// ranks are the order statistics of n values that bound an interval. They depend only
// on n, q and confidence, so simulations compute them once.
type ranks struct {
	lo, hi   int // 1-based; 0 and n+1 mean: no such bound
	coverage float64
}

// ranksFor finds the narrowest equal-tailed ranks.
func ranksFor(n int, q, confidence float64) ranks {
	tail := alphaOf(confidence) / 2
	// lo-1 is the number of k ≥ 0 whose lower tail fits; symmetric for hi.
	below := search(n, func(k int) bool { return atMost(binomialCDF(n, q, k), tail) })
	above := search(n, func(k int) bool { return atMost(binomialCDF(n, 1-q, k), tail) })
	r := ranks{lo: below, hi: n + 1 - above}
	if r.lo >= r.hi { // a confidence so low that one value would do
		r.lo, r.hi = r.hi-1, r.lo+1
	}
	if r.lo == 0 && r.hi == n+1 {
		return r
	}
	r.coverage = 1 - binomialCDF(n, q, r.lo-1) - binomialCDF(n, 1-q, n-r.hi)
	return r
}

// search returns how many of k = 0, 1, … n-1 satisfy ok, which must hold for a
// prefix of them.
func search(n int, ok func(k int) bool) int {
	lo, hi := 0, n
	for lo < hi {
		k := (lo + hi) / 2
		if ok(k) {
			lo = k + 1
		} else {
			hi = k
		}
	}
	return lo
}

// apply returns the interval of n ascending values.
func (r ranks) apply(xs []float64) (lo, hi, coverage float64) {
	lo, hi = math.Inf(-1), math.Inf(1)
	if r.lo >= 1 {
		lo = xs[r.lo-1]
	}
	if r.hi <= len(xs) {
		hi = xs[r.hi-1]
	}
	return lo, hi, r.coverage
}
