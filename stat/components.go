package stat

import "math"

// VarianceTree is an experiment of any number of levels. A node has either the Values
// of the lowest level (a fork and its iterations) or Children (a layout and its
// forks; the whole experiment and its layouts).
type VarianceTree struct {
	Values   []float64
	Children []VarianceTree
}

// Component is the contribution of one level to the variance.
type Component struct {
	Units    int     // of this level in the whole experiment: iterations, forks, layouts …
	PerUnit  float64 // units of this level in one of the level above, harmonic mean
	Observed float64 // S²: variance of the units' log means inside one unit above
	Variance float64 // T²: this level's part of S², never negative; NaN if the level was not repeated
}

// SD returns the standard deviation that the level adds to log values. A small one is
// a relative standard deviation: 0.05 is 5 %.
func (c Component) SD() float64 { return math.Sqrt(c.Variance) }

// Components splits the variance of log values over the levels of an
// experiment, lowest level first: for layouts of forks of iterations the result
// is [iteration, fork, layout]. It follows Kalibera & Jones ("Rigorous
// Benchmarking in Reasonable Time", ISMM 2013; arXiv 2007.10899): S²ᵢ is the variance of level-i means inside their parent, averaged over
// parents, T²₁ = S²₁ and T²ᵢ = S²ᵢ - S²ᵢ₋₁/nᵢ₋₁.
//
// Their design is balanced; here parents are weighted by their degrees of
// freedom and n is the harmonic mean, which is theirs for equal sizes and the
// analysis of unweighted means otherwise. A level that was never repeated
// (one layout) has NaN variance: no interval computed from the data covers it.
// If the level below was never repeated its variance is contained in this one.
//
// Empty nodes are skipped. The result is nil if there is no value, a value is
// not positive and finite, or branches differ in depth.
func Components(root VarianceTree) []Component {
	var levels []levelSums
	if _, depth, ok := root.collect(&levels); !ok || depth == 0 {
		return nil
	}
	cs := make([]Component, len(levels))
	for i, l := range levels {
		c := &cs[i]
		c.Units = l.units
		c.PerUnit = float64(l.parents) / l.inverse
		c.Observed = l.squares / float64(l.units-l.parents)
		c.Variance = c.Observed
		if i > 0 && !math.IsNaN(cs[i-1].Observed) {
			c.Variance -= cs[i-1].Observed / cs[i-1].PerUnit
		}
		if c.Variance < 0 {
			c.Variance = 0
		}
	}
	return cs
}

// OptimalCounts returns how often to repeat each level inside the one above for
// the most precise mean in a given time: ⌈√(costᵢ₊₁/costᵢ · T²ᵢ/T²ᵢ₊₁)⌉, at least
// 1 (Kalibera & Jones, ISMM 2013). costs are, lowest level first and in one
// unit, what one more unit of the level costs beside the units inside it. The
// highest level has no optimum, because it uses the remaining time: the result has
// one entry less than the levels. Entries are +Inf where the level above adds no
// variance and NaN where something is unknown.
func OptimalCounts(cs []Component, costs []float64) []float64 {
	var ns []float64
	for i := 0; i+1 < min(len(cs), len(costs)); i++ {
		ns = append(ns, optimal(costs[i+1], costs[i], cs[i].Variance, cs[i+1].Variance))
	}
	return ns
}

// levelSums are the sums of one level over all its parents.
type levelSums struct {
	units, parents int
	squares        float64 // of deviations from the parent's mean
	inverse        float64 // Σ 1/units over parents
}

// collect returns the unweighted mean of a node's logs and its depth (0: empty).
func (n VarianceTree) collect(levels *[]levelSums) (m float64, depth int, ok bool) {
	if len(n.Children) == 0 {
		ls, positive := logs(n.Values)
		if !positive || len(ls) == 0 {
			return 0, 0, positive
		}
		return addLevel(levels, 1, ls), 1, true
	}
	if len(n.Values) > 0 {
		return 0, 0, false
	}
	var means []float64
	for _, part := range n.Children {
		pm, pd, pok := part.collect(levels)
		if !pok || (pd != 0 && depth != 0 && pd != depth) {
			return 0, 0, false
		}
		if pd != 0 {
			means, depth = append(means, pm), pd
		}
	}
	if depth == 0 {
		return 0, 0, true
	}
	return addLevel(levels, depth+1, means), depth + 1, true
}

// addLevel adds one parent of level units and returns its mean.
func addLevel(levels *[]levelSums, depth int, units []float64) float64 {
	for len(*levels) < depth {
		*levels = append(*levels, levelSums{})
	}
	l, m := &(*levels)[depth-1], mean(units)
	l.units += len(units)
	l.parents++
	l.squares += squares(units, m)
	l.inverse += 1 / float64(len(units))
	return m
}
