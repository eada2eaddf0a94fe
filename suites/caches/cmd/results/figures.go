package main

import (
	"math"
	"strconv"

	"github.com/tarebench/tare/stat"
)

// significant writes x to three digits, of which those before the point are all
// written.
func significant(x float64) string {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return "–"
	}
	exp := 0
	if x != 0 {
		exp = int(math.Floor(math.Log10(math.Abs(x)) + 1e-12))
	}
	return strconv.FormatFloat(x, 'f', min(max(2-exp, 0), 3), 64)
}

// plain writes a figure without its interval, in units of one.
func plain(f stat.Interval, one float64) string { return significant(f.Median / one) }

// full writes a figure with its interval. One that is the same in all forks stands
// alone; one of too few forks says that it has none.
func full(f stat.Interval, one float64) string {
	s := plain(f, one)
	switch {
	case math.IsNaN(f.Median) || f.Lo == f.Hi:
		return s
	case math.IsInf(f.Lo, 0) || math.IsInf(f.Hi, 0):
		return s + " (± ?)"
	}
	return s + " (" + significant(f.Lo/one) + " … " + significant(f.Hi/one) + ")"
}

// count writes a whole number with a blank before each third digit.
func count(x float64) string {
	if math.IsNaN(x) {
		return "–"
	}
	s := strconv.FormatFloat(math.Round(x), 'f', 0, 64)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + " " + s[i:]
	}
	return s
}
