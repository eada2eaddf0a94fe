package stat

import "math"

// predictSteps is the number of equally likely values of the variance between machines over which another is predicted.
const predictSteps = 60

// another returns the interval of another machine's true ratio. The variance between machines is known badly from a few
// of them, so it is not taken to be its estimate: each quantile of χ² with k-1 degrees of freedom gives the variance
// with which the weighted sum of squares is that quantile (the confidence distribution of Nagashima, Noma & Furukawa,
// "Prediction intervals for random-effects meta-analysis", Statistical Methods in Medical Research 28, 2019). Given the
// variance v, another log ratio is normal around the weighted mean with variance v + 1/Σw. The interval has
// (1-confidence)/2 of the mixture in either tail.
func another(es []Effect, alpha float64) (lo, hi float64) {
	parts := make([]normalPart, predictSteps)
	var widest normalPart
	for i := range parts {
		q := chiSquareQuantile(float64(len(es)-1), (float64(i)+0.5)/predictSteps)
		v := varianceWith(es, q)
		mean, sum, _ := weighted(es, v)
		parts[i] = normalPart{mean, math.Sqrt(v + 1/sum)}
		if parts[i].sd > widest.sd {
			widest = parts[i]
		}
	}
	below := func(x float64) (p float64) {
		for _, n := range parts {
			p += math.Erfc((n.mean-x)/n.sd/math.Sqrt2) / 2 / predictSteps
		}
		return p
	}
	far := 2 * widest.sd * -normalQuantile(alpha/2/predictSteps)
	from, to := widest.mean-far, widest.mean+far
	lo = bisect(from, to, func(x float64) bool { return below(x) < alpha/2 })
	hi = bisect(from, to, func(x float64) bool { return below(x) < 1-alpha/2 })
	return lo, hi
}

// normalPart is one normal distribution of a mixture.
type normalPart struct{ mean, sd float64 }
