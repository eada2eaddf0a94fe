package stat

import "math"

// The tests of a Comparison.
const (
	TestU      = "u"      // Mann–Whitney on one value per fork: Compare
	TestSavage = "savage" // Savage on the best iterations, and Mann–Whitney on the medians: CompareForks
	TestPairs  = "pairs"  // Wilcoxon on the ratios of pairs: ComparePairs
	TestSeries = "series" // Welch on the logarithms of values in time: CompareSeries
)

// The quantities that CompareForks compares.
const (
	ByUndisturbed = "undisturbed" // the best iterations of forks
	ByTypical     = "typical"     // the medians of their iterations
)

// savageShare is the share of alpha that goes to the undisturbed speed; the typical one has the rest. By simulation
// (lab/coverage), an equal split would lose a tenth of the power, and none at all for the typical speed would lose
// changes that the best iterations do not see, as of garbage collection.
const savageShare = 0.8

// Forks are the values of one side: for each fork the median of its measured iterations, and the best of them, the
// minimum of times and the maximum of rates. Where forks have one iteration the two are the same.
type Forks struct {
	Typical     []float64
	Undisturbed []float64
}

// Shift is how one quantity differs between two sides.
type Shift struct {
	Old, New float64  // medians of the sides
	Ratio    Estimate // of New over Old
	P        float64  // two-sided
}

// moved reports whether the interval excludes 1.
func (s *Shift) moved() bool { return s.Ratio.Lo > 1 || s.Ratio.Hi < 1 }

// bound is the largest change that the interval does not exclude.
func (s *Shift) bound() float64 { return max(s.Ratio.Hi, 1/s.Ratio.Lo) - 1 }

// CompareForks compares times or rates of two sides by two quantities. Interference makes iterations slower, seldom
// faster, so the undisturbed speed is compared by Savage on the best iteration of each fork, which finds changes that the
// disturbed forks hide from the U test. What the best iteration does not see, such as the cost of garbage collection, is
// found in the typical speed: MannWhitney and HodgesLehmann on the forks' medians.
//
// The rule is fixed beforehand. With alpha = 1-Confidence, the undisturbed speed is tested at 0.8·alpha and the typical
// one at 0.2·alpha, so that both together err in at most alpha of the cases in which nothing differs; the intervals have
// the corresponding confidence, and hold together. P is the smaller of p/0.8 and p/0.2 (Bonferroni's correction with
// weights). With AdjustedP, the quantities' p are scaled alike. A quantity has changed if its interval excludes 1 and
// does not lie inside the threshold, and its scaled p is at most its share of alpha.
//
//	faster, slower  the undisturbed speed has changed, or it has not and the typical one has
//	equivalent      the undisturbed speed's interval lies inside the threshold, and the typical speed's does not exclude
//	                1 unless it lies inside, too
//	undecided       everything else, and if the two have changed in opposite directions
//
// Ratio, Lo, Hi and Confidence are those of the undisturbed speed, unless By says that the typical one decided. So
// equivalent is a statement about undisturbed speed: that of Typical may be less certain. ForksNeeded is as that of
// Decide. Old and New are the medians of the typical values, and the bootstrap is theirs.
//
// For exact metrics, and for sides without a ratio, it is Compare of the typical values. The cost for 20 forks a side is
// about 2 ms, most of it for Savage.
func CompareForks(a, b Forks, o Options) Comparison {
	c := Compare(a.Typical, b.Typical, o)
	o = c.Options
	if o.Exact || !haveRatio(a.Typical) || !haveRatio(b.Typical) || !haveRatio(a.Undisturbed) || !haveRatio(b.Undisturbed) {
		return c
	}
	alpha := alphaOf(o.Confidence)
	s := Savage(a.Undisturbed, b.Undisturbed, 1-savageShare*alpha, o.HigherIsBetter)
	c.Test = TestSavage
	c.Undisturbed = Shift{Median(a.Undisturbed), Median(b.Undisturbed), s.Ratio, s.P}
	c.Typical = Shift{c.Old, c.New, HodgesLehmann(a.Typical, b.Typical, 1-(1-savageShare)*alpha), c.P}
	c.P = min(1, s.P/savageShare, c.Typical.P/(1-savageShare))
	c.AdjustedP = c.P
	return Decide(c)
}

// decideForks sets By and what depends on it.
func (c Comparison) decideForks(alpha float64) Comparison {
	scale := 1.0
	if c.P > 0 {
		scale = c.AdjustedP / c.P
	}
	matters := func(s *Shift) bool { return s.moved() && !within(s.bound(), c.Options.Threshold) }
	certain := func(s *Shift, share float64) bool { return matters(s) && atMost(scale*s.P, share*alpha) }
	u, t := certain(&c.Undisturbed, savageShare), certain(&c.Typical, 1-savageShare)
	c.By = ByUndisturbed
	if matters(&c.Typical) && !u && (t || within(c.Undisturbed.bound(), c.Options.Threshold)) {
		c.By = ByTypical
	}
	s := c.Deciding()
	c.setRatio(s.Ratio)
	c.ForksNeeded = 0
	up := s.Ratio.Lo > 1
	switch {
	case u && t && (c.Typical.Ratio.Lo > 1) != (c.Undisturbed.Ratio.Lo > 1):
		c.Verdict = Undecided
	case u || t:
		c.Verdict = c.direction(up)
	case within(c.Bound, c.Options.Threshold):
		c.Verdict = Equivalent
	default:
		c.Verdict = Undecided
		c.ForksNeeded = c.forksNeeded(alpha, s.moved())
	}
	return c
}

// Deciding returns the quantity that By names.
func (c *Comparison) Deciding() *Shift {
	if c.By == ByTypical {
		return &c.Typical
	}
	return &c.Undisturbed
}

// Opposite reports whether the undisturbed and the typical speed have moved in opposite directions.
func (c *Comparison) Opposite() bool {
	return c.Test == TestSavage && c.Undisturbed.moved() && c.Typical.moved() &&
		(c.Undisturbed.Ratio.Lo > 1) != (c.Typical.Ratio.Lo > 1)
}

// within reports whether a bound is inside a threshold; 1.03-1 is not quite 0.03.
func within(bound, threshold float64) bool { return bound <= threshold+1e-12 }

// Smallest returns by what factor above 1 the values of b must be multiplied for CompareForks to find b changed upward,
// by inverting both tests: 1 if it is found as it is, +Inf if there is no interval.
func Smallest(c Comparison) float64 {
	u, t := 1/c.Undisturbed.Ratio.Lo, 1/c.Typical.Ratio.Lo
	if math.IsNaN(u) || math.IsNaN(t) {
		return math.Inf(1)
	}
	return max(1, min(u, t))
}
