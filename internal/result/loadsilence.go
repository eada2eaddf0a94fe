package result

import (
	"fmt"
	"time"

	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/record"
)

// silence is a time in which operations were due and nearly none was answered well.
type silence struct {
	length float64 // ns in which operations were due
	due    int64   // operations
}

// silences finds the longest silence of a phase. Load lines have what the load generator saw, which checks more often
// than there are intervals, but only counts times in which it was running itself. Intervals tell the rest.
type silences struct{ current, longest silence }

// Limits of a silence.
const (
	silentShare   = 0.1                    // of the operations due must be answered to end it
	silentDue     = 10                     // operations must have fallen due in it, unless the loop is closed
	silentLeast   = 900 * time.Millisecond // a second, less what an interval may be shorter, and the load generator's checks leave out
	silentOfPhase = lateShare              // of the phase; above it the rate counts as missed
	silentService = 2                      // so many median service times are needed
)

// add takes an interval: the counts at its end, and those at the end of the one before.
func (s *silences) add(now, before *record.Load) {
	if seen := (silence{float64(now.Silence), now.SilenceDue}); seen.length > s.longest.length {
		s.longest = seen
	}
	due := now.Scheduled - now.Lost - (before.Scheduled - before.Lost)
	answered := answeredWell(now) - answeredWell(before)
	if now.TargetRate <= 0 || due <= 0 || float64(answered) >= silentShare*float64(due) {
		s.current = silence{}
		return
	}
	s.current.due += due
	s.current.length += float64(due) / now.TargetRate * 1e9 // the last interval includes the drain
	if s.current.length > s.longest.length {
		s.longest = s.current
	}
}

func answeredWell(l *record.Load) int64 {
	n := l.Completed
	for class, count := range l.Errors {
		if class != classNotFound {
			n -= count
		}
	}
	return n
}

// silent returns a sentence about the longest time in which nothing was answered, "" if it was too short to matter,
// and whether it lasted so long that the rate does not count as achieved. A machine on which the load generator itself
// stood still is named.
func (l *Load) silent(typical int64) (text string, missed bool) {
	s := l.silence
	if s.due < silentDue && !l.ClosedLoop || s.length < float64(silentLeast) || s.length <= silentService*float64(typical) {
		return "", false
	}
	text = fmt.Sprintf("nearly nothing was answered for at least %s of %s", units.Span(s.length), units.Span(float64(l.Wall)))
	if !l.ClosedLoop {
		text += ", in which " + units.Plural(s.due, "operation") + " were due"
	}
	if l.Lateness != nil && float64(l.Lateness.Max) >= s.length/2 {
		text += fmt.Sprintf("; the load generator itself was up to %s late, so this machine may be the cause", units.Time(l.Lateness.Max))
	}
	return text, s.length > silentOfPhase*float64(l.Wall)
}

// typicalService returns the median service time of the operation that has the longest.
func (p *loadPhase) typicalService() (most int64) {
	for k, h := range p.latencies.of {
		if k.tag == record.TagService {
			most = max(most, h.ValueAtPercentile(50))
		}
	}
	return most
}
