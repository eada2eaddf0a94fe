package main

import (
	"math"
	"strconv"

	"github.com/tarebench/tare/stat"
)

func percent(share float64) string { return strconv.FormatFloat(100*share, 'g', 6, 64) + " %" }

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
	return strconv.FormatFloat(x, 'f', min(max(2-exp, 0), 4), 64)
}

// plain writes a figure without its interval, in units of one.
func plain(f stat.Interval, one float64) string { return significant(f.Median / one) }

// full writes a figure with its interval; one of too few forks says that it has
// none.
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
