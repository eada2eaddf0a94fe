package stat

import "math"

// HodgesLehmann estimates by what factor b is larger than a: the median of all
// m·n ratios bⱼ/aᵢ, with the interval of factors that the U test does not
// reject. Without ties the interval excludes 1 exactly when
// MannWhitney(a, b).P ≤ 1-confidence, because both read the same null
// distribution: the k-th smallest and k-th largest ratio, k-1 the largest U
// that is rejected. Confidence is the true one, 1-p of that U.
// Source: Hodges & Lehmann (1963); Hollander & Wolfe, Nonparametric
// Statistical Methods, §4.2–4.3, on the logarithms of the values.
//
// With ties the same k is used: the closed interval then covers at least as
// often as Confidence says for the distribution that produced the ties. But test and
// interval may disagree about a factor of 1 on their boundary, so a verdict should
// use both. Ties by rounding are different: if the noise is below the last digit, the
// interval shrinks to a point that is as wrong as the digit.
//
// If there are too few values to reject anything (MinForks), Lo is 0, Hi +Inf
// and Confidence 0. Zeros are allowed: b/0 is +Inf and 0/0 is 1, equal. A
// negative, infinite or NaN value, or an empty side, has no ratio: Value, Lo
// and Hi are NaN and Confidence 0. Time beside the null distribution is
// about 250·(m+n) divisions.
func HodgesLehmann(a, b []float64, confidence float64) Estimate {
	if !haveRatio(a) || !haveRatio(b) {
		return noRatio()
	}
	null := newUNull(len(a), len(b))
	return hodgesLehmann(sorted(a), sorted(b), null, confidence)
}

// hodgesLehmann takes ascending samples that have ratios.
func hodgesLehmann(a, b []float64, null uNull, confidence float64) Estimate {
	all := len(a) * len(b)
	e := Estimate{Lo: 0, Hi: math.Inf(1)}
	e.Value = geoMid(kthRatio(a, b, (all+1)/2), kthRatio(a, b, all/2+1))
	u, p := null.critical(alphaOf(confidence))
	if u >= 0 {
		e.Lo, e.Hi = kthRatio(a, b, u+1), kthRatio(a, b, all-u)
		e.Confidence = 1 - p
	}
	return e
}

// haveRatio reports whether ratios can be formed with xs.
func haveRatio(xs []float64) bool {
	for _, x := range xs {
		if !(x >= 0) || math.IsInf(x, 0) {
			return false
		}
	}
	return len(xs) > 0
}

func noRatio() Estimate {
	return Estimate{Value: math.NaN(), Lo: math.NaN(), Hi: math.NaN()}
}

// ratio is y/x for non-negative values. Division rounds monotonically and no
// two different values divide to 1, so ratios order as the values do.
func ratio(x, y float64) float64 {
	if x == y {
		return 1
	}
	return y / x
}

// geoMid returns the geometric mean of x ≤ y, that is, the middle of their
// logarithms; NaN for 0 and +Inf.
func geoMid(x, y float64) float64 {
	if x == y {
		return x
	}
	return min(max(math.Sqrt(x)*math.Sqrt(y), x), y)
}

// kthRatio returns the k-th smallest (from 1) of all ratios b/a of two ascending
// samples. It bisects over the bits of the answer, which order as the
// non-negative floats do, and counts ratios by walking the staircase.
func kthRatio(a, b []float64, k int) float64 {
	lo := math.Float64bits(ratio(a[len(a)-1], b[0]))
	hi := math.Float64bits(ratio(a[0], b[len(b)-1]))
	for lo < hi {
		x := lo + (hi-lo)/2
		if countRatios(a, b, math.Float64frombits(x)) >= k {
			hi = x
		} else {
			lo = x + 1
		}
	}
	return math.Float64frombits(lo)
}

// countRatios counts the ratios b/a that are at most x.
func countRatios(a, b []float64, x float64) int {
	count, j := 0, 0
	for _, v := range a {
		for j < len(b) && ratio(v, b[j]) <= x {
			j++
		}
		count += j
	}
	return count
}
