package stat

import (
	"math"
	"slices"
)

// DefaultResamples is the default number of bootstrap resamples.
const DefaultResamples = 10_000

// BootstrapRatio returns median(b)/median(a) with the percentile bootstrap
// interval (Efron & Tibshirani, An Introduction to the Bootstrap, §13.3): both
// sides are resampled with replacement, independently, and Lo and Hi are the
// (1-confidence)/2 quantiles of the ratios. The same seed gives the same
// result. resamples ≤ 0 means DefaultResamples.
//
// The percentile form is used because the acceleration of BCa comes from a
// jackknife, which is not consistent for medians. Confidence is the requested level.
// Below about ten values a side the coverage is lower.
//
// A side of one value cannot be resampled: Lo is 0, Hi +Inf and Confidence 0,
// as for a confidence of 1 or more, or NaN. Zeros, negative and other values
// without ratio are treated as by HodgesLehmann.
//
// Only the rank of a resample's median is drawn (see medianDraw), which costs the
// same at any sample size.
func BootstrapRatio(a, b []float64, resamples int, confidence float64, seed uint64) Estimate {
	if !haveRatio(a) || !haveRatio(b) {
		return noRatio()
	}
	return bootstrapRatio(sorted(a), sorted(b), resamples, confidence, seed)
}

// bootstrapRatio takes ascending samples that have ratios.
func bootstrapRatio(a, b []float64, resamples int, confidence float64, seed uint64) Estimate {
	e := Estimate{Value: ratio(sortedMedian(a), sortedMedian(b)), Lo: 0, Hi: math.Inf(1)}
	alpha := alphaOf(confidence)
	if len(a) < 2 || len(b) < 2 || alpha == 0 {
		return e
	}
	if resamples <= 0 {
		resamples = DefaultResamples
	}
	da, db := newMedianDraw(a), newMedianDraw(b)
	u := newUniform(seed)
	ratios := make([]float64, resamples)
	for i := range ratios {
		ratios[i] = ratio(da.draw(u), db.draw(u))
	}
	e.Lo, e.Hi = percentiles(ratios, alpha)
	e.Confidence = 1 - alpha
	return e
}

// percentiles sorts the statistics of resamples and returns the quantiles alpha/2 and
// 1-alpha/2.
func percentiles(xs []float64, alpha float64) (lo, hi float64) {
	slices.Sort(xs)
	return sortedQuantile(xs, alpha/2), sortedQuantile(xs, 1-alpha/2)
}
