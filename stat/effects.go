package stat

import "math"

// leastSE is the smallest standard error of a log ratio that Combine believes. Timers with coarse ticks can give equal
// values in all forks; such a machine must not outweigh all others.
const leastSE = 1e-4

// Effect is what one machine says of a ratio.
type Effect struct {
	Log float64 // natural logarithm of the ratio
	SE  float64 // standard error of Log
	DF  float64 // degrees of freedom of SE; 0: SE is known
}

// EffectOf returns the effect of a ratio with its interval, of m values on one side and n on the other. Log is the
// logarithm of e.Value. SE is half the interval's width on logarithms, divided by the quantile of Student's t with
// m+n-2 degrees of freedom for its confidence. It reports false if the ratio is not positive and finite, or has no
// interval.
func EffectOf(e Estimate, m, n int) (Effect, bool) {
	df := float64(m + n - 2)
	width := math.Log(e.Hi) - math.Log(e.Lo)
	log := math.Log(e.Value)
	if alpha := alphaOf(e.Confidence); df >= 1 && alpha > 0 && alpha < 1 && isFinite(width) && isFinite(log) {
		return Effect{Log: log, SE: max(width/2/tQuantile(df, alpha), leastSE), DF: df}, true
	}
	return Effect{}, false
}

func isFinite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

// weighted returns the mean of the effects with weights 1/(SE² + variance), the sum of the weights, and the weighted
// sum of squared deviations from that mean.
func weighted(es []Effect, variance float64) (mean, sum, q float64) {
	for _, e := range es {
		w := 1 / (e.SE*e.SE + variance)
		mean += w * e.Log
		sum += w
	}
	mean /= sum
	for _, e := range es {
		q += square(e.Log-mean) / (e.SE*e.SE + variance)
	}
	return mean, sum, q
}

// betweenVariance returns the variance τ² of true log ratios between machines: the one with which the weighted sum of
// squares is k-1, its expectation; 0 if it is less without any (Paule & Mandel, "Consensus Values and Weighting
// Factors", Journal of Research of the NBS 87, 1982).
func betweenVariance(es []Effect) float64 { return varianceWith(es, float64(len(es)-1)) }

// varianceWith returns the variance between machines with which the weighted sum of squares is q > 0; 0 if it is less
// without any.
func varianceWith(es []Effect, q float64) float64 {
	above := func(v float64) bool { _, _, have := weighted(es, v); return have > q }
	if !above(0) {
		return 0
	}
	hi := leastSE * leastSE
	for above(hi) {
		hi *= 2
	}
	return bisect(0, hi, above)
}

// typicalVariance returns the variance of a typical effect around its true value, so that τ²/(τ² + it) is the share I² of
// Higgins & Thompson ("Quantifying heterogeneity in a meta-analysis", Statistics in Medicine 21, 2002).
func typicalVariance(es []Effect) float64 {
	var sum, squares float64
	for _, e := range es {
		w := 1 / (e.SE * e.SE)
		sum += w
		squares += w * w
	}
	return (float64(len(es)) - 1) * sum / (sum*sum - squares)
}

// homogeneityP returns the p of the hypothesis that all effects have one true value. q is their weighted sum of squares
// around the weighted mean, which follows χ² with k-1 degrees of freedom if the standard errors are known. Those of few
// forks are not: Welch's F takes that into account ("On the comparison of several mean values", Biometrika 38, 1951).
func homogeneityP(es []Effect, sum, q float64) float64 {
	k := float64(len(es))
	var unknown float64
	for _, e := range es {
		if e.DF > 0 {
			unknown += square(1-1/(e.SE*e.SE)/sum) / e.DF
		}
	}
	f := q / (k - 1) / (1 + 2*(k-2)/(k*k-1)*unknown)
	return fTail(k-1, (k*k-1)/(3*unknown), f)
}

// meanOfThese returns the mean log ratio of the machines at hand, each with the same weight, its standard error, and the
// degrees of freedom of that (Welch & Satterthwaite).
func meanOfThese(es []Effect) (mean, se, df float64) {
	var sum, unknown float64
	for _, e := range es {
		v := e.SE * e.SE
		mean += e.Log
		sum += v
		if e.DF > 0 {
			unknown += v * v / e.DF
		}
	}
	k := float64(len(es))
	return mean / k, math.Sqrt(sum) / k, sum * sum / unknown
}
