package stat

import "math"

// Combination is what several machines say of one ratio together. All ratios have the confidence that was asked for.
type Combination struct {
	Machines int
	// Ratio is the mean over all machines of which these are a sample (geometric, because logarithms are combined).
	// P is two-sided, of the hypothesis that it is 1; the interval excludes 1 exactly if P < 1-confidence.
	Ratio Estimate
	P     float64
	// These is the mean of these machines, each with the same weight. Its interval has the errors of measuring and says
	// nothing of other machines.
	These Estimate
	// Another holds the true ratio of another machine of the same kind. It is never narrower than Ratio: that one's
	// interval is cautious where machines are few.
	Another Estimate

	SD    float64 // between the machines' true log ratios; a small one is relative: 0.02 is 2 %
	Share float64 // I²: of the variance of the machines' ratios, the share that is between machines, not error of measuring
	Q     float64 // Cochran's: weighted sum of squares of the log ratios around their mean
	// HomogeneityP is the p of the hypothesis that the ratio is the same on all these machines.
	HomogeneityP float64
}

// Combine combines the ratio of several machines by a model of random effects: the true log ratio of a machine is drawn
// from a distribution with variance SD², and the measured one differs from it by an error of SE. So machines are a level
// of their own, and values of different machines are never put together.
//
// SD² is estimated by the method of Paule and Mandel. The interval of the mean is
//
//	mean ± t(k-1) · √(1/Σw)     with weights w = 1/(SE² + SD²), k machines
//
// which is that of Hartung & Knapp ("A refined method for the meta-analysis of controlled clinical trials with binary
// outcome", Statistics in Medicine 20, 2001) and Sidik & Jonkman ("A simple confidence interval for meta-analysis",
// Statistics in Medicine 21, 2002): their factor Σw(log-mean)²/(k-1) is 1 with this SD², and is not taken below 1 if SD²
// is 0 (Röver, Knapp & Friede, BMC Medical Research Methodology 15, 2015). So it is never narrower than the usual
// interval for equal ratios.
//
// The interval is wide for two machines, whose spread has one degree of freedom: t is 12.7 at 95 %. No method can do
// better without an assumption about other machines. Where only the machines at hand matter, see These.
//
// Another is predicted over all values that SD² may have (see Nagashima, Noma & Furukawa, "Prediction intervals for
// random-effects meta-analysis: a confidence distribution approach", Statistical Methods in Medical Research 28, 2019).
// These has the standard error √(ΣSE²)/k, with degrees of freedom by Welch and Satterthwaite. HomogeneityP is of Welch's
// test, because standard errors from few forks are themselves estimates.
//
// With one machine there is nothing to combine: Ratio, These and Another have its ratio without an interval, and the
// other fields are NaN. Without any, all are NaN.
func Combine(es []Effect, confidence float64) Combination {
	k := len(es)
	nan := math.NaN()
	none := Estimate{Value: nan, Lo: 0, Hi: math.Inf(1)}
	if k == 1 {
		none.Value = math.Exp(es[0].Log)
	}
	c := Combination{Machines: k, Ratio: none, These: none, Another: none, P: nan, SD: nan, Share: nan, Q: nan, HomogeneityP: nan}
	if k < 2 {
		return c
	}
	variance := betweenVariance(es)
	c.SD, c.Share = math.Sqrt(variance), variance/(variance+typicalVariance(es))
	_, fixedSum, q := weighted(es, 0)
	c.Q, c.HomogeneityP = q, homogeneityP(es, fixedSum, q)
	mean, sum, _ := weighted(es, variance)
	c.P = tTail(float64(k-1), mean*math.Sqrt(sum))
	c.intervals(es, mean, math.Sqrt(1/sum), alphaOf(confidence))
	return c
}

// intervals sets the ratios.
func (c *Combination) intervals(es []Effect, mean, se, alpha float64) {
	these, seThese, df := meanOfThese(es)
	c.Ratio.Value, c.These.Value, c.Another.Value = math.Exp(mean), math.Exp(these), math.Exp(mean)
	if alpha == 0 {
		return
	}
	t, tThese := tQuantile(float64(len(es)-1), alpha), tQuantile(df, alpha)
	c.Ratio = ratioWithin(mean, mean-t*se, mean+t*se, alpha)
	c.These = ratioWithin(these, these-tThese*seThese, these+tThese*seThese, alpha)
	lo, hi := another(es, alpha)
	c.Another = ratioWithin(mean, min(lo, mean-t*se), max(hi, mean+t*se), alpha)
}

// ratioWithin returns a ratio with its interval from their logarithms.
func ratioWithin(log, lo, hi, alpha float64) Estimate {
	return Estimate{Value: math.Exp(log), Lo: math.Exp(lo), Hi: math.Exp(hi), Confidence: 1 - alpha}
}
