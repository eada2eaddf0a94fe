package stat

import (
	"math"
	"slices"
)

// Comparison is the result of Compare for the old side a and the new side b. Ratios
// are new over old and have no unit; Old and New have the unit of the values.
type Comparison struct {
	Old, New float64 // medians of the sides
	M, N     int     // values on the old and the new side

	Ratio      float64 // Hodges–Lehmann estimate of new/old
	Lo, Hi     float64 // its interval; 0 and +Inf if there are too few values
	Confidence float64 // its true coverage; 0 if it is infinite

	P         float64 // Mann–Whitney, two-sided, as benchstat's; NaN for exact values
	AdjustedP float64 // P, or the value of WithAdjustedP; used for the verdict

	BootstrapRatio           float64 // ratio of the medians
	BootstrapLo, BootstrapHi float64 // its percentile interval

	Verdict Verdict
	// Bound is the largest change in either direction that the interval does not
	// exclude, max(Hi, 1/Lo) - 1: 0.034 means "the change may be up to ± 3.4 %". It
	// is +Inf if the interval is infinite. The verdict is Equivalent exactly if Bound
	// ≤ Threshold.
	Bound float64
	// ForksNeeded estimates how many values each side needs in total for a decision,
	// if the estimate stays the same. It is 0 if the verdict is decided, or if
	// nothing can be estimated. See Decide.
	ForksNeeded int
	// Test is the test that was used: TestU, or TestSavage by CompareForks. The following fields are of the latter.
	Test string
	// Undisturbed and Typical are what CompareForks compares, each with the interval of its share of the confidence.
	// Ratio, Lo, Hi, Confidence and Bound are those of one of them: the one that By names.
	Undisturbed, Typical Shift
	By                   string

	// Varies says that values of an exact metric differ within a side.
	Varies   bool
	disjoint bool // the sides do not overlap

	Options Options // the options used, with defaults
}

// Compare compares the fork values b with a. It takes one value per fork: iterations
// of one fork are not independent and would make every difference look certain.
//
// Times and rates: the interval of the ratio comes from HodgesLehmann, P from
// MannWhitney; the two agree but for ties. BootstrapRatio adds the ratio of medians.
// Decide sets the verdict.
//
// Exact: if no side varies, the two values are compared, Lo and Hi are the Ratio
// itself and P is NaN, because there is no test. If a side varies, Varies is set and
// the metric is not exact: sides that do not overlap are still More or Less, others
// are compared like times, with More and Less for the direction.
//
// Zeros are allowed; 0/0 is a ratio of 1. An empty side, or a negative, infinite or
// NaN value, has no ratio: Ratio, Lo, Hi and Bound are NaN and the verdict is
// Undecided.
func Compare(a, b []float64, o Options) Comparison {
	o = o.withDefaults()
	c := Comparison{Old: Median(a), New: Median(b), M: len(a), N: len(b), Test: TestU, Options: o}
	if o.Exact && len(a) > 0 && len(b) > 0 {
		c.Varies = varies(a) || varies(b)
		if !c.Varies {
			return c.exact()
		}
	}
	c.sampled(a, b)
	c.disjoint = c.Varies && disjoint(a, b)
	return Decide(c)
}

// sampled computes test, intervals and estimates.
func (c *Comparison) sampled(a, b []float64) {
	o := c.Options
	c.setRatio(noRatio())
	c.BootstrapRatio, c.BootstrapLo, c.BootstrapHi = math.NaN(), math.NaN(), math.NaN()
	if !haveRatio(a) || !haveRatio(b) {
		c.P = MannWhitney(a, b).P
		c.AdjustedP = c.P
		return
	}
	null := newUNull(len(a), len(b))
	c.P = mannWhitney(newPool(a, b), &null).P
	c.AdjustedP = c.P
	a, b = sorted(a), sorted(b)
	c.setRatio(hodgesLehmann(a, b, null, o.Confidence))
	if o.Resamples > 0 {
		e := bootstrapRatio(a, b, o.Resamples, o.Confidence, o.Seed)
		c.BootstrapRatio, c.BootstrapLo, c.BootstrapHi = e.Value, e.Lo, e.Hi
	}
}

func (c *Comparison) setRatio(e Estimate) {
	c.Ratio, c.Lo, c.Hi, c.Confidence = e.Value, e.Lo, e.Hi, e.Confidence
	c.Bound = max(c.Hi, 1/c.Lo) - 1
}

// exact compares two constants.
func (c Comparison) exact() Comparison {
	r := math.NaN()
	if c.Old >= 0 && c.New >= 0 {
		r = ratio(c.Old, c.New)
	}
	c.setRatio(Estimate{Value: r, Lo: r, Hi: r, Confidence: 1})
	c.P, c.AdjustedP = math.NaN(), math.NaN()
	c.BootstrapRatio, c.BootstrapLo, c.BootstrapHi = r, r, r
	switch {
	case c.New == c.Old:
		c.Verdict = Same
	case math.IsNaN(c.Old) || math.IsNaN(c.New):
		c.Verdict = Undecided
	default:
		c.Verdict = c.direction(c.New > c.Old)
	}
	return c
}

// varies reports whether values differ. A NaN does not differ by itself.
func varies(xs []float64) bool {
	return slices.ContainsFunc(xs, func(x float64) bool { return x != xs[0] && !(math.IsNaN(x) && math.IsNaN(xs[0])) })
}

// disjoint reports whether every value of one side is above every value of the other.
func disjoint(a, b []float64) bool {
	return slices.Max(a) < slices.Min(b) || slices.Max(b) < slices.Min(a)
}
