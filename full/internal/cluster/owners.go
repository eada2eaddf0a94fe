package cluster

import (
	"cmp"
	"slices"

	"github.com/tarebench/tare/record"
)

// ownedInAll returns how many operations belong to a place, and whether there are no more of them from some number on. Without
// that, n is not all.
func (p *phaseRun) ownedInAll(place int) (n int64, ends bool) {
	spans := append([]span{{0, p.sum.owners}}, p.spans...)
	for i, s := range spans {
		if i+1 == len(spans) {
			return n, !slices.Contains(s.Owners, place)
		}
		n += owned(s.Owners, place, spans[i+1].From) - owned(s.Owners, place, s.From)
	}
	return n, false
}

// owned returns how many of the operations below k a pattern gives to a place.
func owned(owners []int, place int, k uint64) (n int64) {
	whole, rest := k/uint64(len(owners)), k%uint64(len(owners))
	for i, owner := range owners {
		if owner != place {
			continue
		}
		n += int64(whole)
		if uint64(i) < rest {
			n++
		}
	}
	return n
}

// beyond returns how many of the operations that an agent counts as due were given to others, without its knowledge. It has not
// sent them: it had no lease when they were due.
func (p *phaseRun) beyond(place int, scheduled int64) int64 {
	if len(p.spans) == 0 {
		return 0
	}
	n, ends := p.ownedInAll(place)
	if !ends {
		return 0
	}
	return max(scheduled-n, 0)
}

// withoutOthers returns counts of the agents without the operations that were given to others.
func (p *phaseRun) withoutOthers(all []record.Load) []record.Load {
	out := slices.Clone(all)
	for place := range out {
		l := &out[place]
		n := p.beyond(place, l.Scheduled)
		l.Scheduled -= n
		unsent := min(n, l.Unsent)
		l.Unsent -= unsent
		unfinished := min(n-unsent, l.Unfinished) // a worker held it, see leasedWorker
		l.Unfinished, l.Started = l.Unfinished-unfinished, l.Started-unfinished
		l.Scheduled += n - unsent - unfinished // what is neither was sent, against all expectation
		if p.agents[place].fails() {
			p.agents[place].leave(l)
		}
	}
	return out
}

// leave counts operations as lost with an agent: those that it had not sent, and those without an answer at its last
// message. They say nothing about the system.
func (m *member) leave(l *record.Load) {
	l.Lost += l.Unsent + l.Unfinished
	l.Started -= l.Unfinished
	l.Unsent, l.Unfinished, l.UnsentOldest, l.UnfinishedOldest = 0, 0, 0, 0
}

// leaveToOthers is withoutOthers for the line of one agent.
func (p *phaseRun) leaveToOthers(m *member, a *record.Agent) {
	all := make([]record.Load, len(p.agents))
	all[m.place] = record.Load{Scheduled: a.Scheduled, Started: a.Started, Unsent: a.Unsent, Unfinished: a.Unfinished}
	l := p.withoutOthers(all)[m.place]
	a.Scheduled, a.Started, a.Unsent, a.Unfinished, a.Lost = l.Scheduled, l.Started, l.Unsent, l.Unfinished, l.Lost
}

// fails reports whether operations that are due for an agent are not sent any more.
func (m *member) fails() bool {
	if m.done != nil {
		return m.done.leftAlone()
	}
	return m.lost
}

// addSpans adds owners that are not known yet, in the order of operations.
func (p *phaseRun) addSpans(more []span) {
	for _, s := range more {
		if !slices.ContainsFunc(p.spans, func(o span) bool { return o.From == s.From }) {
			p.spans = append(p.spans, s)
		}
	}
	slices.SortFunc(p.spans, func(a, b span) int { return cmp.Compare(a.From, b.From) })
}

// reassignDue has the count of what is due know all owners.
func (p *phaseRun) reassignDue() {
	for _, s := range p.spans {
		if p.due != nil {
			p.due.reassign(s)
		}
	}
}
