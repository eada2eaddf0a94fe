package cluster

import (
	"fmt"
	"maps"
	"time"

	"github.com/tarebench/tare/internal/base/diagnosis"
	"github.com/tarebench/tare/load"
	"github.com/tarebench/tare/record"
)

// A merger adds up the intervals of all agents. Counts and histograms are sums; nothing is averaged.
type merger struct {
	p         *phaseRun
	owners    []int
	intervals map[int]*interval // that are not written yet
	written   int               // intervals
	before    record.Load       // the line of the last one
	asOf      []record.Load     // counts of each agent as of the last one
	total     series
	waits     series // lower bounds of what was not answered
	overdue   []late
	warnings  []record.Warn
	first     map[string]string
	cost      float64 // of a clock reading, ns
}

// An interval is what agents counted in it.
type interval struct {
	loads  map[int]*record.Load // by place
	series series
}

// maxSilent limits how many intervals an agent may leave out.
const maxSilent = 1_000_000

// late are latencies of an interval that was written already.
type late struct {
	interval int
	series   series
}

func newMerger(p *phaseRun) merger {
	return merger{
		p: p, intervals: map[int]*interval{}, asOf: make([]record.Load, len(p.agents)), total: series{}, waits: series{}, first: map[string]string{},
	}
}

// add adds a batch of an agent. Its batches come in order.
func (s *merger) add(m *member, b *batch) error {
	if b.Load != nil {
		b.Load = shifted(b.Load, -m.ahead)
		m.latest = *b.Load
	}
	if s.cost < b.Clock {
		s.cost = b.Clock
	}
	for class, text := range b.First {
		if s.first[class] == "" {
			s.first[class] = text
		}
	}
	if b.Done != nil {
		return s.addDone(m, b)
	}
	if b.Load == nil || b.Interval <= m.upTo || b.Interval > m.upTo+maxSilent {
		return errGarbage
	}
	m.delivered += b.Interval - m.upTo
	m.upTo = b.Interval
	into := series{}
	if b.Interval > s.written {
		i := s.at(b.Interval)
		i.loads[m.place] = b.Load
		into = i.series
	} else {
		m.late++
		s.overdue = append(s.overdue, late{b.Interval, into})
		s.asOf[m.place] = *b.Load
	}
	for i := range b.Counts {
		c := &b.Counts[i]
		n, err := into.add(c)
		if err != nil {
			return fmt.Errorf("interval %d, %s %s: %w", b.Interval, c.Kind, c.Tag, err)
		}
		m.values[c.Kind+" "+c.Tag] += n
	}
	return nil
}

// at returns an interval that is not written yet.
func (s *merger) at(k int) *interval {
	i := s.intervals[k]
	if i == nil {
		i = &interval{loads: map[int]*record.Load{}, series: series{}}
		s.intervals[k] = i
	}
	return i
}

// addDone adds the end of an agent's phase.
func (s *merger) addDone(m *member, b *batch) error {
	m.done, m.final = b.Done, b.Load
	if b.Done.leftAlone() && !m.lost {
		s.p.miss(m, "has stopped: "+b.Done.Err.Text)
	}
	for i := range b.Warnings {
		w := b.Warnings[i]
		if !load.OfWhole(w.Code) { // those follow from all agents together
			s.warnings = append(s.warnings, *diagnosis.Prefix(&w, "agent "+m.Name))
		}
	}
	if b.Done.leftAlone() {
		return nil // what it left is lost with it, and says nothing about the system
	}
	for i := range b.Counts {
		if _, err := s.waits.add(&b.Counts[i]); err != nil {
			return err
		}
	}
	return nil
}

// whole reports whether every agent has delivered an interval, or will not.
func (s *merger) whole(k int) bool {
	for _, m := range s.p.agents {
		if m.done == nil && !m.lost && m.upTo < k {
			return false
		}
	}
	return true
}

// reached returns the last interval that an agent has delivered.
func (s *merger) reached() (k int) {
	for _, m := range s.p.agents {
		k = max(k, m.upTo)
	}
	return k
}

// take takes the next interval, with its lines.
func (s *merger) take() (*load.Interval, []record.Line, error) {
	k := s.written + 1
	s.written = k
	i := s.intervals[k]
	if i == nil {
		i = &interval{}
	}
	delete(s.intervals, k)
	var lines []record.Line
	if k == 1 && s.cost > 0 {
		lines = append(lines, &record.Overhead{Clock: s.cost})
	}
	late, err := s.takeOverdue()
	if err != nil {
		return nil, nil, err
	}
	line := s.line(k, i)
	lines = append(append(lines, late...), &line)
	more, err := s.hists(i.series, line)
	if err != nil {
		return nil, nil, err
	}
	if err := s.total.merge(i.series); err != nil {
		return nil, nil, err
	}
	s.before = line
	return &load.Interval{Load: line, Latencies: i.series.latencies(s.p.k.kinds()), First: maps.Clone(s.first)}, append(lines, more...), nil
}

