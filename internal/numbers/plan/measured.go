package plan

import (
	"maps"
	"slices"

	"github.com/tarebench/tare/record"
)

// Measured is how far a run came: what its record holds, for a run that goes on with
// it. The zero value is that of an empty record.
type Measured struct {
	Run      *record.Run
	Bins     []*record.Bin
	Cases    []*record.Case // also those that failed: see Lost
	LastFork int            // the highest ID of a fork
	Planned  bool           // the record holds the whole plan
	Complete bool           // nothing is left to do

	done  map[forkKey]bool
	lost  map[int]bool
	tally map[int]Tally
}

type forkKey struct {
	caseID, round int
	purpose       string
}

// Add takes the next line of the record.
func (m *Measured) Add(line record.Line) {
	switch l := line.(type) {
	case *record.Run:
		m.Run = l
	case *record.Bin: // a plan that was cut off is in the file once more, whole
		m.Bins = append(slices.DeleteFunc(m.Bins, func(b *record.Bin) bool { return b.ID == l.ID }), l)
	case *record.Case:
		m.Cases = append(slices.DeleteFunc(m.Cases, func(c *record.Case) bool { return c.ID == l.ID }), l)
	case *record.Sample: // its fork may have been cut off, and its number is taken
		m.LastFork = max(m.LastFork, l.Fork)
	case *record.Fork:
		m.addFork(l)
	case *record.Replan:
		m.replan(l)
	case *record.Overhead:
		m.Planned = true
	case *record.End:
		m.Complete = l.State == record.EndCompleted && l.Why != record.WhyBudgetSpent
	}
}

func (m *Measured) addFork(l *record.Fork) {
	m.LastFork = max(m.LastFork, l.ID)
	m.Complete = false
	if m.done == nil {
		m.done, m.lost = map[forkKey]bool{}, map[int]bool{}
	}
	switch {
	case l.Purpose == record.PurposeDiscovery || l.Purpose == record.PurposePilot:
		m.lost[l.Case] = true
	case l.State == record.StateOK:
		if l.Purpose == record.PurposeTiming {
			m.addTimed(l)
		}
		m.done[forkKey{l.Case, l.Round, l.Purpose}] = true
	}
}

// replan forgets the timed forks of a case that has another N from here on.
func (m *Measured) replan(l *record.Replan) {
	maps.DeleteFunc(m.done, func(k forkKey, _ bool) bool { return k.caseID == l.Case && k.purpose == record.PurposeTiming })
	delete(m.tally, l.Case)
}

// addTimed counts a timed fork. A second good fork in a round is a repeat of one that waited too long for a processor.
func (m *Measured) addTimed(l *record.Fork) {
	if m.tally == nil {
		m.tally = map[int]Tally{}
	}
	t := m.tally[l.Case]
	t.add(l, m.done[forkKey{l.Case, l.Round, l.Purpose}])
	m.tally[l.Case] = t
}

// Tally returns how many forks of a case waited too long for a processor, and how many were repeated.
func (m *Measured) Tally(caseID int) Tally { return m.tally[caseID] }

// Done reports whether the fork of a case in a round succeeded.
func (m *Measured) Done(caseID, round int, purpose string) bool {
	return m.done[forkKey{caseID, round, purpose}]
}

// Forks returns the number of forks that are done.
func (m *Measured) Forks() int { return len(m.done) }

// Lost reports whether a case failed before the forks that count.
func (m *Measured) Lost(caseID int) bool { return m.lost[caseID] }
