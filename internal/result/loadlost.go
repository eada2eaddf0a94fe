package result

import (
	"fmt"
	"math"

	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/internal/numbers/objective"
)

// tooFewSent reports whether so many operations were scheduled on lost agents that the target rate was not tried.
func (l *Load) tooFewSent() bool { return float64(l.Lost) > lateShare*float64(l.Scheduled) }

// undecidedWords returns why it is undecided whether a step meets its objectives.
func (l *Load) undecidedWords() string {
	if l.Lost > 0 {
		return l.lostWords()
	}
	return lateWords(l.Lateness)
}

// WhyUndecided returns in two words why it is undecided whether a step meets its objectives.
func (l *Load) WhyUndecided() string {
	if l.Lost > 0 {
		return "agent lost"
	}
	return "generator late"
}

// checkLost makes an outcome undecided if it depends on operations that were scheduled on lost agents. Their results are
// unknown, and the system is not at fault. An objective on a rate would be met if all of them had been
// answered well. One on latency or errors is met without them, and would be missed if all of them had taken too long
// or failed.
func (o judgement) checkLost(out *Outcome, l *Load, rows []Latency) {
	if l.Lost == 0 || l.ClosedLoop {
		return
	}
	switch o.Metric {
	case objective.Rate:
		if out.Met || !o.rate(l.withLost()).Met {
			return
		}
	case objective.Mean, objective.Max: // one operation is enough
		if !out.Met {
			return
		}
	case objective.Errors:
		if !out.Met || o.errors(l, rows, l.Lost).Met {
			return
		}
	default:
		if !out.Met || o.latency(l, rows, l.Lost).Met {
			return
		}
	}
	out.Met, out.Undecided, out.Untrusted = false, true, true
	out.Text += fmt.Sprintf("; %s that were due for lost agents decide it", units.Plural(l.Lost, "operation"))
}

// withLost returns the phase as it would be if the operations of lost agents had been answered without an error.
func (l *Load) withLost() *Load {
	x := *l
	x.OKRate += float64(l.Lost) / max(float64(l.Wall)/1e9, 1e-9)
	return &x
}

// slowShare returns how many of n operations of all kinds are of the kind of r.
func slowShare(l *Load, r *Latency, rows []Latency, n int64) float64 {
	if n == 0 {
		return 0
	}
	return math.Ceil(shareOf(r.hist, failedOf(r.Name, rows), l.Operations) * float64(n))
}
