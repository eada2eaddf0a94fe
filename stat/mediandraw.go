package stat

import (
	"math"
	"sort"
)

// medianDraw draws medians of bootstrap resamples of a sorted sample from
// their exact distribution, without drawing the resamples.
//
// A resample of x₁ ≤ … ≤ xₙ is n independent ranks, uniform on 1 … n, and its
// r-th smallest value is x at the r-th smallest rank R(r). That rank is ≤ i
// exactly if at least r of the n ranks are:
//
//	P(R(r) ≤ i) = P(Bin(n, i/n) ≥ r).
//
// For odd n the median is x at R((n+1)/2): one draw by inverse CDF. For even n
// it is the mean of x at R(r) and at R(r+1), r = n/2. Both together: R(r) = i
// and R(r+1) > j (for j ≥ i) means that r ranks are ≤ i, not all of them ≤ i-1,
// and the other n-r = r are all > j, so
//
//	P(R(r) = i, R(r+1) > j) = C(n,r) [(i/n)^r - ((i-1)/n)^r] ((n-j)/n)^r.
//
// Given i, the second rank thus has P(R(r+1) > j) = kᵢ ((n-j)/n)^r with
// kᵢ = C(n,r) [(i/n)^r - ((i-1)/n)^r] / P(R(r) = i), which inverts in closed
// form. The table has n entries, and a median costs two uniform numbers, one
// binary search, one logarithm and one exponential.
type medianDraw struct {
	xs  []float64 // ascending
	r   int
	cdf []float64 // cdf[i-1] = P(R(r) ≤ i)
	k   []float64 // k[i-1] = log kᵢ; nil for odd n
}

func newMedianDraw(xs []float64) medianDraw {
	n := len(xs)
	d := medianDraw{xs: xs, r: (n + 1) / 2, cdf: make([]float64, n)}
	for i := 1; i <= n; i++ {
		// At least r of n ranks are ≤ i: at most n-r are above.
		d.cdf[i-1] = binomialCDF(n, 1-float64(i)/float64(n), n-d.r)
	}
	d.cdf[n-1] = 1
	if n%2 == 0 {
		d.k = d.conditionals()
	}
	return d
}

// conditionals returns the logarithms of kᵢ, which itself can reach 2ⁿ.
func (d medianDraw) conditionals() []float64 {
	n, r := len(d.xs), float64(d.r)
	logChoose := lgamma(n+1) - 2*lgamma(d.r+1)
	k, before := make([]float64, n), 0.0
	for i := range k {
		p := d.cdf[i] - before
		before = d.cdf[i]
		if p <= 0 {
			continue // never drawn
		}
		// (i/n)^r - ((i-1)/n)^r = (i/n)^r (1 - (1-1/i)^r)
		rank := float64(i + 1)
		step := -math.Expm1(r * math.Log1p(-1/rank))
		k[i] = logChoose + r*math.Log(rank/float64(n)) + math.Log(step/p)
	}
	return k
}

// draw returns the median of one resample.
func (d medianDraw) draw(u uniform) float64 {
	i := d.first(u.next())
	if d.k == nil {
		return d.xs[i-1]
	}
	j := d.second(i, u.next())
	return mid(d.xs[i-1], d.xs[j-1])
}

// first inverts P(R(r) ≤ i) at u in [0, 1).
func (d medianDraw) first(u float64) int {
	return 1 + min(sort.Search(len(d.cdf), func(i int) bool { return u < d.cdf[i] }), len(d.cdf)-1)
}

// second inverts P(R(r+1) > j | R(r) = i) at u in [0, 1): the smallest j ≥ i
// with kᵢ((n-j)/n)^r ≤ u.
func (d medianDraw) second(i int, u float64) int {
	n := float64(len(d.xs))
	left := n * math.Exp((math.Log(u)-d.k[i-1])/float64(d.r))
	return min(max(i, int(math.Ceil(n-left))), len(d.xs))
}
