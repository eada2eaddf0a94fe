package result

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/tarebench/tare/internal/base/diagnosis"
	"github.com/tarebench/tare/internal/base/redact"
	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/record"
	"github.com/tarebench/tare/stat"
)

// Corrections of p over a table of comparisons.
const (
	BenjaminiHochberg = "bh"
	Holm              = "holm"
	NoCorrection      = "none"
)

// identity is what makes two cases the same benchmark on different sides.
type identity struct {
	pkg, name string
	procs     int
}

func (c *caseData) identity() identity { return identity{c.line.Pkg, c.line.Name, c.line.Procs} }

// sides returns the names of the sides, the base first.
func (b *Builder) sides() []string {
	var out []string
	if b.run != nil {
		for _, s := range b.run.Sides {
			out = append(out, s.Name)
		}
	}
	return out
}

// compare judges each side against the first, one family of tests per side and
// unit.
func (b *Builder) compare(s *Result, confidence float64) {
	sides := b.sides()
	if len(sides) < 2 {
		return
	}
	for _, side := range sides[1:] {
		rows := b.against(sides[0], side, confidence)
		b.correct(rows)
		for i := range rows {
			rows[i].warnDifferentRuns()
			rows[i].warnSameBinary()
		}
		s.Comparisons = append(s.Comparisons, rows...)
		s.Geomeans = append(s.Geomeans, geomeans(rows, confidence)...)
		s.Counted = append(s.Counted, b.counted(sides[0], side)...)
		s.Lost = append(s.Lost, b.lostOn(sides[0], side)...)
	}
	b.nameRows(s)
	s.Warnings = append(s.Warnings, b.buildWarnings(sides)...)
	s.Warnings = append(s.Warnings, b.namesUnknown()...)
	s.Warnings = append(s.Warnings, b.oneSided(sides, s)...)
	s.Warnings = append(s.Warnings, b.otherUnits(sides, s)...)
}

// against pairs the cases of two sides.
func (b *Builder) against(base, side string, confidence float64) []Comparison {
	var rows []Comparison
	for _, p := range b.pairs(base, side) {
		rows = append(rows, b.pair(p[0], p[1], confidence)...)
	}
	return rows
}

// pairs returns the cases that both sides have, then those that look renamed.
func (b *Builder) pairs(base, side string) (out [][2]*caseData) {
	partners, unknown := map[identity]*caseData{}, b.unknownNames()
	for _, c := range b.cases {
		if c.line.Side == side && !unknown[c.identity()] {
			partners[c.identity()] = c
		}
	}
	for _, old := range b.cases {
		if old.line.Side == base && partners[old.identity()] != nil {
			out = append(out, [2]*caseData{old, partners[old.identity()]})
		}
	}
	return append(out, b.renamed(base, side)...)
}

// pair compares the units that both cases report, role by role.
func (b *Builder) pair(old, new *caseData, confidence float64) []Comparison {
	name, renamed := pairName(old, new)
	same := renamed == nil && b.identical(old, new)
	builtDifferently := !same && len(b.builtDifferently(old, new)) > 0
	unlike, sameCode := b.unlikeForks(old, new), b.sameCode(old, new)
	var rows []Comparison
	for _, role := range old.roles() {
		units := old.units(role)
		if len(units) == 0 {
			continue
		}
		main := mainUnit(units)
		slices.SortStableFunc(units, func(a, b string) int { return cmp.Compare(rank(a, main), rank(b, main)) })
		for _, u := range units {
			xs, ys := old.values(role, u), new.values(role, u)
			if len(ys) == 0 && !same || incomparable(u) || b.oneDeep() && ofHooks(u) {
				continue
			}
			row := Comparison{
				Case: new.line.ID, Pkg: old.line.Pkg, Name: name, Renamed: renamed, Procs: old.line.Procs, Role: role,
				Base: old.line.Side, Side: new.line.Side, Unit: u, Main: u == main, OldN: len(xs), NewN: len(ys),
			}
			if same {
				row.identical(xs)
			} else {
				o := b.options(old, u, confidence)
				o.Exact = o.Exact && len(xs) > 1 && len(ys) > 1 // one fork cannot differ from itself
				row.testedP = stat.MannWhitney(xs, ys).P
				row.RunDifference = b.runDifference(old, new, role, u, confidence)
				row.judge(b.judged(old, new, role, u, o))
				row.Also, row.Unseen = b.also(old, new, role, u, &row.result)
				row.keepCounts(xs, ys)
			}
			b.addCaseWarnings(&row, old, new)
			if builtDifferently {
				row.suspect(diagnosis.BuildDiffers)
			}
			row.warnUnlikeForks(unlike)
			switch {
			case sameCode == nil || same:
			case b.unexplained(old, new):
				row.sameBinary = sameCode
			case !row.constant():
				row.Warnings = append(row.Warnings, WarningOf(sameCode))
			}
			if !old.valueDistrusted() && !new.valueDistrusted() {
				row.warnUnlikeSpread(xs, ys)
			}
			rows = append(rows, row)
		}
	}
	return rows
}

