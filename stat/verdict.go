package stat

import "math"

// Verdict is the conclusion of a comparison.
type Verdict string

// Verdicts. Faster and Slower are for times and rates, More, Less and Same for
// exact values. No function here returns Identical: it is for callers who know that
// both sides are the same binary.
const (
	Faster     Verdict = "faster"
	Slower     Verdict = "slower"
	Equivalent Verdict = "equivalent"
	Undecided  Verdict = "undecided"
	More       Verdict = "more"
	Less       Verdict = "less"
	Same       Verdict = "same"
	Identical  Verdict = "identical"
)

// Decide sets Verdict and ForksNeeded of a sampled comparison by its interval, its
// AdjustedP and its Options. Compare calls it.
//
//	equivalent     Lo … Hi lies inside 1/(1+Threshold) … 1+Threshold
//	faster, slower Lo … Hi excludes 1, AdjustedP ≤ 1-Confidence, not equivalent
//	undecided      everything else
//
// An exact metric that varies is decided by the same table, but see Compare.
//
// With the interval at 1-alpha, equivalent is two one-sided tests at alpha/2
// each (Schuirmann 1987), the conservative form.
//
// ForksNeeded takes the half-width h of the interval, on logarithms, to shrink
// with 1/√n around the same estimate e: either 1 drops out of the interval
// (h < |e|) or the interval fits inside the threshold (h ≤ log(1+Threshold)-|e|),
// whichever comes first. If only the adjusted p is too large, normal quantiles
// scale with √n instead. It is never less than the minimum of the U test. An estimate
// from few forks is imprecise.
//
// What CompareForks compared is decided by its own rule, described there.
func Decide(c Comparison) Comparison {
	alpha := alphaOf(c.Options.Confidence)
	if c.Test == TestSavage {
		return c.decideForks(alpha)
	}
	excluded := c.Lo > 1 || c.Hi < 1
	c.ForksNeeded = 0
	switch {
	case c.disjoint:
		c.Verdict = c.direction(c.New > c.Old)
	case within(c.Bound, c.Options.Threshold):
		c.Verdict = Equivalent
	case excluded && atMost(c.AdjustedP, alpha):
		c.Verdict = c.direction(c.Lo > 1)
	default:
		c.Verdict = Undecided
		c.ForksNeeded = c.forksNeeded(alpha, excluded)
	}
	return c
}

// WithAdjustedP returns the comparison decided with a p that was corrected over a
// family of comparisons (Holm, BenjaminiHochberg). A comparison without p is returned
// unchanged: exact values have no test, and NaN cannot be corrected.
func (c Comparison) WithAdjustedP(p float64) Comparison {
	if math.IsNaN(c.P) || math.IsNaN(p) {
		return c
	}
	c.AdjustedP = p
	return Decide(c)
}

// Adjust corrects the p values of a family, one metric over all benchmarks of one
// comparison, and decides each again: Adjust(cs, Holm) for a gate, Adjust(cs,
// BenjaminiHochberg) for a table. cs is not changed.
func Adjust(cs []Comparison, correct func(ps []float64) []float64) []Comparison {
	ps := make([]float64, len(cs))
	for i, c := range cs {
		ps[i] = c.P
	}
	out := make([]Comparison, len(cs))
	for i, p := range correct(ps) {
		out[i] = cs[i].WithAdjustedP(p)
	}
	return out
}

// direction returns the verdict for a change upward or downward.
func (c Comparison) direction(up bool) Verdict {
	switch {
	case c.Options.Exact && up:
		return More
	case c.Options.Exact:
		return Less
	case up == c.Options.HigherIsBetter:
		return Faster
	}
	return Slower
}

// forksNeeded returns the estimate described at Decide.
func (c Comparison) forksNeeded(alpha float64, excluded bool) int {
	if alpha == 0 || math.IsNaN(c.Ratio) || math.IsNaN(c.P) || c.M == 0 || c.N == 0 {
		return 0
	}
	threshold := math.Log1p(max(c.Options.Threshold, 0))
	e := math.Abs(math.Log(c.Ratio))
	h := math.Log(c.Hi/c.Lo) / 2
	if excluded && c.P > 0 && c.AdjustedP >= c.P {
		alpha *= c.P / c.AdjustedP // the level of this p within the family
	}
	least := max(minForks(alpha), min(c.M, c.N)+1)
	if math.IsInf(h, 0) || math.IsNaN(h) || math.IsInf(e, 0) {
		return least
	}
	now := 2 / (1/float64(c.M) + 1/float64(c.N)) // equal sides of the same precision
	differ := now * square(h/e)
	if excluded {
		differ = now * square(normalQuantile(alpha/2)/normalQuantile(c.P/2))
	}
	need := differ
	if room := threshold - e; room > 0 {
		need = min(need, now*square(h/room))
	}
	if !(need < 1e9) {
		return 0
	}
	return max(least, int(math.Ceil(need)))
}

func square(x float64) float64 { return x * x }