// takeOverdue returns the lines of latencies whose intervals were written already.
func (s *merger) takeOverdue() (lines []record.Line, err error) {
	length := int64(s.p.config.Interval)
	for _, late := range s.overdue {
		more, err := s.hists(late.series, record.Load{Iter: late.interval, Start: s.p.start + int64(late.interval-1)*length, Length: length})
		if err != nil {
			return nil, err
		}
		lines = append(lines, more...)
		if err := s.total.merge(late.series); err != nil {
			return nil, err
		}
	}
	s.overdue = nil
	return lines, nil
}

// hists returns the lines of the latencies of an interval.
func (s *merger) hists(all series, of record.Load) (lines []record.Line, err error) {
	for _, l := range all.latencies(s.p.k.kinds()) {
		data, err := l.Hist.Encode()
		if err != nil {
			return nil, err
		}
		lines = append(lines, &record.Hist{Name: l.Kind, Tag: l.Tag, Iter: of.Iter, Start: of.Start, Length: of.Length, Unit: "ns", Data: data})
	}
	return lines, nil
}

// line returns the counts as of the end of an interval.
func (s *merger) line(k int, i *interval) record.Load {
	length := int64(s.p.config.Interval)
	start := s.p.start + int64(k-1)*length
	end := start + length
	here := 0
	for place, m := range s.p.agents {
		if l := i.loads[place]; l != nil {
			s.asOf[place] = *l
			if m.done != nil && m.upTo == k && k == s.reached() { // the last one includes the drain
				end = max(end, l.Start+l.Length)
			}
		}
		if m.upTo >= k || m.done != nil {
			here++
		}
	}
	l := sumLoads(s.p.withoutOthers(s.asOf))
	l.Phase, l.Iter, l.Start, l.Length = s.p.config.Phase, k, start, end-start
	l.Agents = here
	s.addLost(&l, time.Duration(end-s.p.start))
	l.Achieved = perSecond(l.Completed-s.before.Completed, l.Length)
	if s.p.due != nil {
		l.TargetRate = perSecond(l.Scheduled-s.before.Scheduled, min(l.Length, length))
	}
	return l
}

// addLost counts what were due for agents that were lost, until a time from the start of the phase.
func (s *merger) addLost(l *record.Load, t time.Duration) {
	d := s.p.due
	if d == nil {
		return
	}
	d.to(t)
	for place, m := range s.p.agents {
		if m.fails() {
			n := max(d.counts[place]-s.asOf[place].Scheduled, 0)
			l.Lost += n
			l.Scheduled += n
		}
	}
}

func perSecond(n, ns int64) float64 {
	if ns <= 0 {
		return 0
	}
	return float64(n) / (float64(ns) / 1e9)
}

// finish returns the whole phase, and writes its lines.
func (s *merger) finish() (*load.Interval, error) {
	p := s.p
	p.k.mu.Lock()
	var lines []record.Line
	var due []*load.Interval
	var err error
	for s.written < s.reached() && err == nil {
		var i *load.Interval
		var l []record.Line
		if i, l, err = s.take(); err == nil {
			lines, due = append(lines, l...), append(due, i)
		}
	}
	if err == nil {
		var late []record.Line
		late, err = s.takeOverdue()
		lines = append(lines, late...)
	}
	if err != nil {
		p.k.mu.Unlock()
		return nil, err
	}
	whole := s.sum()
	waits, err := s.hists(s.waits, s.before)
	lines = append(append(lines, waits...), &whole.Load)
	for _, w := range load.Warnings(p.config, whole, s.cost, p.stop != nil) {
		if w.Code != diagnosis.GeneratorLate { // agents say that each for itself
			lines = append(lines, &w)
		}
	}
	for i := range s.warnings {
		lines = append(lines, &s.warnings[i])
	}
	for _, m := range p.agents {
		lines = append(lines, p.agentLine(m))
	}
	p.k.mu.Unlock()
	if err != nil {
		return whole, err
	}
	err = p.write(lines...)
	for _, i := range due {
		p.status(i)
	}
	p.status(whole)
	return whole, err
}
