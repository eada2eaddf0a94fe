package stat

import "math"

// MinSeries is the least number of values of a series that CompareSeries takes.
const MinSeries = 10

// CompareSeries compares b with a where each is a series in time of one run, such as the
// p99 of every second: values that follow each other are alike, so that n of them tell
// less than n independent ones. Two runs are two draws: what differs between runs by
// itself is in no interval. Where that matters, measure in pairs and use ComparePairs.
//
// Ratio is that of the geometric means, P and Lo … Hi are of Welch's t test on the
// logarithms with the effective number of values n(1-ρ)/(1+ρ), where ρ is the correlation
// of neighbours, corrected for its bias (Kendall 1954) and at least 0: that of an
// autoregressive process of first order. Decide sets the verdict. By simulation, equal
// series of 60 values are called different in at most 8 of 100 cases up to ρ = 0.6.
//
// Fewer than MinSeries values on a side, or a value that is not positive, have no ratio:
// the verdict is Undecided.
func CompareSeries(a, b []float64, o Options) Comparison {
	o = o.withDefaults()
	c := Comparison{Old: Median(a), New: Median(b), M: len(a), N: len(b), Test: TestSeries, Options: o}
	c.setRatio(noRatio())
	c.BootstrapRatio, c.BootstrapLo, c.BootstrapHi = math.NaN(), math.NaN(), math.NaN()
	c.P, c.AdjustedP = math.NaN(), math.NaN()
	x, okX := logs(a)
	y, okY := logs(b)
	if !okX || !okY || len(x) < MinSeries || len(y) < MinSeries {
		return Decide(c)
	}
	mx, my := mean(x), mean(y)
	nx, ny := Effective(x), Effective(y)
	vx, vy := squares(x, mx)/float64(len(x)-1)/nx, squares(y, my)/float64(len(y)-1)/ny
	diff := my - mx
	if vx+vy == 0 {
		c.setRatio(Estimate{Value: math.Exp(diff), Lo: math.Exp(diff), Hi: math.Exp(diff), Confidence: o.Confidence})
		c.P = indicator(diff == 0)
		c.AdjustedP = c.P
		return Decide(c)
	}
	share := vx / (vx + vy)
	df := 1 / (share*share/(nx-1) + (1-share)*(1-share)/(ny-1))
	se := math.Sqrt(vx + vy)
	half := tQuantile(df, alphaOf(o.Confidence)) * se
	c.setRatio(Estimate{Value: math.Exp(diff), Lo: math.Exp(diff - half), Hi: math.Exp(diff + half), Confidence: o.Confidence})
	c.P = tTail(df, diff/se)
	c.AdjustedP = c.P
	return Decide(c)
}

// Effective returns how many independent values tell as much about the mean as a series in
// time does, from 2 to its length.
func Effective(xs []float64) float64 {
	n := float64(len(xs))
	if n < 3 {
		return n
	}
	m := mean(xs)
	all, neighbours := squares(xs, m), 0.0
	if all == 0 {
		return n
	}
	for i := 1; i < len(xs); i++ {
		neighbours += (xs[i] - m) * (xs[i-1] - m)
	}
	rho := neighbours / all
	rho = min(max(rho+(1+3*rho)/n, 0), 0.99)
	return max(2, n*(1-rho)/(1+rho))
}
