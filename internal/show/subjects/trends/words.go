package trends

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/internal/result/history"
	"github.com/tarebench/tare/internal/result/history/trend"
)

// found is a suspect with its row.
type found struct {
	*trend.Row
	trend.Suspect
}

// suspects returns those of all rows, the largest change first. What all benchmarks share comes before them.
func suspects(t *trend.Trends) (out []found) {
	for _, r := range t.Rows {
		for _, s := range r.Suspects {
			out = append(out, found{r, s})
		}
	}
	slices.SortStableFunc(out, func(a, b found) int { return cmp.Compare(size(b), size(a)) })
	if t.Common == nil {
		return out
	}
	var common []found
	for _, s := range t.Common.Suspects {
		common = append(common, found{t.Common, s})
	}
	return append(common, out...)
}

func size(f found) float64 { return math.Abs(math.Log(f.Ratio)) }

// shown reports whether a row is in tables: of units other than the main one only what has changed.
func shown(t *trend.Trends, r *trend.Row, verbose bool) bool {
	return verbose || r.Main || len(r.Suspects) > 0 || t.Unit != ""
}

// nameOf returns the name of a row as tables show it.
func nameOf(r *trend.Row, several bool) string {
	if several && r.Procs > 0 {
		return fmt.Sprintf("%s-%d", r.Name, r.Procs)
	}
	return r.Name
}

// severalProcs reports whether rows differ in GOMAXPROCS.
func severalProcs(t *trend.Trends) bool {
	for _, r := range t.Rows {
		if r.Procs != t.Rows[0].Procs {
			return true
		}
	}
	return false
}

// Change returns a ratio as people say it: +8.3 %.
func Change(ratio float64) string {
	if math.IsInf(ratio, 0) || math.IsNaN(ratio) {
		return units.None
	}
	if ratio >= 2 || ratio <= 0.5 {
		return fmt.Sprintf("×%.3g", ratio)
	}
	return units.Signed(ratio-1, units.PercentTo(math.Abs(ratio-1), 1))
}

// bounded returns the bounds of a change.
func bounded(s trend.Suspect) (lo, hi string) { return Change(s.Lo), Change(s.Hi) }

// intervalOf returns the bounds of a change in one text.
func intervalOf(f found) string {
	if f.Exact {
		return "exact"
	}
	lo, hi := bounded(f.Suspect)
	return lo + units.Dots + hi
}

// sign returns the direction of a change: ▲ up, ▼ down.
func sign(ratio float64) string {
	if ratio < 1 {
		return "▼"
	}
	return "▲"
}

// how returns "settled" for a shift with enough later commits for the rank test, and "fresh" for one among the last commits.
func how(s trend.Suspect) string {
	if s.Fresh {
		return "fresh"
	}
	return "settled"
}

// last returns the newest value of a row; NaN if there is none.
func last(r *trend.Row) float64 {
	for i := len(r.Medians) - 1; i >= 0; i-- {
		if !math.IsNaN(r.Medians[i]) {
			return r.Medians[i]
		}
	}
	return math.NaN()
}

// value returns the newest value of a row with its unit.
func value(r *trend.Row) (number, unit string) {
	x := last(r)
	s := units.ScaleOf(r.Unit, x)
	return s.Number(x, 3), s.Long()
}

// before returns the last point before i at which a row has a value.
func before(r *trend.Row, i int) int {
	for i--; i > 0 && math.IsNaN(r.Medians[i]); i-- {
	}
	return max(i, 0)
}

// allBenchmarks explains a change that all benchmarks share.
const allBenchmarks = "the machine, the toolchain, or a change to everything"

// How suspects are found, and what they are not.
const (
	explained  = "A settled suspect is found by ranks of all commits (Pettitt's test, p 0.001), a fresh one among the last 8 by few values."
	notFinding = "Suspects are no findings: tare history confirm measures them again, interleaved."
)

// explain says what suspects are, and what to do with those that were not measured again.
func explain(all []found) string {
	for _, f := range all {
		if f.Verdict == nil {
			return explained + " " + notFinding
		}
	}
	return explained
}

// state returns the state of a suspect, with the change that measuring again found.
func state(s trend.Suspect) string {
	if s.Verdict == nil || s.State != history.Confirmed || s.Verdict.Ratio <= 0 {
		return s.State
	}
	return s.State + ": " + Change(s.Verdict.Ratio)
}
