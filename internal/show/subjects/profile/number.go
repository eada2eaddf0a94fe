package profile

import (
	"github.com/tarebench/tare/internal/base/units"
)

// value returns a value of a unit with three digits; counts are whole.
func value(x int64, unit string) string {
	switch unit {
	case "nanoseconds":
		return duration(float64(x))
	case "count", "":
		return units.Count(x)
	}
	return units.Count(x) + " " + unit
}

// duration returns a time in ns, with three digits.
func duration(ns float64) string {
	if ns == 0 {
		return "0"
	}
	return units.Value("ns", ns, 3)
}

// share returns a share in per cent, with how far it may be off: with as many digits as show that.
func share(p, err float64) string {
	places := 1
	for x := 1000 * err; err > 0 && x < 0.5 && places < 4; x *= 10 {
		places++
	}
	s := units.Fixed(100*p, places)
	if err > 0 {
		s += " ± " + units.Fixed(100*err, places)
	}
	return s + " %"
}
