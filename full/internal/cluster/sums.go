package cluster

import (
	"cmp"
	"slices"
	"time"

	"github.com/tarebench/tare/load"
	"github.com/tarebench/tare/record"
)

// sumLoads adds up counts. The longest silence is that of one agent: its operations had no answer, those of others may have
// had. BacklogMax is the sum of the agents' maxima, which need not have been at the same time: an upper bound.
func sumLoads(all []record.Load) (sum record.Load) {
	fails := map[record.Failure]int64{}
	firsts := map[record.Failure]string{}
	for i := range all {
		l := &all[i]
		sum.Scheduled += l.Scheduled
		sum.Started += l.Started
		sum.Completed += l.Completed
		sum.Dropped += l.Dropped
		sum.Unsent += l.Unsent
		sum.Unfinished += l.Unfinished
		sum.Lost += l.Lost
		sum.UnsentOldest = max(sum.UnsentOldest, l.UnsentOldest)
		sum.UnfinishedOldest = max(sum.UnfinishedOldest, l.UnfinishedOldest)
		sum.BacklogMax += l.BacklogMax
		if l.Silence > sum.Silence {
			sum.Silence, sum.SilenceDue = l.Silence, l.SilenceDue
		}
		sum.Errors = addCounts(sum.Errors, l.Errors)
		sum.Statuses = addCounts(sum.Statuses, l.Statuses)
		sum.Sent += l.Sent
		sum.Received += l.Received
		sum.Rows += l.Rows
		sum.Workers += l.Workers
		sum.CPU += l.CPU
		for _, f := range l.Failures {
			key := record.Failure{Name: f.Name, Class: f.Class, Status: f.Status}
			fails[key] += f.Count
			firsts[key] = cmp.Or(firsts[key], f.First)
		}
	}
	for key, n := range fails {
		key.Count, key.First = n, firsts[key]
		sum.Failures = append(sum.Failures, key)
	}
	slices.SortFunc(sum.Failures, func(a, b record.Failure) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Class, b.Class), cmp.Compare(a.Status, b.Status))
	})
	return sum
}

func addCounts(sum, more map[string]int64) map[string]int64 {
	for name, n := range more {
		if sum == nil {
			sum = map[string]int64{}
		}
		sum[name] += n
	}
	return sum
}

// sum returns the whole phase.
func (s *merger) sum() *load.Interval {
	p := s.p
	finals := slices.Clone(s.asOf)
	var length int64
	answered := 0.0 // in the time of sending
	for place, m := range p.agents {
		if m.final != nil {
			finals[place] = *m.final
			s.asOf[place] = *m.final
			length = max(length, m.final.Length)
			answered += m.final.Achieved * float64(m.final.Length)
		} else {
			answered += float64(finals[place].Completed) * 1e9
		}
	}
	if length == 0 {
		length = s.before.Start + s.before.Length - p.start
	}
	if length <= 0 { // no agent has delivered anything
		length = max(p.k.Clock()-p.start, 1)
		if d := int64(p.config.Duration); d > 0 {
			length = min(length, d)
		}
	}
	l := sumLoads(p.withoutOthers(finals))
	l.Phase, l.Final, l.Start, l.Length = p.config.Phase, true, p.start, length
	s.addLost(&l, time.Duration(length))
	s.addLostClosed(&l)
	l.Achieved = answered / float64(length)
	l.Slowest = slowestOf(finals, p.config.Slowest)
	switch sc := p.config.Schedule; {
	case p.due == nil:
	case sc.Rate > 0 && sc.Over == 0:
		l.TargetRate = sc.Rate
	default:
		l.TargetRate = perSecond(l.Scheduled, length)
	}
	all := s.total.latencies(p.k.kinds())
	return &load.Interval{Load: l, Latencies: append(all, s.waits.latencies(p.k.kinds())...), First: s.first}
}

// addLostClosed counts what agents that were lost did not send of a number of operations in a closed loop.
func (s *merger) addLostClosed(l *record.Load) {
	for place, m := range s.p.agents {
		n := s.p.lostClosed(m, s.asOf[place].Scheduled)
		l.Lost += n
		l.Scheduled += n
	}
}

// lostClosed returns how many of its operations an agent that is lost has not sent in a closed loop.
func (p *phaseRun) lostClosed(m *member, sent int64) int64 {
	n := p.config.Operations
	if p.due != nil || n == 0 || p.config.Duration > 0 || p.stop != nil || !m.fails() {
		return 0
	}
	return max(owned(p.sum.owners, m.place, n)-sent, 0)
}

// slowestOf returns the n operations that took longest.
func slowestOf(all []record.Load, n int) (out []record.SlowOperation) {
	for i := range all {
		out = append(out, all[i].Slowest...)
	}
	took := func(o record.SlowOperation) int64 { return o.End - o.Due - o.Paused }
	slices.SortStableFunc(out, func(a, b record.SlowOperation) int { return cmp.Compare(took(b), took(a)) })
	return out[:min(n, len(out))]
}
