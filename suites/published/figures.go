package published

import (
	"math"
	"strconv"

	"github.com/tarebench/tare/stat"
)

// missing stands where there is no figure.
const missing = "–"

// Digits writes figures with three significant digits, and at most so many behind
// the point.
type Digits int

// Significant writes x with three significant digits. All digits before the point
// are written.
func (d Digits) Significant(x float64) string {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return missing
	}
	exp := 0
	if x != 0 {
		exp = int(math.Floor(math.Log10(math.Abs(x)) + 1e-12))
	}
	return strconv.FormatFloat(x, 'f', min(max(2-exp, 0), int(d)), 64)
}

// Plain writes the median of an interval, in units of one.
func (d Digits) Plain(f stat.Interval, one float64) string { return d.Significant(f.Median / one) }

// Full writes a median and its interval, in units of one. A figure that is the same
// in all forks stands alone. One of too few forks has "(± ?)".
func (d Digits) Full(f stat.Interval, one float64) string {
	s := d.Plain(f, one)
	switch {
	case math.IsNaN(f.Median) || f.Lo == f.Hi:
		return s
	case math.IsInf(f.Lo, 0) || math.IsInf(f.Hi, 0):
		return s + " (± ?)"
	}
	return s + " (" + d.Significant(f.Lo/one) + " … " + d.Significant(f.Hi/one) + ")"
}

// Count writes a whole number with a blank before each third digit.
func Count(x float64) string {
	if math.IsNaN(x) {
		return missing
	}
	s := strconv.FormatFloat(math.Round(x), 'f', 0, 64)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + " " + s[i:]
	}
	return s
}

// Percent writes a share of one, such as a confidence, in percent.
func Percent(share float64) string { return strconv.FormatFloat(100*share, 'g', 6, 64) + " %" }
