package calls

import (
	"math"
	"strings"

	"github.com/tarebench/tare/internal/base/termtext"
	"github.com/tarebench/tare/internal/base/units"
)

// figure is a number in the parts by which a column is aligned.
type figure struct{ whole, part, unit string }

func (f figure) empty() bool { return f == figure{} }

// String returns the figure where nothing is aligned.
func (f figure) String() string {
	if f.unit == "" {
		return f.whole + f.part
	}
	return f.whole + f.part + " " + f.unit
}

// below reports whether the figure only says what a time is less than.
func (f figure) below() bool { return strings.HasPrefix(f.whole, "<") }

// least reports whether the figure only says what a time is at least.
func (f figure) least() bool { return strings.HasPrefix(f.whole, "≥") }

// count returns a whole number.
func count(n int64) figure { return figure{whole: units.Count(n)} }

// nonzero returns a whole number, or nothing for 0.
func nonzero(n int64) figure {
	if n == 0 {
		return figure{}
	}
	return count(n)
}

// duration returns a time in ns with three digits, but none finer than the given step in ns.
// What is less than it can tell is said to be less.
func duration(ns, finest float64) figure { return rounded(ns, finest, 3) }

func rounded(ns, finest float64, digits int) figure {
	if !(ns > 0) {
		return figure{whole: "0"}
	}
	if ns < leastTime {
		return less(leastTime)
	}
	ns, finest = min(ns, mostTime), min(finest, mostTime)
	step := decade(ns) / math.Pow10(digits-1)
	if finest > 0 {
		step = max(step, above(finest))
	}
	n := math.Round(ns / step)
	if n == 0 {
		return less(step)
	}
	ns = n * step
	unit, name := 1.0, "ns"
	for _, u := range []struct {
		ns   float64
		name string
	}{{1e9, "s"}, {1e6, "ms"}, {1e3, "µs"}} {
		if ns >= u.ns*(1-1e-9) {
			unit, name = u.ns, u.name
			break
		}
	}
	// What 999.6 rounds to has a digit too many.
	step = max(step, decade(ns*(1+1e-9))/math.Pow10(digits-1))
	places := max(0, int(math.Round(math.Log10(unit/step))))
	return split(units.Fixed(ns/unit, places), name)
}

// leastTime and mostTime bound what is written, in ns: damaged records have others.
const (
	leastTime = 1e-3
	mostTime  = 1e18
)

// less returns the text for a time below one step of the clock.
func less(step float64) figure {
	f := rounded(step, 0, 1)
	f.whole = "<" + f.whole
	return f
}

// split cuts a number at its point.
func split(s, unit string) figure {
	whole, part, ok := strings.Cut(s, ".")
	if ok {
		part = "." + part
	}
	return figure{whole, part, unit}
}

// decade returns the power of ten that is not above x, which is above 0.
func decade(x float64) float64 { return math.Pow10(int(math.Floor(math.Log10(x)))) }

// above returns the power of ten that is not below x.
func above(x float64) float64 { return math.Pow10(int(math.Ceil(math.Log10(x) - 1e-9))) }

// percent returns a share, with a digit after the point below a tenth.
func percent(share float64) figure {
	switch {
	case !(share > 0):
		return figure{"0", "", "%"}
	case share < 0.0005:
		return figure{"<0", ".1", "%"}
	case share < 0.0995:
		return split(units.Fixed(100*share, 1), "%")
	}
	return split(units.Fixed(100*min(share, 1e6), 0), "%")
}

// approx marks an estimate.
func approx(f figure) figure {
	if !f.empty() && f.whole != "0" && !strings.HasPrefix(f.whole, "<") && !strings.HasPrefix(f.whole, "≤") {
		f.whole = "≈" + f.whole
	}
	return f
}

// least marks what is at least so much.
func least(f figure) figure {
	if f.whole != "0" && !strings.HasPrefix(f.whole, "<") {
		f.whole = "≥" + strings.TrimPrefix(f.whole, "≈")
	}
	return f
}

// bound marks what is at most so much. Of what is known from below only, nothing is known.
func bound(f figure) figure {
	if !f.empty() && f.whole != "0" && !strings.HasPrefix(f.whole, "<") && !strings.HasPrefix(f.whole, "≥") {
		f.whole = "≤" + strings.TrimPrefix(f.whole, "≈")
	}
	return f
}

// shorten cuts a name to n cells: its end tells most.
func shorten(c termtext.Charset, s string, n int) string { return c.Cut(s, n, termtext.NearTheFront) }
