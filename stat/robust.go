package stat

import "math"

// madScale makes the MAD of a normal sample estimate its standard deviation:
// 1/Φ⁻¹(3/4).
const madScale = 1.4826

// MAD returns the median absolute deviation from the median, unscaled, in the
// unit of xs. It is 0 if more than half of xs are equal, and NaN if xs is
// empty or holds a NaN.
func MAD(xs []float64) float64 {
	m := Median(xs)
	ds := make([]float64, len(xs))
	for i, x := range xs {
		if x != m { // Inf - Inf is no distance
			ds[i] = math.Abs(x - m)
		}
	}
	return Median(ds)
}

// RobustCV returns 1.4826·MAD/|median|: a relative standard deviation that a
// few extreme forks do not change. It has no unit; 0.02 means 2 %.
//
// It is 0 for one value and NaN if xs is empty, holds a NaN, or has median
// zero.
func RobustCV(xs []float64) float64 {
	m := math.Abs(Median(xs))
	if m == 0 {
		return math.NaN()
	}
	return madScale * MAD(xs) / m
}