// rank puts the main unit first and leaves the others in their order.
func rank(unit, main string) int {
	if unit == main {
		return 0
	}
	return 1
}

// identical reports whether the run left out the new case because it runs the same program as the old one. Where both
// sides have figures, those are judged: the machine or its environment may differ between two runs.
func (b *Builder) identical(old, new *caseData) bool {
	return !b.archived && len(new.timed) == 0 && new.lastFail == nil && b.sameProgram(old, new)
}

// sameProgram reports whether both cases are known to run the same binary with the same files and settings. Two
// secrets look alike in a record.
func (b *Builder) sameProgram(old, new *caseData) bool {
	env := b.setenv(old.line.Side)
	return b.sameBinary(old, new) && b.bins[old.line.Bin].Program() != "" && b.bins[old.line.Bin].Files == b.bins[new.line.Bin].Files &&
		slices.Equal(env, b.setenv(new.line.Side)) && !redact.HasRedacted(env)
}

// sameBinary reports whether both cases run the same binary, maybe with other files or in another environment.
func (b *Builder) sameBinary(old, new *caseData) bool {
	x, y := b.bins[old.line.Bin], b.bins[new.line.Bin]
	return b.by == "" && x != nil && y != nil && x.SHA256 != "" && x.SHA256 == y.SHA256
}

func (b *Builder) setenv(side string) []string {
	if b.run != nil {
		for _, s := range b.run.Sides {
			if s.Name == side {
				return s.Setenv
			}
		}
	}
	return nil
}

// options say how a unit is judged. What is neither a time nor a rate is a count,
// and exact unless forks of one side differ.
func (b *Builder) options(c *caseData, unit string, confidence float64) stat.Options {
	u, known := c.line.Units[unit]
	if !known {
		u = record.UnitOf(unit)
	}
	return stat.Options{
		Confidence: confidence, Threshold: b.thresholdOf(&c.line), HigherIsBetter: u.Better == record.Higher, Seed: b.seed(),
		Exact: u.Assume == record.Exact || !record.IsTime(unit) && !record.IsRate(unit) && !ofTool(unit) && !strings.HasSuffix(unit, "-B"),
	}
}

// seed returns that of the run, by which figures are resampled.
func (b *Builder) seed() uint64 {
	if b.run == nil {
		return 0
	}
	return uint64(b.run.Seed)
}

// Tested returns what package stat found of the comparison, by whose rules its verdict is.
func (c *Comparison) Tested() stat.Comparison { return c.result }

// Judge sets all figures and the verdict to what package stat found. P is that of r, NaN where there was no test.
func (c *Comparison) Judge(r stat.Comparison) {
	c.testedP = math.NaN()
	c.judge(r)
}

func (c *Comparison) judge(r stat.Comparison) {
	c.result = r
	c.Old, c.New = Number(r.Old), Number(r.New)
	c.Ratio, c.Lo, c.Hi, c.Confidence = Number(r.Ratio), Number(r.Lo), Number(r.Hi), r.Confidence
	c.P, c.AdjustedP = Number(r.P), Number(r.AdjustedP)
	if math.IsNaN(r.P) { // exact: the verdict needs no test, but who reads p does
		c.P, c.AdjustedP = Number(c.testedP), Number(c.testedP)
	}
	c.setTest(&r)
	c.Bootstrap = &Interval{Number(r.BootstrapRatio), Number(r.BootstrapLo), Number(r.BootstrapHi)}
	c.Verdict, c.Bound, c.ForksNeeded = string(inWords(r.Verdict, c.Unit, r.Options.HigherIsBetter)), Number(r.Bound), r.ForksNeeded
	if r.Old == 0 || r.New == 0 { // no number of forks makes a ratio of nothing
		c.ForksNeeded = 0
	}
	c.widen()
}

// inWords returns the verdict in the words of the unit: more memory is not slower,
// however it is tested.
func inWords(v stat.Verdict, unit string, higherIsBetter bool) stat.Verdict {
	switch {
	case record.IsTime(unit) || record.IsRate(unit), v != stat.Slower && v != stat.Faster:
		return v
	case (v == stat.Slower) != higherIsBetter:
		return stat.More
	}
	return stat.Less
}

