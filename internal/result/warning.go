package result

import (
	"fmt"
	"slices"
	"time"

	"github.com/tarebench/tare/internal/base/diagnosis"
	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/record"
)

// Thresholds of the derived warnings.
const (
	MinShare    = 0.5                    // of an iteration's wall time that should be measured
	MinMeasured = 5 * time.Millisecond   // measured time per iteration
	MinTimed    = 100 * time.Microsecond // measured time per iteration of a benchmark that stops its timer: below, the timer's own cost counts
	MaxSetup    = 0.2                    // of a fork's wall time
	MaxSteal    = 0.01                   // of the machine's CPU time
	minTrend    = 0.02                   // relative change from which a trend or a drift is reported
	trendAlpha  = 0.001                  // error of a trend test: there are many rows
)

// derivedWarning is a warning with the number that it is about.
type derivedWarning struct {
	record.Warn
	figure   string
	severity float64 // of warnings with the same code, the highest is the worst
	side     string  // whose run it is about, of records that became sides; "": all
	named    bool    // Text names the side
}

// concerns reports whether a warning about a run reaches a comparison of two sides.
func (d *derivedWarning) concerns(base, side string) bool {
	return d.side == "" || d.side == base || d.side == side
}

// Warnings derives the warnings that follow from the lines so far. A measurer
// writes them into the record when it has finished.
func (b *Builder) Warnings() []record.Warn {
	b.selectForks()
	var out []record.Warn
	for _, c := range b.cases {
		for _, d := range b.caseWarnings(c) {
			d.About, d.ID = record.AboutCase, c.line.ID
			out = append(out, d.Warn)
		}
	}
	for _, d := range b.runWarnings() {
		out = append(out, d.Warn)
	}
	return out
}

func (b *Builder) runWarnings() []derivedWarning {
	var out []derivedWarning
	if b.run != nil && len(b.run.Sides) > 1 && b.run.Config.Order == "grouped" {
		out = append(out, derivedWarning{Warn: *diagnosis.WarnForm(diagnosis.NotInterleaved, "grouped", nil)})
	}
	noun := b.forkNoun()
	if !b.archived {
		out = append(out, processorsShared(b.run, b.cases, b.tare.Load)...)
		out = append(out, processorsLost(b.cases, noun)...)
		out = append(out, b.notRelease()...)
		out = append(out, b.endWarnings()...)
		return append(out, stolen(b.tare.Steal)...)
	}
	for _, side := range b.sides() {
		of := slices.DeleteFunc(slices.Clone(b.cases), func(c *caseData) bool { return c.line.Side != side })
		for _, w := range slices.Concat(processorsShared(b.absorbed[side].run, of, b.absorbed[side].load), processorsLost(of, noun), stolen(b.absorbed[side].steal)) {
			w.side = side
			out = append(out, w)
		}
	}
	out = append(out, b.notRelease()...)
	return append(out, b.ofSides...)
}

// stolen returns a warning if the hypervisor gave more than MaxSteal of the machine's time to others.
func stolen(share float64) []derivedWarning {
	if share <= MaxSteal {
		return nil
	}
	if share > 1 {
		return []derivedWarning{{Warn: *diagnosis.WarnForm(diagnosis.Steal, "unknown", nil)}}
	}
	return []derivedWarning{{Warn: *diagnosis.Warn(diagnosis.Steal, diagnosis.Facts{"share": units.PercentTo(share, 1)})}}
}

// allCaseWarnings returns all warnings about a case.
func (b *Builder) allCaseWarnings(c *caseData) []derivedWarning { return b.rowWarnings(c, c.roles()) }

// rowWarnings returns the warnings about the given roles of a case.
func (b *Builder) rowWarnings(c *caseData, roles []string) []derivedWarning {
	return b.recorded(slices.Concat(b.deriveWarnings(c, roles), c.aboutForks(), c.profilersFailed()), record.AboutCase, c.line.ID)
}

