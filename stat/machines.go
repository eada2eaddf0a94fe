package stat

import (
	"math"
	"slices"
)

// TestMachines is the test of a Comparison that CombineMachines has combined.
const TestMachines = "machines"

// MachinesComparison is one comparison that was made on several machines.
type MachinesComparison struct {
	Comparison
	// OverUndisturbed and OverTypical are the combinations of the two speeds, each with the confidence that is its share.
	// OverUndisturbed is zero where that was not compared on all machines. Both are zero for exact values, which have no
	// error to weigh.
	OverUndisturbed, OverTypical Combination
	// Used are the indices of the machines that have a ratio and an interval. Others could not be combined.
	Used []int
}

// Over returns the combination of the quantity that By of a Comparison names. Decide may choose the other one once p is
// corrected.
func (m *MachinesComparison) Over(by string) Combination {
	if by == ByUndisturbed {
		return m.OverUndisturbed
	}
	return m.OverTypical
}

// CombineMachines combines the comparison of the same two sides on several machines, each as Compare or CompareForks
// returned it. Each machine's ratio is an effect (see EffectOf) and effects are combined by Combine.
//
// Where all machines have compared undisturbed and typical speed, both are combined, at 0.8·alpha and 0.2·alpha, and
// the verdict follows from them by the rule of CompareForks; else the typical speed alone is combined, at the whole
// alpha, and Decide's rule holds. P is of the combined ratio. Old and New are NaN and M, N and ForksNeeded 0: machines'
// times are not put together.
//
// Exact values are not weighed: their verdict is that of all machines, or Undecided if machines differ in it (Equivalent,
// if none has found a change); Lo and Hi
// are the smallest and the largest ratio, Ratio is the geometric mean, and P is NaN. Machines some of which have exact
// values and some not are treated like that, too.
//
// With fewer than two machines that can be used, the verdict is Undecided.
func CombineMachines(cs []Comparison, o Options) MachinesComparison {
	o = o.withDefaults()
	nan := math.NaN()
	m := MachinesComparison{Comparison: Comparison{Old: nan, New: nan, Options: o, Test: TestMachines}}
	m.BootstrapRatio, m.BootstrapLo, m.BootstrapHi = nan, nan, nan
	if slices.ContainsFunc(cs, isExact) {
		m.exactOf(cs)
		return m
	}
	alpha := alphaOf(o.Confidence)
	both := !slices.ContainsFunc(cs, func(c Comparison) bool { return c.Test != TestSavage })
	if !both {
		typical, used := effectsOf(cs)
		m.Used, m.OverTypical = used, Combine(typical, o.Confidence)
		m.setRatio(m.OverTypical.Ratio)
		m.P, m.AdjustedP = m.OverTypical.P, m.OverTypical.P
		m.Comparison = Decide(m.Comparison)
		return m
	}
	undisturbed, typical, used := effectsOfForks(cs)
	u, t := Combine(undisturbed, 1-savageShare*alpha), Combine(typical, 1-(1-savageShare)*alpha)
	m.Test, m.Used, m.OverUndisturbed, m.OverTypical = TestSavage, used, u, t
	m.Undisturbed, m.Typical = Shift{nan, nan, u.Ratio, u.P}, Shift{nan, nan, t.Ratio, t.P}
	m.P = min(1, u.P/savageShare, t.P/(1-savageShare))
	m.AdjustedP = m.P
	m.Comparison = Decide(m.Comparison)
	return m
}

// effectsOf returns the typical ratio of each comparison that has an interval of it, and which those are.
func effectsOf(cs []Comparison) (typical []Effect, used []int) {
	for i, c := range cs {
		e := Estimate{Value: c.Ratio, Lo: c.Lo, Hi: c.Hi, Confidence: c.Confidence}
		if c.Test == TestSavage {
			e = c.Typical.Ratio
		}
		if t, ok := EffectOf(e, c.M, c.N); ok {
			typical, used = append(typical, t), append(used, i)
		}
	}
	return typical, used
}

// effectsOfForks returns both ratios of each comparison by CompareForks that has intervals of both, and which those are.
func effectsOfForks(cs []Comparison) (undisturbed, typical []Effect, used []int) {
	for i, c := range cs {
		u, ok := EffectOf(c.Undisturbed.Ratio, c.M, c.N)
		t, both := EffectOf(c.Typical.Ratio, c.M, c.N)
		if ok && both {
			undisturbed, typical, used = append(undisturbed, u), append(typical, t), append(used, i)
		}
	}
	return undisturbed, typical, used
}

// isExact reports whether a comparison is of values that do not vary.
func isExact(c Comparison) bool {
	return c.Verdict == Identical || c.Verdict == Same || c.Options.Exact && !c.Varies && math.IsNaN(c.P)
}

// bothVerdict returns the verdict of two machines. Where none has found a change, values that vary on one of them leave it at
// Equivalent.
func bothVerdict(a, b Verdict) Verdict {
	unchanged := []Verdict{Same, Identical, Equivalent}
	switch {
	case a == b:
		return a
	case slices.Contains(unchanged, a) && slices.Contains(unchanged, b):
		return Equivalent
	}
	return Undecided
}

// exactOf combines comparisons that have no error.
func (m *MachinesComparison) exactOf(cs []Comparison) {
	e := Estimate{Lo: math.Inf(1), Hi: math.Inf(-1), Confidence: 1}
	m.Verdict = cs[0].Verdict
	for i, c := range cs {
		e.Value += math.Log(c.Ratio) / float64(len(cs))
		e.Lo, e.Hi = min(e.Lo, c.Lo), max(e.Hi, c.Hi)
		m.Used = append(m.Used, i)
		m.Verdict = bothVerdict(m.Verdict, c.Verdict)
	}
	e.Value = math.Exp(e.Value)
	m.setRatio(e)
	m.P, m.AdjustedP = math.NaN(), math.NaN()
}
