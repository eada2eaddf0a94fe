package result

import (
	"fmt"
	"math"
	"slices"

	"github.com/tarebench/tare/internal/units"
	"github.com/tarebench/tare/record"
	"github.com/tarebench/tare/stat"
)

// CodeApart is the code of a row whose sides come from different runs, which may differ by more than it shows.
const CodeApart = "made-apart"

// apart returns by how much two runs of a benchmark may differ on their machine, as a difference of logarithms, if the
// sides come from different runs; 0 if they do not, or it is not known. Both records say it of their own run, and the
// larger counts. What a machine is known for says nothing about another one.
func (b *Builder) apart(old, new *caseData, unit string) float64 {
	if old.another == nil || new.another == nil || !record.IsTime(unit) && !record.IsRate(unit) ||
		!b.warnedRun(CodeNotInterleaved) || b.warnedRun(CodeEnvironment) {
		return 0
	}
	if old.another.Half <= 0 || new.another.Half <= 0 {
		return 0
	}
	return max(old.another.Half, new.another.Half)
}

func (b *Builder) warnedRun(code string) bool {
	return slices.ContainsFunc(b.warns, func(w record.Warn) bool { return w.About == record.AboutRun && w.Code == code })
}

// widen makes the interval of a ratio, and the verdict, hold for two runs that were made apart. The forks of each say
// nothing about what has changed in between.
func (c *Comparison) widen() {
	if c.Apart <= 0 || !(c.Ratio > 0) || math.IsInf(float64(c.Ratio), 0) {
		return
	}
	f := Number(math.Exp(c.Apart))
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

// warnApart says what two runs that were made apart cannot tell.
func (c *Comparison) warnApart() {
	if c.Apart <= 0 || c.Verdict != string(stat.Undecided) {
		return
	}
	c.Warnings = append(c.Warnings, Warning{
		Code:     CodeApart,
		Text:     fmt.Sprintf("made apart: two runs here may differ by %s, so that less cannot be told", units.Percent(math.Expm1(c.Apart))),
		Advice:   "measure both in one run, interleaved: tare bench --against REV, or --side NAME=DIR",
		Figure:   units.Percent(math.Expm1(c.Apart)),
		Severity: c.Apart,
	})
}