// identical makes the row of a binary that was measured on the base alone.
func (c *Comparison) identical(xs []float64) {
	c.Old = Number(stat.Median(xs))
	c.New = c.Old
	c.Ratio, c.Lo, c.Hi, c.P, c.AdjustedP = 1, 1, 1, 1, 1
	c.Verdict = string(stat.Identical)
}

// addCaseWarnings adds the warnings about the case of either side to the comparison.
func (b *Builder) addCaseWarnings(c *Comparison, old, new *caseData) {
	c.Trusted = true
	if c.Verdict == string(stat.Identical) {
		return
	}
	for _, side := range []*caseData{old, new} {
		for _, w := range b.allCaseWarnings(side) {
			if c.constant() && diagnosis.Of(w.Code).Trust < diagnosis.Everything {
				continue
			}
			if c.constant() && w.Code == diagnosis.Impossible && side.impossible(c.Role, []string{c.Unit}) == nil {
				continue // another unit's
			}
			x := w.warning()
			x.Side = side.line.Side
			c.Warnings = append(c.Warnings, x)
			c.suspect(w.Code)
		}
	}
	for _, w := range b.ofRun {
		if w.concerns(c.Base, c.Side) && (!c.constant() || diagnosis.Of(w.Code).Trust == diagnosis.Everything) {
			c.suspect(w.Code)
		}
	}
}

// keepCounts keeps the values of a count that varies on the new side alone.
func (c *Comparison) keepCounts(xs, ys []float64) {
	o := &c.result.Options
	if o.Exact && !o.HigherIsBetter && c.result.Varies && slices.Min(xs) == slices.Max(xs) {
		c.counts = ys
	}
}

// ForksAbove returns how many forks of the new side exceed the base by more than a limit, as 0.05 for 5 %, and of how
// many. Both are 0 unless the unit is a count that all forks of the base agree on and those of the new side do not.
func (c *Comparison) ForksAbove(limit float64) (above, of int) {
	for _, y := range c.counts {
		if y > float64(c.Old)*(1+limit) {
			above++
		}
	}
	return above, len(c.counts)
}

// CountTrusted reports whether nothing speaks against trust of a count. What disturbs a time does not.
func (c *Comparison) CountTrusted() bool {
	return !slices.ContainsFunc(c.Reasons, func(code string) bool { return diagnosis.Of(code).Trust == diagnosis.Everything })
}

// constant reports whether the unit is exact, and no fork of a side differs.
func (c *Comparison) constant() bool { return c.result.Options.Exact && !c.result.Varies }

// unequalSpread is how much more one side may spread than the other. By
// simulation (lab/coverage) a spread five times as large makes the U test
// call equal medians different in 7 to 8 of 100 cases instead of 5.
const unequalSpread = 3

// Fewer forks do not suffice to estimate a spread. A small spread does no harm.
const (
	spreadForks   = 10
	spreadMatters = 0.05
)

// warnUnlikeSpread adds a warning to a verdict on two sides of very different spread: the tests ask for a factor
// between two distributions of one shape, and reject more often than they state where only the spread differs.
func (c *Comparison) warnUnlikeSpread(xs, ys []float64) {
	x, y := stat.RobustCV(xs), stat.RobustCV(ys)
	if c.Verdict == string(stat.Identical) || c.result.Options.Exact ||
		min(len(xs), len(ys)) < spreadForks || max(x, y) < spreadMatters || max(x, y) < unequalSpread*min(x, y) {
		return
	}
	c.Warnings = append(c.Warnings, WarningOf(diagnosis.Warn(diagnosis.UnequalSpread, diagnosis.Facts{
		"base": c.Base, "baseSpread": units.Percent(x), "side": c.Side, "sideSpread": units.Percent(y),
	})))
	c.suspect(diagnosis.UnequalSpread)
}

// suspect takes the trust from the verdict if a warning does. Others, such as two groups of forks, or a drift that
// interleaving lets fall on all sides alike, widen the interval and leave the test valid.
func (c *Comparison) suspect(code string) {
	if code == diagnosis.NotInterleaved && c.RunDifference > 0 {
		return // the verdict takes it into account
	}
	if diagnosis.Of(code).Trust > diagnosis.Nothing && !slices.Contains(c.Reasons, code) {
		c.Trusted = false
		c.Reasons = append(c.Reasons, code)
	}
}
