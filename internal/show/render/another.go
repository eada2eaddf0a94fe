package render

import (
	"fmt"
	"math"
	"slices"

	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/stat"
)

// anotherTitle is the column that says how far another run may be.
const anotherTitle = "another run"

// largeFactor is the factor from which a change is written as one: "± 60 %" says two different things.
const largeFactor = 1.3

// another writes how far the median of another run may be from a result's: "± 14 %", "× 1.9"; "" if it is not known.
func another(r *result.Benchmark) string {
	if !r.Another.Known() {
		return ""
	}
	text := "± " + units.Percent(math.Expm1(r.Another.Half))
	if f := math.Exp(r.Another.Half); f >= largeFactor {
		text = "×÷ " + units.Fixed(f, 1)
	}
	if r.Another.Approximate {
		text = "~ " + text
	}
	return text
}

// showsAnother reports whether some result says how far another run may be.
func showsAnother(rs []result.Benchmark) bool {
	return slices.ContainsFunc(rs, func(r result.Benchmark) bool { return r.Another.Known() })
}

// intervalNotes returns the lines below a table that say what its intervals mean. One is about the interval of this run. The
// other is about the interval for another run's median, or how many earlier runs it still takes. It returns nil if no result
// has an interval.
func intervalNotes(rs []result.Benchmark) []string {
	least, seen, approximate, figures := math.MaxInt, 0, false, false
	for i := range rs {
		figures = figures || rs[i].Forks > 0
		if a := rs[i].Another; a != nil {
			least, seen = min(least, a.Runs), max(seen, a.Seen)
			approximate = approximate || a.Approximate
		}
	}
	const this = "intervals: of this run"
	switch {
	case !figures:
		return nil
	case least == math.MaxInt: // old records, and texts
		return []string{this}
	case approximate:
		return []string{this, fmt.Sprintf("~ of another run: by how much other benchmarks differ between runs here (%s)", runsOf(least))}
	case showsAnother(rs):
		return []string{this, fmt.Sprintf("another run: where its median may be, by %s like this one here", units.Plural(least, "earlier run"))}
	case least == 0 && seen >= stat.MinRuns:
		return []string{this, fmt.Sprintf("another run: not known, none of %s here was made under such load", units.Plural(seen, "earlier run"))}
	}
	return []string{this, fmt.Sprintf("another run here: not known yet (%s)", runsOf(least))}
}

// runsOf says how many of the runs that it takes there are.
func runsOf(n int) string {
	return fmt.Sprintf("%d of %d earlier runs like this, 10 minutes apart", n, stat.MinRuns)
}
