package stat

import (
	"math"
	"math/rand/v2"
	"testing"
)

// exps turns log values into values.
func exps(ls ...float64) []float64 {
	xs := make([]float64, len(ls))
	for i, l := range ls {
		xs[i] = math.Exp(l)
	}
	return xs
}

// By hand: means 2, 4, 9; MSW = (2+2+2)/6 = 1, MSB = 3·26/2 = 39.
func TestOneWayBalanced(t *testing.T) {
	s := OneWay([][]float64{exps(1, 2, 3), exps(3, 4, 5), exps(8, 9, 10), nil})
	near(t, "Within", s.Within, 1, 1e-12)
	near(t, "Between", s.Between, math.Sqrt(38.0/3), 1e-12)
	near(t, "F", s.F, 39, 1e-12)
	near(t, "ICC", s.ICC, (38.0/3)/(38.0/3+1), 1e-12)
	near(t, "PerFork", s.PerFork, 3, 1e-12)
	if s.Forks != 3 || s.Values != 9 {
		t.Errorf("%+v", s)
	}
	near(t, "OptimalIterations", s.OptimalIterations(100*38.0/3, 1), 10, 1e-12)
	near(t, "DesignEffect", Spread{ICC: 0.76}.DesignEffect(10), 7.84, 1e-12)
	near(t, "EffectiveValues", Spread{ICC: 0.76}.EffectiveValues(1, 10), 1.2755, 1e-4) // statistics.md §4
}

// Unequal forks, by simulation: the components come back.
func TestOneWayUnbalanced(t *testing.T) {
	r := seeded(1)
	forks := make([][]float64, 3000)
	for i := range forks {
		base := 0.1 * r.NormFloat64()
		for range 1 + r.IntN(8) {
			forks[i] = append(forks[i], math.Exp(base+0.05*r.NormFloat64()))
		}
	}
	s := OneWay(forks)
	near(t, "Within", s.Within, 0.05, 0.05)
	near(t, "Between", s.Between, 0.1, 0.05)
	near(t, "ICC", s.ICC, 0.8, 0.05)
}

func TestOneWayEdges(t *testing.T) {
	for _, c := range []struct {
		name                    string
		forks                   [][]float64
		within, between, f, icc float64
		optimal                 float64 // at equal costs
	}{
		{"nothing", nil, nan, nan, nan, nan, nan},
		{"empty forks", [][]float64{nil, {}}, nan, nan, nan, nan, nan},
		{"one value", [][]float64{{3}}, nan, nan, nan, nan, nan},
		{"one fork", [][]float64{exps(1, 2, 3)}, 1, nan, nan, nan, nan},
		{"one iteration each", [][]float64{exps(1), exps(3)}, nan, math.Sqrt2, nan, nan, nan},
		{"all equal", [][]float64{{2, 2}, {2, 2}}, 0, 0, nan, nan, 1},
		{"constant forks", [][]float64{{1, 1}, exps(1, 1)}, 0, math.Sqrt(0.5), inf, 1, 1},
		{"forks alike", [][]float64{exps(1, 3), exps(3, 1)}, math.Sqrt2, 0, 0, 0, inf},
		{"a zero", [][]float64{{0, 1}, {1, 2}}, nan, nan, nan, nan, nan},
		{"a NaN", [][]float64{{1, nan}, {1, 2}}, nan, nan, nan, nan, nan},
	} {
		s := OneWay(c.forks)
		near(t, c.name+": Within", s.Within, c.within, 1e-9)
		near(t, c.name+": Between", s.Between, c.between, 1e-9)
		near(t, c.name+": F", s.F, c.f, 1e-9)
		near(t, c.name+": ICC", s.ICC, c.icc, 1e-9)
		near(t, c.name+": OptimalIterations", s.OptimalIterations(1, 1), c.optimal, 1e-9)
	}
	s := Spread{Within: 1, Between: 1}
	for _, costs := range [][2]float64{{-1, 1}, {1, -1}, {nan, 1}, {0, 0}} {
		near(t, "OptimalIterations", s.OptimalIterations(costs[0], costs[1]), nan, 0)
	}
	near(t, "free iterations", s.OptimalIterations(1, 0), inf, 0)
	near(t, "free forks", s.OptimalIterations(0, 1), 1, 0)
}

