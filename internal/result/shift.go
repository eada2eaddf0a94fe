package result

import (
	"math"
	"slices"

	"github.com/tarebench/tare/record"
	"github.com/tarebench/tare/stat"
)

// Shift is how one quantity of a benchmark differs between two sides.
type Shift struct {
	Quantity   string  `json:"quantity,omitempty"` // QuantityTail …; absent where the key says it
	Old        Number  `json:"old"`                // medians over the forks
	New        Number  `json:"new"`
	Ratio      Number  `json:"ratio"`
	Lo         Number  `json:"lo"`
	Hi         Number  `json:"hi"`
	Confidence float64 `json:"confidence,omitempty"`
	P          Number  `json:"p"`
}

// holds reports whether the interval holds a ratio.
func (s *Shift) holds(ratio float64) bool { return float64(s.Lo) <= ratio && ratio <= float64(s.Hi) }

// The quantities beside the verdict.
const (
	QuantityTail       = "slowest iterations" // the worst iteration of each fork
	QuantitySlowForks  = "slow forks"         // the forks' medians, by a test that weighs the worst
	QuantityCollection = "GC cycles"          // of an operation, as the hooks count them
)

// Moved reports whether the interval excludes 1.
func (s *Shift) Moved() bool { return s.Lo > 1 || s.Hi < 1 }

// alsoAlpha is the share of rows without a change in which [Builder.also] may report one, after Holm's correction within
// the row. tailIterations is the least number of iterations of a fork from which its tail is tested.
const (
	alsoAlpha      = 0.01
	tailIterations = 4
)

// judged compares a unit of two cases by the test that the record names. Savage's is for times and rates that the
// benchmark reports: only of those is it known that disturbances make them worse. It takes forks that iterate alike.
func (b *Builder) judged(old, new *caseData, role, unit string, o stat.Options) stat.Comparison {
	xs, ys := old.values(role, unit), new.values(role, unit)
	if b.run == nil || b.run.Config.Test != record.TestSavage || o.Exact || ofTool(unit) || ofHooks(unit) ||
		!record.IsTime(unit) && !record.IsRate(unit) || !sameIterations(old, new, role, unit) || b.unlikeIterations(old, new) {
		return stat.Compare(xs, ys, o)
	}
	return stat.CompareForks(stat.Forks{Typical: xs, Undisturbed: old.extremes(role, unit, o.HigherIsBetter)},
		stat.Forks{Typical: ys, Undisturbed: new.extremes(role, unit, o.HigherIsBetter)}, o)
}

// extremes returns the highest or the lowest measured iteration of each fork, in the order of values.
func (c *caseData) extremes(role, unit string, highest bool) []float64 {
	pick := func(u *unitSeries) float64 {
		if highest {
			return u.hi
		}
		return u.lo
	}
	if out := reduced(c.forks, role, unit, pick); len(out) > 0 {
		return out
	}
	return reduced(c.profiled, role, unit, pick)
}

// setTest takes what stat.CompareForks found.
func (c *Comparison) setTest(r *stat.Comparison) {
	c.Test, c.By, c.Undisturbed, c.Typical = "", "", nil, nil
	if r.Test != stat.TestSavage {
		return
	}
	u, t := shift("", r.Undisturbed), shift("", r.Typical)
	c.Test, c.By, c.Undisturbed, c.Typical = record.TestSavage, r.By, &u, &t
}

func shift(quantity string, s stat.Shift) Shift {
	e := s.Ratio
	return Shift{quantity, Number(s.Old), Number(s.New), Number(e.Value), Number(e.Lo), Number(e.Hi), e.Confidence, Number(s.P)}
}

// also tests quantities that Savage's test does not see, because it examines the best iterations: the tail of the
// iterations, the slow forks, and garbage collection. moved are those that changed by another ratio than the
// undisturbed speed. unseen names those for which a side has no values.
func (b *Builder) also(old, new *caseData, role, unit string, r *stat.Comparison) (moved []Shift, unseen []string) {
	if r.Test != stat.TestSavage {
		return nil, nil
	}
	worse := !r.Options.HigherIsBetter // highest is worst
	var found []stat.Shift
	var names []string
	add := func(name string, xs, ys []float64, test func(xs, ys []float64) (stat.Estimate, float64)) {
		if len(xs) > 0 && len(ys) > 0 {
			e, p := test(xs, ys)
			found = append(found, stat.Shift{Old: stat.Median(xs), New: stat.Median(ys), Ratio: e, P: p})
			names = append(names, name)
		} else {
			unseen = append(unseen, name)
		}
	}
	u := func(xs, ys []float64) (stat.Estimate, float64) {
		return stat.HodgesLehmann(xs, ys, 1-alsoAlpha), stat.MannWhitney(xs, ys).P
	}
	slow := func(xs, ys []float64) (stat.Estimate, float64) {
		s := stat.Savage(xs, ys, 1-alsoAlpha, worse)
		return s.Ratio, s.P
	}
	if min(old.iterated(role, unit), new.iterated(role, unit)) >= tailIterations {
		add(QuantityTail, old.extremes(role, unit, worse), new.extremes(role, unit, worse), u)
	} else {
		unseen = append(unseen, QuantityTail)
	}
	add(QuantitySlowForks, old.values(role, unit), new.values(role, unit), slow)
	add(QuantityCollection, old.values(role, "gc-cycles"), new.values(role, "gc-cycles"), u)
	ps := make([]float64, len(found))
	for i := range found {
		ps[i] = found[i].P
	}
	for i, p := range stat.Holm(ps) {
		if s := shift(names[i], found[i]); p <= alsoAlpha && !math.IsNaN(p) && s.Moved() && !s.holds(r.Undisturbed.Ratio.Value) {
			moved = append(moved, s)
		}
	}
	return slices.Clip(moved), unseen
}

// iterated returns the fewest measured iterations of a fork.
func (c *caseData) iterated(role, unit string) int {
	ns := reduced(c.forks, role, unit, func(u *unitSeries) float64 { return float64(u.n) })
	if len(ns) == 0 {
		return 0
	}
	return int(slices.Min(ns))
}
