package calls

import (
	"math"

	"github.com/tarebench/tare/record"

	"github.com/tarebench/tare/internal/base/units"
)

// operations returns what a benchmark's calls are counted over.
func (c *Calls) operations() string {
	s := units.Plural(c.t.Ops, "operation")
	if c.t.Forks > 1 {
		s += " in " + units.Count(c.t.Forks) + " forks"
	}
	return s
}

// perOp returns how many calls of a function an operation makes, and the least and the most
// of a fork if those differ.
func (c *Calls) perOp(f *record.TraceFunc) (mean, spread figure) {
	if c.t.Ops == 0 {
		return
	}
	x, fewest, most := c.t.PerOp(f)
	mean = number(x)
	if c.t.Window == record.AsmRough {
		mean = approx(mean)
	}
	if lo, hi := number(fewest), number(most); lo != hi {
		spread.whole = lo.String() + " … " + hi.String()
	}
	return mean, spread
}

// number returns a number with three digits behind leading zeros, or all of a whole one: of
// what is none by ever so little the point can be seen.
func number(x float64) figure {
	switch {
	case !(x > 0):
		return figure{whole: "0"}
	case x == math.Trunc(x) && x < 1<<53:
		return count(int64(x))
	case x < 1e-6:
		return figure{whole: "<0", part: ".000001"}
	case x >= 1e15:
		return figure{whole: units.Rounding{Sci: true}.Text(x)}
	}
	places := max(1, 2-int(math.Floor(math.Log10(x))))
	return split(units.Fixed(x, places), "")
}
