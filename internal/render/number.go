package render

import (
	"math"
	"strconv"
	"strings"

	"github.com/tarebench/tare/internal/result"
)

// rounding says how the figures of one row are written, so that a value and the
// bounds of its interval end at the same digit.
type rounding struct {
	places int  // digits after the point; negative: round to tens, hundreds …
	sci    bool // too small or too big for plain digits
	trim   bool // exact: no zeros at the end
}

const (
	fewFigures  = 2 // of a value with a wide interval
	someFigures = 3 // of a value without an interval
	mostFigures = 5 // of a value with a narrow interval
)

// roundingOf returns what the interval of a scaled value supports: two
// significant digits of its half-width.
func roundingOf(v, lo, hi float64, scaled bool) rounding {
	half := (hi - lo) / 2
	figures := someFigures
	switch {
	case half == 0 && v == math.Trunc(v) && math.Abs(v) < 1e15 && !scaled:
		return rounding{} // a count that is the same everywhere
	case half == 0:
		figures = mostFigures
		if scaled {
			figures--
		}
	case half > 0 && !math.IsInf(half, 0):
		if v == 0 {
			v = half // nothing else says how big zero is
		}
		figures = magnitude(v) - magnitude(half) + 2
	}
	figures = min(max(figures, fewFigures), mostFigures)
	m := magnitude(v)
	return rounding{places: figures - 1 - m, sci: m < -6 || m > 9, trim: half == 0}
}

// magnitude is the power of ten of x's first digit, after rounding x to two.
func magnitude(x float64) int {
	if x == 0 || math.IsNaN(x) || math.IsInf(x, 0) {
		return 0
	}
	s := strconv.FormatFloat(x, 'e', 1, 64)
	m, _ := strconv.Atoi(s[strings.IndexByte(s, 'e')+1:])
	return m
}

// number writes x.
func (g glyphs) number(x float64, r rounding) string {
	switch {
	case math.IsNaN(x):
		return g.none
	case math.IsInf(x, 0):
		return strings.TrimPrefix(strings.ToLower(strconv.FormatFloat(x, 'g', -1, 64)), "+")
	case r.sci && x == 0:
		return "0"
	case r.sci:
		return strconv.FormatFloat(x, 'e', 2, 64)
	}
	if r.places < 0 {
		ten := math.Pow10(-r.places)
		x = math.Round(x/ten) * ten
	}
	s := strconv.FormatFloat(x, 'f', max(r.places, 0), 64)
	if r.trim && strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	if s == "-0" {
		s = "0"
	}
	return group(s)
}

// group puts a blank before every third digit of five and more.
func group(s string) string {
	whole, frac := s, ""
	if i := strings.IndexByte(s, '.'); i >= 0 {
		whole, frac = s[:i], s[i:]
	}
	sign := ""
	if strings.HasPrefix(whole, "-") {
		sign, whole = "-", whole[1:]
	}
	if len(whole) < 5 {
		return s
	}
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + " " + whole[i:]
	}
	return sign + whole + frac
}

// percent writes a share: 3.1 %, 24 %.
func (g glyphs) percent(share float64) string {
	x := 100 * share
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return g.none
	}
	places := 1
	if math.Abs(x) >= 9.95 {
		places = 0
	}
	return strconv.FormatFloat(x, 'f', places, 64) + " %"
}

// level writes a confidence: 95 %, 99.9 %.
func level(c float64) string {
	return strconv.FormatFloat(math.Round(c*1e6)/1e4, 'f', -1, 64) + " %"
}

// forksNeeded is the least number of forks for an interval of that confidence
// around the median: the least n with 1 - 2·0.5ⁿ ≥ confidence. 0: none will do.
func forksNeeded(confidence float64) int {
	if !(confidence < 1) {
		return 0
	}
	n, missed := 1, 1.0
	for 1-missed < confidence {
		n++
		missed /= 2
	}
	return n
}

// confidence is the one asked for.
func confidence(s *result.Result) float64 {
	if s.Confidence > 0 {
		return s.Confidence
	}
	return result.DefaultConfidence
}

// p writes the p of a test.
func (g glyphs) p(x float64) string {
	switch {
	case !(x >= 0 && x <= 1):
		return g.none
	case x < 0.00001:
		return "<0.00001"
	case x < 0.001:
		return strconv.FormatFloat(x, 'f', 5, 64)
	}
	return strconv.FormatFloat(x, 'f', 3, 64)
}
