package result

import (
	"math"
	"slices"

	"github.com/tarebench/tare/internal/base/diagnosis"
	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/record"
	"github.com/tarebench/tare/stat"
)

// runDifference returns by how much two runs of a benchmark may differ on their machine, as a difference of logarithms.
// It returns 0 if the sides come from one run, or if the difference is not known. Both records have an estimate for the
// main unit of their own run, of which the larger counts. An estimate holds only for runs under like conditions on one
// machine.
func (b *Builder) runDifference(old, new *caseData, role, unit string, confidence float64) float64 {
	if !b.archived || old.another == nil || new.another == nil || role != "" || !follows(unit, mainUnit(old.units(role))) ||
		b.warnedSide(new.line.Side, diagnosis.Environment) || b.warnedSide(new.line.Side, diagnosis.UnlikeConditions) {
		return 0
	}
	for _, a := range []*record.AnotherRun{old.another, new.another} {
		if a.Half <= 0 || a.Confidence < confidence-1e-9 {
			return 0
		}
	}
	return max(old.another.Half, new.another.Half)
}

// follows reports whether a unit is the main one, or a rate that is computed from it.
func follows(unit, main string) bool {
	return unit == main || unit == "MB/s" && (main == "ns/op" || main == "op/s")
}

// warnedSide reports whether there is a warning about the run of a side beside the first.
func (b *Builder) warnedSide(side, code string) bool {
	return slices.ContainsFunc(b.ofSides, func(w derivedWarning) bool { return w.side == side && w.Code == code })
}

// widen makes the interval of a ratio, and the verdict, hold for two different runs. The forks of each run do not
// show what changed between the runs.
func (c *Comparison) widen() {
	if c.RunDifference <= 0 || !(c.Ratio > 0) || math.IsInf(float64(c.Ratio), 0) {
		return
	}
	f := Number(math.Exp(c.RunDifference))
	c.Lo, c.Hi = min(c.Lo, c.Ratio/f), max(c.Hi, c.Ratio*f)
	c.Bound = max(c.Hi, 1/c.Lo) - 1
	c.ForksNeeded = 0 // more forks of one run do not help
	t := 1 + Number(c.result.Options.Threshold)
	switch stat.Verdict(c.Verdict) {
	case stat.Slower, stat.Faster:
		if c.Lo <= 1 && 1 <= c.Hi {
			c.Verdict = string(stat.Undecided)
		}
	case stat.Equivalent:
		if c.Lo < 1/t || c.Hi > t {
			c.Verdict = string(stat.Undecided)
		}
	}
}

// warnDifferentRuns warns if the change is undecided because the sides come from different runs.
func (c *Comparison) warnDifferentRuns() {
	if c.RunDifference <= 0 || c.Verdict != string(stat.Undecided) {
		return
	}
	share := units.Percent(math.Expm1(c.RunDifference))
	w := WarningOf(diagnosis.Warn(diagnosis.MadeApart, diagnosis.Facts{"difference": share}))
	w.Figure, w.Severity = share, c.RunDifference
	c.Warnings = append(c.Warnings, w)
}
