package result

import (
	"github.com/tarebench/tare/internal/base/diagnosis"
	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/record"
)

// warnings returns what is to be said of the operations of a side, as of those of a run of one side.
func (x *LoadSide) warnings() []Warning {
	out := failures(&x.Load)
	if w := x.Load.unansweredWarning(); w != nil {
		out = append(out, WarningOf(w))
	}
	for i := range out {
		out[i].Side = x.Side
	}
	return out
}

// unansweredWarning returns a warning about operations that were never answered, however few; nil if there are none.
// Windows of sides have no warnings of their own in records.
func (l *Load) unansweredWarning() *record.Warn {
	n := l.Unfinished + l.Unsent
	if n == 0 {
		return nil
	}
	var inFlight, oldestInFlight, unsent, oldestUnsent string
	if l.Unfinished > 0 {
		inFlight, oldestInFlight = units.Count(l.Unfinished), units.Time(l.UnfinishedOldest)
	}
	if l.Unsent > 0 {
		unsent, oldestUnsent = units.Count(l.Unsent), units.Time(l.UnsentOldest)
	}
	return diagnosis.Warn(diagnosis.Unanswered, diagnosis.Facts{
		"operations": n, "scheduled": l.Scheduled, "both": l.Unfinished > 0 && l.Unsent > 0,
		"inFlight": inFlight, "oldestInFlight": oldestInFlight, "unsent": unsent, "oldestUnsent": oldestUnsent,
	})
}