// Two levels are the one-way analysis.
func TestComponentsTwoLevels(t *testing.T) {
	forks := [][]float64{exps(1, 2, 3), exps(3, 4, 5), exps(8, 9, 10)}
	root := VarianceTree{}
	for _, f := range forks {
		root.Children = append(root.Children, VarianceTree{Values: f})
	}
	cs, s := Components(root), OneWay(forks)
	if len(cs) != 2 || cs[0].Units != 9 || cs[1].Units != 3 || cs[0].PerUnit != 3 {
		t.Fatalf("%+v", cs)
	}
	near(t, "iterations", cs[0].SD(), s.Within, 1e-12)
	near(t, "forks", cs[1].SD(), s.Between, 1e-12)
	if ns := OptimalCounts(cs, []float64{1, 100 * 38.0 / 3}); len(ns) != 1 || ns[0] != 10 {
		t.Errorf("OptimalCounts = %v", ns)
	}
}

// nest draws layouts of forks of iterations; count may vary the number.
func nest(r *rand.Rand, sds []float64, base float64, count func(level int) int) VarianceTree {
	level := len(sds) - 1
	n := VarianceTree{}
	for range count(level) {
		x := base + sds[level]*r.NormFloat64()
		if level == 0 {
			n.Values = append(n.Values, math.Exp(x))
		} else {
			n.Children = append(n.Children, nest(r, sds[:level], x, count))
		}
	}
	return n
}

func TestComponentsThreeLevels(t *testing.T) {
	sds := []float64{0.02, 0.05, 0.1} // iterations, forks, layouts
	for name, count := range map[string]func(r *rand.Rand, level int) int{
		"balanced":   func(_ *rand.Rand, level int) int { return []int{4, 3, 1500}[level] },
		"unbalanced": func(r *rand.Rand, level int) int { return []int{2 + r.IntN(5), 2 + r.IntN(3), 1500}[level] },
	} {
		r := seeded(2)
		cs := Components(nest(r, sds, 0, func(level int) int { return count(r, level) }))
		if len(cs) != 3 {
			t.Fatalf("%s: %+v", name, cs)
		}
		for i, sd := range sds {
			near(t, name, cs[i].SD(), sd, 0.06)
		}
		ns := OptimalCounts(cs, []float64{1, 9, 400})
		if len(ns) != 2 || ns[0] != 2 || ns[1] != 4 { // √(9·0.16) = 1.2, √(44·0.25) = 3.3
			t.Errorf("%s: OptimalCounts = %v", name, ns)
		}
	}
}

func TestComponentsEdges(t *testing.T) {
	leaf := func(xs ...float64) VarianceTree { return VarianceTree{Values: xs} }
	for name, n := range map[string]VarianceTree{
		"empty":        {},
		"empty inside": {Children: []VarianceTree{{}, {Children: []VarianceTree{{}}}}},
		"ragged":       {Children: []VarianceTree{leaf(1, 2), {Children: []VarianceTree{leaf(1)}}}},
		"both":         {Values: []float64{1}, Children: []VarianceTree{leaf(1)}},
		"zero":         {Children: []VarianceTree{leaf(1, 0), leaf(1, 2)}},
	} {
		if cs := Components(n); cs != nil {
			t.Errorf("%s: %+v", name, cs)
		}
	}
	// One layout: its variance is unknown; that of its forks is not.
	cs := Components(VarianceTree{Children: []VarianceTree{{Children: []VarianceTree{leaf(1, 2), leaf(3, 4), {}}}}})
	if len(cs) != 3 || !math.IsNaN(cs[2].Variance) || !(cs[1].Variance > 0) {
		t.Errorf("one layout: %+v", cs)
	}
	if ns := OptimalCounts(cs, []float64{1, 1, 1}); len(ns) != 2 || !math.IsNaN(ns[1]) {
		t.Errorf("one layout: %v", ns)
	}
	if ns := OptimalCounts(nil, nil); ns != nil {
		t.Error(ns)
	}
	// One iteration per fork: the fork level holds both.
	cs = Components(VarianceTree{Children: []VarianceTree{leaf(math.Exp(1)), leaf(math.Exp(3))}})
	if !math.IsNaN(cs[0].Variance) {
		t.Errorf("%+v", cs)
	}
	near(t, "forks", cs[1].Variance, 2, 1e-12)
}
