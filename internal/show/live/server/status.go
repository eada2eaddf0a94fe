package server

import (
	"cmp"
	"fmt"
	"time"

	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/record"
)

// compare orders series by their names.
func (s series) compare(t series) int {
	return cmp.Or(cmp.Compare(s.phase, t.phase), cmp.Compare(s.operation, t.operation), cmp.Compare(s.kind, t.kind))
}

// status returns in a line how far the run is.
func (m *metrics) status() string {
	switch {
	case m.end != nil && m.end.State == record.EndCompleted:
		return "the run is complete"
	case m.end != nil:
		return "the run has ended before its time"
	case m.run == nil:
		return "nothing is recorded yet"
	case m.run.Config.Load != nil:
		return m.loadStatus()
	case m.forks == 0:
		return "the first fork has not ended"
	}
	return fmt.Sprintf("round %d of %d · fork %d of %d", m.round, max(m.run.Config.Forks, m.round), m.forks, m.planned())
}

// phaseNames are the phases in words.
var phaseNames = map[string]string{record.LoadInsert: "insertion", record.LoadWarmup: "warm-up", record.LoadRun: "run"}

func (m *metrics) loadStatus() string {
	l, c := m.current, m.run.Config.Load
	if l == nil {
		return "the first interval has not ended"
	}
	text := cmp.Or(phaseNames[l.Phase], l.Phase) + " " + (time.Duration(l.Iter) * c.Interval).Round(time.Second/10).String()
	switch {
	case l.Phase == record.LoadWarmup:
		text += " of " + c.Warmup.String()
	case l.Phase == record.LoadRun && c.Operations == 0:
		text += " of " + c.Duration.String()
	}
	text += " · " + units.Rate(l.Achieved)
	if l.TargetRate > 0 {
		text += " of " + units.Rate(l.TargetRate) + " · backlog " + units.Count(l.Unsent)
	}
	var failed int64
	for class, n := range l.Errors {
		if class != "not_found" {
			failed += n
		}
	}
	if failed > 0 {
		text += " · " + units.Plural(failed, "error")
	}
	return text
}
