package stat

import (
	"math"

	"github.com/aclements/go-moremath/mathx"
)

// TInterval returns the mean of xs with Student's t interval
// mean ± t(n-1)·s/√n, in the unit of xs: the form JMH prints, at 0.999.
//
// xs should be fork means, not iterations. Prefer MedianInterval unless the column of
// another tool has to be matched: the t interval assumes normal values. With fewer than two values there is no interval; with two there is,
// where JMH prints NaN. Equal values give an interval of width zero. A NaN, an
// infinity or no value at all gives a NaN Value without interval.
func TInterval(xs []float64, confidence float64) Estimate {
	e := Estimate{Value: math.NaN(), Lo: math.Inf(-1), Hi: math.Inf(1)}
	n := float64(len(xs))
	if n == 0 {
		return e
	}
	m := mean(xs)
	if math.IsNaN(m) || math.IsInf(m, 0) {
		return e
	}
	e.Value = m
	alpha := alphaOf(confidence)
	if n < 2 || alpha == 0 {
		return e
	}
	half := tQuantile(n-1, alpha) * math.Sqrt(squares(xs, m)/(n-1)/n)
	return Estimate{Value: m, Lo: m - half, Hi: m + half, Confidence: 1 - alpha}
}

// WelchResult is the result of Welch.
type WelchResult struct {
	Diff float64 // mean(b) - mean(a), in the unit of the samples
	T    float64 // Diff over its standard error
	DF   float64 // Welch–Satterthwaite degrees of freedom
	P    float64 // two-sided, in [0, 1]
}

// Welch returns the t test for two means with unequal variances (Welch 1947), for
// comparison with JMH and older tools. Like the U test it cannot distinguish drift
// from change, and it needs near-normal values.
//
// If neither side varies, equal means give P = 1 and different ones P = NaN:
// there is no noise to compare the difference with. With fewer than two values
// on a side, or a NaN or infinity, T, DF and P are NaN.
func Welch(a, b []float64) WelchResult {
	nan := math.NaN()
	r := WelchResult{Diff: nan, T: nan, DF: nan, P: nan}
	if len(a) == 0 || len(b) == 0 {
		return r
	}
	ma, mb := mean(a), mean(b)
	r.Diff = mb - ma
	m, n := float64(len(a)), float64(len(b))
	if m < 2 || n < 2 {
		return r
	}
	va, vb := squares(a, ma)/(m-1)/m, squares(b, mb)/(n-1)/n
	if va+vb == 0 {
		if r.Diff == 0 {
			r.T, r.P = 0, 1
		}
		return r
	}
	r.T = r.Diff / math.Sqrt(va+vb)
	share := va / (va + vb) // no squares of variances: they would overflow first
	r.DF = 1 / (share*share/(m-1) + (1-share)*(1-share)/(n-1))
	r.P = tTail(r.DF, r.T)
	return r
}

// tTail is P(|T| ≥ |t|) for Student's t with df degrees of freedom.
func tTail(df, t float64) float64 {
	switch {
	case math.IsNaN(df) || math.IsNaN(t):
		return math.NaN()
	case math.IsInf(t, 0):
		return 0
	case df > 1e5: // beyond this BetaInc converges slowly; Φ agrees to 1e-5
		return normalTail(t)
	}
	return mathx.BetaInc(df/(df+t*t), df/2, 0.5)
}

// tQuantile returns the t with tTail(df, t) = alpha, for 0 < alpha ≤ 1.
func tQuantile(df, alpha float64) float64 {
	if alpha >= 1 {
		return 0
	}
	lo, hi := 0.0, 1.0
	for tTail(df, hi) > alpha {
		lo, hi = hi, 2*hi
	}
	return bisect(lo, hi, func(t float64) bool { return tTail(df, t) > alpha })
}

// bisect returns the x in [lo, hi] at which ok turns from true to false.
func bisect(lo, hi float64, ok func(float64) bool) float64 {
	for range 200 {
		x := mid(lo, hi)
		if x <= lo || x >= hi {
			break
		}
		if ok(x) {
			lo = x
		} else {
			hi = x
		}
	}
	return mid(lo, hi)
}
