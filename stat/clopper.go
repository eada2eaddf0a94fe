package stat

import "math"

// ClopperPearson returns x/n with its exact confidence interval (Clopper &
// Pearson, Biometrika 1934): the rate behind x hits in n trials, in [0, 1].
// It is conservative: Confidence is the requested level, the true coverage is at
// least that.
//
// 0 of n has Lo = 0 and n of n has Hi = 1. Value is NaN and the interval is 0 … 1
// without trials (n = 0), for invalid arguments (x < 0, x > n, n < 0), and for a
// confidence of 1 or more, or NaN.
func ClopperPearson(x, n int, confidence float64) Estimate {
	e := Estimate{Value: math.NaN(), Lo: 0, Hi: 1}
	if n <= 0 || x < 0 || x > n {
		return e
	}
	e.Value = float64(x) / float64(n)
	alpha := alphaOf(confidence)
	if alpha == 0 {
		return e
	}
	e.Confidence = 1 - alpha
	if x > 0 { // P(X ≥ x) rises with p
		e.Lo = bisect(0, 1, func(p float64) bool { return binomialCDF(n, 1-p, n-x) < alpha/2 })
	}
	if x < n { // P(X ≤ x) falls with p
		e.Hi = bisect(0, 1, func(p float64) bool { return binomialCDF(n, p, x) > alpha/2 })
	}
	return e
}
