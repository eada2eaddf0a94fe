package latencies

import (
	"fmt"
	"math"
	"strings"
)

// TimeUnit is a unit in which latencies are logged or shown. The zero value stands for
// no choice.
type TimeUnit struct {
	Name string
	Ns   int64
}

// The units of latencies.
var (
	Nanosecond  = TimeUnit{"ns", 1}
	Microsecond = TimeUnit{"us", 1e3}
	Millisecond = TimeUnit{"ms", 1e6}
	Second      = TimeUnit{"s", 1e9}
)

// ParseTimeUnit reads ns, us, ms or s. The empty text gives the zero TimeUnit.
func ParseTimeUnit(s string) (TimeUnit, error) {
	if s == "µs" {
		s = "us"
	}
	for _, u := range []TimeUnit{{}, Nanosecond, Microsecond, Millisecond, Second} {
		if u.Name == s {
			return u, nil
		}
	}
	return TimeUnit{}, fmt.Errorf("%q is none of ns, us, ms, s", s)
}

// Or returns u, or the other unit if u is the zero TimeUnit.
func (u TimeUnit) Or(other TimeUnit) TimeUnit {
	if u.Ns == 0 {
		return other
	}
	return u
}

// Places returns how many decimal places of the unit reach down to 1 ns.
func (u TimeUnit) Places() int { return int(math.Round(math.Log10(float64(u.Ns)))) }

// Exact writes ns in the unit, without rounding.
func (u TimeUnit) Exact(ns int64) string {
	n := u.Places()
	s := fmt.Sprintf("%0*d", n+1, ns)
	s = s[:len(s)-n] + "." + s[len(s)-n:]
	return strings.TrimSuffix(strings.TrimRight(s, "0"), ".")
}
