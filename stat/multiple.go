package stat

import (
	"cmp"
	"math"
	"slices"
)

// Holm returns p values adjusted so that comparing each with alpha keeps the
// chance of even one false alarm in the family at alpha (Holm 1979): for gates.
// One family is one metric over all benchmarks of one comparison.
//
// The result is in the order of ps. NaN stays NaN and does not count as a
// member of the family. Adjusted values are at most 1.
func Holm(ps []float64) []float64 {
	adjusted, order := family(ps)
	worst := 0.0
	for k, i := range order {
		worst = max(worst, min(1, float64(len(order)-k)*ps[i]))
		adjusted[i] = worst
	}
	return adjusted
}

// BenjaminiHochberg returns p values adjusted so that comparing each with q
// keeps the expected share of false alarms among the alarms at q (Benjamini &
// Hochberg 1995): for exploring a table. NaN is treated as by Holm.
func BenjaminiHochberg(ps []float64) []float64 {
	adjusted, order := family(ps)
	best := 1.0
	for k := len(order) - 1; k >= 0; k-- {
		i := order[k]
		best = min(best, float64(len(order))/float64(k+1)*ps[i])
		adjusted[i] = best
	}
	return adjusted
}

// family returns a result full of NaN and the indices of the p values that are not
// NaN, smallest first.
func family(ps []float64) (adjusted []float64, order []int) {
	adjusted = make([]float64, len(ps))
	for i, p := range ps {
		adjusted[i] = math.NaN()
		if !math.IsNaN(p) {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(ps[a], ps[b]) })
	return adjusted, order
}
