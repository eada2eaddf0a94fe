package gather

import (
	"cmp"
	"math"
	"slices"

	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/record"
	"github.com/tarebench/tare/stat"
)

// Changed returns the comparisons of times whose verdict is that they changed, with all also the others: the largest
// change first, and most at most.
func Changed(res *result.Result, all bool, most int) (out []*result.Comparison) {
	for i := range res.Comparisons {
		c := &res.Comparisons[i]
		changed := c.Verdict == string(stat.Slower) || c.Verdict == string(stat.Faster)
		if c.Main && record.IsTime(c.Unit) && (changed || all) {
			out = append(out, c)
		}
	}
	change := func(c *result.Comparison) float64 { return math.Abs(math.Log(float64(c.Ratio))) }
	slices.SortStableFunc(out, func(a, b *result.Comparison) int { return cmp.Compare(change(b), change(a)) })
	return out[:min(len(out), most)]
}

// Undecided returns the comparisons of times whose verdict is undecided and whose ratio differs from 1 by least or
// more, relatively. The largest difference comes first, and at most most are returned.
func Undecided(res *result.Result, least float64, most int) (out []*result.Comparison) {
	for _, c := range Changed(res, true, len(res.Comparisons)) {
		if c.Verdict == string(stat.Undecided) && math.Abs(math.Log(float64(c.Ratio))) >= least && len(out) < most {
			out = append(out, c)
		}
	}
	return out
}

// SameCode reports whether the machine code of a benchmark is the same on both sides, so that measuring other layouts
// of it tells more.
func SameCode(res *result.Result, c *result.Comparison) bool {
	e, _ := Of(res, c)
	return e.SameEverywhere()
}
