package result

import (
	"fmt"
	"slices"

	"github.com/tarebench/tare/internal/base/diagnosis"
	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/record"
)

// contradiction is the factor between a reported time and the clock from which they contradict each other.
const contradiction = 2

// changedN returns a warning if the benchmark reports other operations than it was to run, as after an assignment to
// b.N: all figures per operation are wrong then.
func (c *caseData) changedN(role string) *derivedWarning {
	n := c.line.N
	if c.replaced != nil {
		n = c.replaced.To
	}
	if c.line.Mode != record.ModeN || n <= 0 || role != "" || c.line.Group != "" {
		return nil
	}
	for i := range c.forks {
		s := c.forks[i].role(role)
		if s == nil || s.ops <= 0 || s.ops == n {
			continue
		}
		return &derivedWarning{Warn: *diagnosis.Warn(diagnosis.ChangedN, diagnosis.Facts{"reported": units.Plural(s.ops, "operation"), "planned": n}), figure: fmt.Sprintf("%d of %d", s.ops, n), severity: float64(s.ops) / float64(n)}
	}
	return nil
}

// ownTime returns a warning if ns/op is not what the clock says: it is more than passed, or less than half of
// it and the same number in all iterations of all forks, which no clock gives. A timer that is stopped
// leaves less, too, but never the same.
func (c *caseData) ownTime(role string) *derivedWarning {
	const unit = "ns/op"
	var passed, extremes []float64
	constant := len(c.forks) > 1
	for i := range c.forks {
		s := c.forks[i].role(role)
		if s == nil || s.unit(unit) == nil {
			return nil
		}
		if s.ahead > 0 {
			passed = append(passed, s.ahead)
		}
		extremes = append(extremes, s.unit(unit).lo, s.unit(unit).hi)
	}
	constant = constant && slices.Min(extremes) == slices.Max(extremes)
	how, factor := "more", medianOr0(passed)
	if share, _ := c.timer(role); constant && share > 0 && factor < contradiction {
		how, factor = "less", 1/share
	}
	if factor < contradiction {
		return nil
	}
	return &derivedWarning{Warn: *diagnosis.Warn(diagnosis.OwnTime, diagnosis.Facts{"factor": units.Value("", factor, 2), "how": how}), figure: units.Value("", factor, 2), severity: factor}
}
