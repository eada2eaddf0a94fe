package stat

import (
	"math"
	"slices"
)

// Median returns the middle value of xs, or the mean of the two middle values.
//
// The unit is that of xs. It is NaN if xs is empty or holds a NaN; infinite
// values are ordered like any others.
func Median(xs []float64) float64 {
	if len(xs) == 0 || hasNaN(xs) {
		return math.NaN()
	}
	return sortedMedian(sorted(xs))
}

// Quantile returns the q-quantile of xs, 0 ≤ q ≤ 1, interpolating linearly
// between the values around rank 1+(n-1)q (type 7 of Hyndman & Fan, "Sample
// Quantiles in Statistical Packages", 1996; the default of R and NumPy).
//
// The unit is that of xs. It is NaN if xs is empty or holds a NaN, or if q is
// outside [0, 1].
func Quantile(xs []float64, q float64) float64 {
	if len(xs) == 0 || hasNaN(xs) || !(q >= 0 && q <= 1) {
		return math.NaN()
	}
	return sortedQuantile(sorted(xs), q)
}

// sorted returns a sorted copy: the caller's slice keeps its time order.
func sorted(xs []float64) []float64 {
	ys := slices.Clone(xs)
	slices.Sort(ys)
	return ys
}

// sortedMedian is Median of a non-empty ascending slice without NaN.
func sortedMedian(xs []float64) float64 {
	n := len(xs)
	if n%2 == 1 {
		return xs[n/2]
	}
	return mid(xs[n/2-1], xs[n/2])
}

// sortedQuantile is Quantile of a non-empty ascending slice without NaN.
func sortedQuantile(xs []float64, q float64) float64 {
	h := float64(len(xs)-1) * q
	i := int(h)
	if i+1 >= len(xs) {
		return xs[len(xs)-1]
	}
	x, y, f := xs[i], xs[i+1], h-float64(i)
	if f == 0 || x == y {
		return x
	}
	return min(max(x*(1-f)+y*f, x), y)
}

// mid returns the mean of two values; it neither overflows nor turns two equal
// infinities into NaN.
func mid(x, y float64) float64 {
	if x == y {
		return x
	}
	if s := x + y; !math.IsInf(s, 0) {
		return s / 2
	}
	return x/2 + y/2
}

func hasNaN(xs []float64) bool {
	return slices.ContainsFunc(xs, math.IsNaN)
}

// mean returns the arithmetic mean of a non-empty slice.
func mean(xs []float64) float64 {
	sum := 0.0
	for _, x := range xs {
		sum += x
	}
	return sum / float64(len(xs))
}

// squares returns the sum of squared deviations from m.
func squares(xs []float64, m float64) float64 {
	sum := 0.0
	for _, x := range xs {
		sum += (x - m) * (x - m)
	}
	return sum
}

// logs returns the natural logarithms of xs, and whether all of xs were
// positive and finite.
func logs(xs []float64) ([]float64, bool) {
	ys := make([]float64, len(xs))
	for i, x := range xs {
		if !(x > 0) || math.IsInf(x, 0) {
			return nil, false
		}
		ys[i] = math.Log(x)
	}
	return ys, true
}
