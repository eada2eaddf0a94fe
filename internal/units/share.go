package units

import (
	"math"
	"strconv"
)

// Percent writes a share: 3.1 %, 24 %.
func Percent(share float64) string {
	x := 100 * share
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return None
	}
	places := 1
	if math.Abs(x) >= 9.95 {
		places = 0
	}
	return strconv.FormatFloat(x, 'f', places, 64) + " %"
}

// PercentTo writes a share with so many digits after the point.
func PercentTo(share float64, places int) string {
	switch {
	case math.IsNaN(share):
		return None
	case math.IsInf(share, 1):
		return "∞ %"
	}
	return strconv.FormatFloat(100*share, 'f', places, 64) + " %"
}

// Level writes a share that somebody chose, with all its digits: 95 %, 99.9 %.
func Level(share float64) string {
	return strconv.FormatFloat(math.Round(share*1e6)/1e4, 'f', -1, 64) + " %"
}

// Probability writes the p of a test.
func Probability(p float64) string {
	switch {
	case !(p >= 0 && p <= 1):
		return None
	case p < 0.00001:
		return "<0.00001"
	case p < 0.001:
		return strconv.FormatFloat(p, 'f', 5, 64)
	}
	return strconv.FormatFloat(p, 'f', 3, 64)
}
