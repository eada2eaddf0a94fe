package stat

import (
	"math"
	"slices"
)

const (
	defaultFresh = 8
	freshLater   = 2 // values behind the first one of a fresh shift, at least
	freshBefore  = 8 // values before it, at least
	freshZ       = 6 // robust standard deviations
)

// fresh searches for a shift among the last values of the segment that begins at last, where the rank test has too few. The
// median of the last k values, for each k from 3 to most, is compared with the median of the values before them, in
// standard deviations of that difference, by the MAD of the values before. There is a shift if that is 6 for any k, so high because
// the spread is estimated and k is chosen. Of those k, the shift is where the values are nearest to the medians before and behind it. By simulation 1 in 1000 flat series has one; a step of 20 %
// is found at its third value, one of 10 % then in 6 of 10 cases.
func fresh(xs []float64, last, most int) (LevelShift, bool) {
	best, least, found := LevelShift{Fresh: true}, math.Inf(1), false
	if slices.ContainsFunc(xs, func(x float64) bool { return !(x > 0) }) {
		return best, false
	}
	logs := make([]float64, len(xs)-last)
	for i, x := range xs[last:] {
		logs[i] = math.Log(x)
	}
	for k := freshLater + 1; k <= min(most, len(logs)-freshBefore); k++ {
		before, after := logs[:len(logs)-k], logs[len(logs)-k:]
		spread := max(madScale*MAD(before), freshSpread)
		const ofMedian = math.Pi / 2 // variance of a median over that of a mean
		sd := spread * math.Sqrt(ofMedian*(1/float64(len(before))+1/float64(k)))
		z := math.Abs(Median(after)-Median(before)) / sd
		if far := distance(before) + distance(after); z >= freshZ && far < least {
			best.At, best.Z, least, found = len(xs)-k, z, far, true
		}
	}
	return best, found
}

// distance returns the sum of the distances of values from their median.
func distance(xs []float64) (sum float64) {
	m := Median(xs)
	for _, x := range xs {
		sum += math.Abs(x - m)
	}
	return sum
}

// freshSpread is the least spread between points: equal values do not make a change of 0.1 % a shift.
const freshSpread = 0.002
