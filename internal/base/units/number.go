package units

import (
	"math"
	"strconv"
	"strings"
)

// None stands where there is no figure.
const None = "–"

// Dots stand between the bounds of an interval.
const Dots = " … "

// Rounding says how the figures of one row are written, so that a value and the
// bounds of its interval end at the same digit.
type Rounding struct {
	Places int  // digits after the point; negative: round to tens, hundreds …
	Sci    bool // too small or too big for plain digits
	Trim   bool // exact: no zeros at the end
}

const (
	fewFigures  = 2 // of a value with a wide interval
	someFigures = 3 // of a value without an interval
	mostFigures = 5 // of a value with a narrow interval
)

// MostFigures is the most significant digits that an interval gives to a value.
const MostFigures = mostFigures

// Round returns what the interval of a scaled value supports: two significant digits
// of its half-width. An interval with an infinite bound counts as no interval.
func Round(v, lo, hi float64, scaled bool) Rounding {
	half := (hi - lo) / 2
	figures := someFigures
	switch {
	case half == 0 && v == math.Trunc(v) && math.Abs(v) < 1e15 && !scaled:
		return Rounding{} // a count that is the same everywhere
	case half == 0:
		figures = mostFigures
		if scaled {
			figures--
		}
	case half > 0 && !math.IsInf(half, 0):
		if v == 0 {
			v = half // nothing else says how big zero is
		}
		figures = Magnitude(v) - Magnitude(half) + 2
	}
	figures = min(max(figures, fewFigures), mostFigures)
	m := Magnitude(v)
	return Rounding{Places: figures - 1 - m, Sci: m < -6 || m > 9, Trim: half == 0}
}

// Digits rounds x to n significant digits.
func Digits(x float64, n int) Rounding { return Rounding{Places: n - 1 - magnitude(x, n)} }

// Fixed writes x with so many digits after the point.
func Fixed(x float64, places int) string { return Rounding{Places: places}.Text(x) }

// Significant writes x with so many significant digits, and with all digits before the point.
func Significant(x float64, digits int) string {
	r := Digits(x, digits)
	r.Places, r.Trim = max(r.Places, 0), x == 0
	return r.Text(x)
}

// Trimmed writes x with at most so many significant digits, without zeros behind the point.
func Trimmed(x float64, digits int) string {
	r := Digits(x, digits)
	r.Trim = true
	return r.Text(x)
}

// Signed puts the sign of x before the text of its magnitude: +3, −0.5. Zero has none.
func Signed(x float64, magnitude string) string {
	switch {
	case strings.Trim(magnitude, "0.") == "":
		return magnitude
	case x < 0:
		return "−" + magnitude
	}
	return "+" + magnitude
}

// Plain writes x with all its digits: 99.99, 12 500.
func Plain(x float64) string { return Group(strconv.FormatFloat(x, 'f', -1, 64)) }

// Magnitude returns the power of ten of x's first digit, after rounding x to two.
func Magnitude(x float64) int { return magnitude(x, 2) }

// magnitude returns the power of ten of x's first digit, after rounding x to n digits.
func magnitude(x float64, n int) int {
	if x == 0 || math.IsNaN(x) || math.IsInf(x, 0) {
		return 0
	}
	s := strconv.FormatFloat(x, 'e', n-1, 64)
	m, _ := strconv.Atoi(s[strings.IndexByte(s, 'e')+1:])
	return m
}

// manyDigits is from where on numbers are written as 1.00e+18: records that were damaged have them.
const manyDigits = 1e18

// Text writes x, with its digits in groups.
func (r Rounding) Text(x float64) string {
	switch {
	case math.IsNaN(x):
		return None
	case math.IsInf(x, 0):
		return strings.TrimPrefix(strings.ToLower(strconv.FormatFloat(x, 'g', -1, 64)), "+")
	case r.Sci && x == 0:
		return "0"
	case r.Sci, math.Abs(x) >= manyDigits:
		return strconv.FormatFloat(x, 'e', 2, 64)
	}
	if r.Places < 0 {
		ten := math.Pow10(-r.Places)
		x = math.Round(x/ten) * ten
	}
	s := strconv.FormatFloat(x, 'f', max(r.Places, 0), 64)
	if r.Trim && strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	if s == "-0" {
		s = "0"
	}
	return Group(s)
}

// Group puts a blank before every third digit of five and more before the point.
func Group(s string) string {
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

// Count writes a whole number: 45 639.
func Count[N ~int | ~int32 | ~int64](n N) string { return Group(strconv.FormatInt(int64(n), 10)) }

// Plural returns a number with its noun: 1 fork, 20 forks, 3 processes.
func Plural[N ~int | ~int32 | ~int64](n N, noun string) string {
	return Count(n) + " " + Noun(n, noun)
}

// Noun returns the noun for a number of things, without the number.
func Noun[N ~int | ~int32 | ~int64](n N, noun string) string {
	switch {
	case n == 1:
		return noun
	case strings.HasSuffix(noun, "s"):
		return noun + "es"
	}
	return noun + "s"
}

// List names the first few, and says how many more there are.
func List(names []string, most int) string {
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return strings.Join(names[:most], ", ") + " and " + Count(len(names)-most) + " more"
}
