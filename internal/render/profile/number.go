package profile

import (
	"math"
	"strconv"
	"strings"
)

// value is a value of a unit with three digits; counts are whole.
func (t *text) value(x int64, unit string) string {
	switch unit {
	case "nanoseconds":
		return t.duration(float64(x))
	case "count", "":
		return strconv.FormatInt(x, 10)
	}
	return strconv.FormatInt(x, 10) + " " + unit
}

// number is how many there are of something.
func number(n int64, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return strconv.FormatInt(n, 10) + " " + noun
}

// duration is a time in ns, with three digits.
func (t *text) duration(ns float64) string {
	for _, u := range []struct {
		ns   float64
		name string
	}{{1e9, " s"}, {1e6, " ms"}, {1e3, " " + t.micro}} {
		if three(ns) >= u.ns {
			return digits(ns/u.ns) + u.name
		}
	}
	if ns == 0 {
		return "0"
	}
	return digits(ns) + " ns"
}

// brief is a time in ns, without zeros behind the point.
func (t *text) brief(ns float64) string {
	number, unit, _ := strings.Cut(t.duration(ns), " ")
	if strings.Contains(number, ".") {
		number = strings.TrimRight(strings.TrimRight(number, "0"), ".")
	}
	return strings.TrimSpace(number + " " + unit)
}

// three rounds to three digits.
func three(x float64) float64 {
	y, err := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 3, 64), 64)
	if err != nil {
		return x
	}
	return y
}

// digits are at least three of a number, without an exponent.
func digits(x float64) string {
	x = three(x)
	if x == 0 {
		return "0"
	}
	places := 2 - int(math.Floor(math.Log10(math.Abs(x))))
	return strconv.FormatFloat(x, 'f', max(0, places), 64)
}

// share is a share in per cent, with how far it may be off: with as many digits as show that.
func (t *text) share(p, err float64) string {
	places := 1
	for x := 1000 * err; err > 0 && x < 0.5 && places < 4; x *= 10 {
		places++
	}
	s := strconv.FormatFloat(100*p, 'f', places, 64)
	if err > 0 {
		s += " " + t.pm + " " + strconv.FormatFloat(100*err, 'f', places, 64)
	}
	return s + " %"
}
