package cluster

import (
	"fmt"
	"time"

	"github.com/tarebench/tare/record"
)

// agentLine returns what the record says of an agent in a phase. The caller holds the lock.
func (p *phaseRun) agentLine(m *member) *record.Agent {
	now := m.clock.best()
	a := &record.Agent{
		Name: m.Name, Host: m.Host, OS: m.OS, Arch: m.Arch, Cores: m.Cores, Tare: m.Tare, Weight: m.weight,
		Phase: p.config.Phase, Step: p.step,
		Offset: now.ahead, OffsetError: now.bound, Drift: m.clock.drift(),
		Intervals: m.delivered, Missing: m.missing, Late: m.late,
		Shares: p.shares(m),
	}
	l := m.latest
	if m.final != nil {
		l = *m.final
	}
	a.Scheduled, a.Started, a.Completed, a.Dropped, a.Unsent, a.Unfinished = l.Scheduled, l.Started, l.Completed, l.Dropped, l.Unsent, l.Unfinished
	a.Failed, a.CPU, a.TargetRate, a.Achieved = failed(&l), l.CPU, l.TargetRate, l.Achieved
	p.leaveToOthers(m, a)
	more := int64(0)
	if p.due != nil && m.fails() {
		more = max(p.due.counts[m.place]-l.Scheduled, 0)
	} else if p.due == nil {
		more = p.lostClosed(m, l.Scheduled)
	}
	a.Lost, a.Scheduled = a.Lost+more, a.Scheduled+more
	if d := p.due; d != nil && a.TargetRate == 0 { // it was lost in its first interval
		a.TargetRate = p.sum.before.TargetRate * float64(d.counts[m.place]) / float64(max(d.total(), 1))
	}
	switch {
	case m.done != nil && m.done.Err == nil:
		a.State = record.AgentDone
	case m.lost:
		a.State, a.Why, a.At = record.AgentLost, m.why, m.lostAt
	case m.done != nil:
		a.State, a.Why = record.AgentStopped, m.done.Err.Text
	default:
		a.State = record.AgentStopped
	}
	if m.longestLoss > 0 && a.Why == "" {
		a.Why = fmt.Sprintf("no message from it for %s, then it came back", time.Duration(m.longestLoss+int64(p.k.Timing.Lost)).Round(100*time.Millisecond))
	}
	if d := m.done; d != nil {
		a.StartLate, a.Response, a.Service, a.Lateness = d.StartLate, d.Times.Response, d.Times.Service, d.Times.Lateness
		if a.Missing == 0 && !m.complete() {
			a.Missing = 1 // the sums differ: one at least did not come whole
		}
	}
	if took := l.Start + l.Length - p.start; took > 0 && l.Length > 0 {
		a.CoresUsed = float64(a.CPU) / float64(took)
	}
	return a
}

// shares returns which part of the operations an agent had, and from which one on.
func (p *phaseRun) shares(m *member) (all []record.AgentShare) {
	spans := append([]span{{0, p.sum.owners}}, p.spans...)
	for i, s := range spans {
		share := record.AgentShare{From: s.From, Of: len(s.Owners)}
		for _, owner := range s.Owners {
			if owner == m.place {
				share.Slots++
			}
		}
		if i+1 < len(spans) {
			share.To = spans[i+1].From
		}
		all = append(all, share)
	}
	return all
}

// complete reports whether as many values arrived as the agent has counted.
func (i *inbox) complete() bool {
	for series, n := range i.done.Totals {
		if i.values[series] != n {
			return false
		}
	}
	return true
}
