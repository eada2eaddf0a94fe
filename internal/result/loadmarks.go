package result

import (
	"strings"

	"github.com/tarebench/tare/hist"
	"github.com/tarebench/tare/record"
)

// IntervalMarks say what happened beside the operations in an interval of a run.
type IntervalMarks struct {
	At     int64 `json:"at_ns"` // when the interval began, since the beginning of the phase
	Length int64 `json:"length_ns"`
	P99    int64 `json:"p99_ns,omitempty"` // of the response times of all operations, in a closed loop of the service times; 0: none was answered
	Pair   int   `json:"pair,omitempty"`   // of windows, where sides are compared

	Generator record.GeneratorMarks `json:"generator"`
	Servers   []record.ProcessMarks `json:"servers,omitempty"`
	ServerGC  *record.GCMarks       `json:"server_gc,omitempty"`
}

// addMarks takes what was read at the end of the interval at hand.
func (d *loadData) addMarks(m *record.Marks) {
	if p := d.current(); p != nil && p.hand != nil && !p.hand.Final && p.hand.Iter == m.Iter && p.hand.Start == m.Start {
		p.mark = m
	}
}

// answers are the latencies of the interval at hand, of all operations together.
type answers struct{ response, service hist.Histogram }

// add adds the latencies of an operation. Those of parts of operations, as GET/first-byte, do not count.
func (a *answers) add(name, tag string, h *hist.Histogram) {
	switch {
	case h == nil || strings.Contains(name, "/"):
	case tag == record.TagResponse:
		a.response.Merge(h) // histograms of one configuration; a difference would leave it out
	case tag == record.TagService:
		a.service.Merge(h)
	}
}

// p99 returns the 99th percentile in ns, 0 if nothing was answered.
func (a *answers) p99() int64 {
	of := &a.response
	if of.Count() == 0 {
		of = &a.service
	}
	if of.Count() == 0 {
		return 0
	}
	return of.ValueAtPercentile(99)
}

// addMarks keeps the marks of the interval at hand.
func (p *loadPhase) addMarks(a *answers) {
	m := p.mark
	if len(p.marks) == 0 {
		p.began = m.Start
	}
	x := IntervalMarks{At: m.Start - p.began, Length: m.Length, P99: a.p99(), Generator: m.Generator, Servers: m.Servers, ServerGC: m.ServerGC}
	if m.Window != nil {
		x.Pair = m.Window.Pair
	}
	p.marks = append(p.marks, x)
}

// marksOf returns the marks of the windows of a side, with their times since start, ns of the monotonic clock.
func marksOf(windows []*loadPhase, start int64) (all []IntervalMarks) {
	for _, p := range windows {
		for _, m := range p.marks {
			m.At += p.last.Start - start
			all = append(all, m)
		}
	}
	return all
}
