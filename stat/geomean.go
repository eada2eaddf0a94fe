package stat

import "math"

// GeoMean returns the geometric mean of xs, in their unit. It describes a
// column of ratios; it is not a test.
//
// It is 0 if any value is 0, and NaN if xs is empty or holds a negative value
// or NaN, or both 0 and +Inf.
func GeoMean(xs []float64) float64 {
	sum := 0.0
	for _, x := range xs {
		sum += math.Log(x) // Log of a negative value is NaN
	}
	if len(xs) == 0 {
		return math.NaN()
	}
	return math.Exp(sum / float64(len(xs)))
}

// GeoMeanInterval returns the geometric mean of xs with the percentile
// bootstrap interval over them: how much the mean depends on which benchmarks
// are in the suite. It does not include the noise of each ratio.
// resamples ≤ 0 means DefaultResamples; the same seed gives the same result.
//
// Zeros, negative values and NaN make all of it NaN. Fewer than two values, or
// a confidence of 1 or more, or NaN, give no interval: 0 … +Inf, Confidence 0.
func GeoMeanInterval(xs []float64, resamples int, confidence float64, seed uint64) Estimate {
	ls, ok := logs(xs)
	if !ok || len(xs) == 0 {
		return noRatio()
	}
	e := Estimate{Value: math.Exp(mean(ls)), Lo: 0, Hi: math.Inf(1)}
	alpha := alphaOf(confidence)
	if len(xs) < 2 || alpha == 0 {
		return e
	}
	if resamples <= 0 {
		resamples = DefaultResamples
	}
	u := newUniform(seed)
	means := make([]float64, resamples)
	for i := range means {
		sum := 0.0
		for range ls {
			sum += ls[u.index(len(ls))]
		}
		means[i] = sum / float64(len(ls))
	}
	lo, hi := percentiles(means, alpha)
	e.Lo, e.Hi, e.Confidence = math.Exp(lo), math.Exp(hi), 1-alpha
	return e
}