// recorded adds to derived warnings those in the record that cannot be derived.
// Derived ones that the record holds may be out of date: the run may have been
// resumed since.
func (b *Builder) recorded(out []derivedWarning, about string, id int) []derivedWarning {
	for _, w := range b.warnsAbout(about, id) {
		if d := (derivedWarning{Warn: w}); !diagnosis.Of(w.Code).Derived && !isKnown(out, d) {
			out = append(out, d)
		}
	}
	return out
}

// subject is what a recorded warning is about.
type subject struct {
	about string
	id    int
}

// warnsAbout returns the recorded warnings about one thing. They are sorted once: a record may have one for each of
// its benchmarks.
func (b *Builder) warnsAbout(about string, id int) []record.Warn {
	if b.warnsBy == nil {
		b.warnsBy = map[subject][]record.Warn{}
	}
	for ; b.warnsSorted < len(b.warns); b.warnsSorted++ {
		w := b.warns[b.warnsSorted]
		at := subject{w.About, w.ID}
		b.warnsBy[at] = append(b.warnsBy[at], w)
	}
	return b.warnsBy[subject{about, id}]
}

// isKnown reports whether list contains the warning already. If several forks warn of the same thing with
// different figures, only the first is kept.
func isKnown(ws []derivedWarning, w derivedWarning) bool {
	return slices.ContainsFunc(ws, func(x derivedWarning) bool {
		return same(&x.Warn, &w.Warn) && x.side == w.side || w.About == record.AboutCase && x.About == w.About && x.Code == w.Code
	})
}

// same reports whether two warnings say the same of the same.
func same(a, b *record.Warn) bool {
	return a.About == b.About && a.ID == b.ID && a.Code == b.Code && a.Text == b.Text && a.Advice == b.Advice
}

func (b *Builder) caseWarnings(c *caseData) []derivedWarning { return b.deriveWarnings(c, c.roles()) }

// deriveWarnings returns the warnings about some roles of a case and about the case itself.
func (b *Builder) deriveWarnings(c *caseData, roles []string) []derivedWarning {
	var out []derivedWarning
	c.sharing = b.sharingN(c)
	if d := c.warnLost(b.forkNoun()); d != nil {
		out = append(out, *d)
	}
	if len(c.timed) > 0 && c.failed > 0 {
		form := ""
		if c.disturbed() && c.lastFail.State == record.StateTimeout {
			form = "busy"
		}
		out = append(out, derivedWarning{Warn: *diagnosis.WarnForm(diagnosis.Flaky, form, diagnosis.Facts{
			"failed": c.failed, "forks": c.failed + len(c.timed), "why": why(c.lastFail),
		}), figure: fmt.Sprintf("%d of %d", c.failed, c.failed+len(c.timed)), severity: float64(c.failed)})
	}
	for _, role := range roles {
		for _, w := range b.roleWarnings(c, role) {
			if len(roles) > 1 && role != "" {
				diagnosis.Prefix(&w.Warn, role)
			}
			out = append(out, w)
		}
	}
	for _, d := range []*derivedWarning{c.unless(c.setup()), b.aboveMemoryLimit(c), c.hists.damaged("its")} {
		if d != nil {
			out = append(out, *d)
		}
	}
	return out
}

func (b *Builder) roleWarnings(c *caseData, role string) []derivedWarning {
	units := c.units(role)
	if len(units) == 0 {
		return nil
	}
	unit := mainUnit(units)
	xs := c.values(role, unit)
	var out []derivedWarning
	for _, d := range []*derivedWarning{
		b.fewForks(xs),
		c.impossible(role, units),
		c.changedN(role),
		c.ownTime(role),
		c.unless(bimodal(xs, unit)),
		c.unless(c.trend(role, unit)),
		c.unless(drift(xs)),
		c.share(role),
		c.offTarget(role),
		c.otherN(role),
		c.short(role),
		b.emptyLoop(c, role, unit, xs),
	} {
		if d != nil {
			out = append(out, *d)
		}
	}
	return out
}

// unless drops a warning about the benchmark that other processes may have caused. The warning about them remains.
func (c *caseData) unless(d *derivedWarning) *derivedWarning {
	if c.disturbed() {
		return nil
	}
	return d
}
