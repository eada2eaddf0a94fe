package result

import (
	"fmt"
	"strings"
	"time"

	"github.com/tarebench/tare/internal/base/diagnosis"
	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/record"
	"github.com/tarebench/tare/stat"
)

// configOf returns the plan of the run that a case comes from, nil if it is not known.
func (b *Builder) configOf(c *caseData) *record.Config {
	if c.config == nil && b.run != nil {
		return &b.run.Config
	}
	return c.config
}

// iterating returns how the forks of a case iterate by its plan. The time is 0 if that is not known, as of texts.
func (b *Builder) iterating(c *caseData) (n int, each time.Duration) {
	if config := b.configOf(c); config != nil {
		return config.Iterating(&c.line)
	}
	return 0, 0
}

// unlikeForks returns in what the forks of two cases differ besides the code, "" if in nothing that is known. Sides
// of one run have one plan. Each of several runs plans by what it measures, so their plans can differ.
func (b *Builder) unlikeForks(old, new *caseData) string {
	var parts []string
	differ := func(is bool, of func(c *caseData) string) {
		if is {
			parts = append(parts, of(new)+" against "+of(old))
		}
	}
	differ(b.unlikeIterations(old, new), func(c *caseData) string {
		n, each := b.iterating(c)
		return fmt.Sprintf("%s of %s", units.Plural(n, "iteration"), units.Duration(each))
	})
	differ(old.line.Mode != "" && new.line.Mode != "" && old.line.Mode != new.line.Mode, func(c *caseData) string {
		if c.line.Mode == record.ModeN {
			return "a fixed N"
		}
		return "an N that package testing chose in each"
	})
	differ((old.line.Group == "") != (new.line.Group == ""), func(c *caseData) string {
		if c.line.Group != "" {
			return "a process shared with other benchmarks"
		}
		return "a process of its own"
	})
	return strings.Join(parts, ", and ")
}

// unlikeIterations reports whether the plans of two cases have other iterations.
func (b *Builder) unlikeIterations(old, new *caseData) bool {
	n, each := b.iterating(old)
	m, other := b.iterating(new)
	return each > 0 && other > 0 && (n != m || each != other)
}

// sameIterations reports whether the forks of two cases have as many measured iterations. The best of many is better
// than the best of few, whatever the code.
func sameIterations(old, new *caseData, role, unit string) bool {
	return old.typicallyIterated(role, unit) == new.typicallyIterated(role, unit)
}

func (c *caseData) typicallyIterated(role, unit string) float64 {
	return medianOr0(reduced(c.forks, role, unit, func(u *unitSeries) float64 { return float64(u.n) }))
}

// warnUnlikeForks adds a warning if the forks of the sides differ in more than the code. Exact counts do not depend
// on it.
func (c *Comparison) warnUnlikeForks(unlike string) {
	if unlike == "" || c.constant() || c.Verdict == string(stat.Identical) {
		return
	}
	c.Warnings = append(c.Warnings, WarningOf(diagnosis.Warn(diagnosis.UnlikeForks, diagnosis.Facts{"side": c.Side, "difference": unlike, "base": c.Base})))
	c.suspect(diagnosis.UnlikeForks)
}
