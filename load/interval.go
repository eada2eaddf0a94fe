package load

import (
	"github.com/tarebench/tare/hist"
	"github.com/tarebench/tare/record"
)

// An Interval holds the counts and latencies of one interval of a phase, or of the
// whole phase.
type Interval struct {
	record.Load
	Latencies []Latency         // those that have a value, in the order of kinds and tags
	First     map[string]string // text of the first error of each class in the phase, secrets redacted; nil without errors
}

// Latency is a latency distribution of the operations of a kind.
type Latency struct {
	Kind string          // "READ"; record.AnyKind for operations that were never sent, where there are several kinds
	Tag  string          // record.TagResponse, TagService, TagLateness, TagFailed; of a phase TagUnanswered and TagUnansweredService, too
	Hist *hist.Histogram // in ns; valid until the callback returns; that of a phase stays
}

// interval ends the current interval: it collects the latencies, writes the lines and
// calls the callback. An empty interval of length 0 is skipped.
func (e *engine) interval(now int64) {
	c := e.count(now)
	if now <= e.last && c == e.lastCounts {
		return
	}
	e.current.reset()
	for _, l := range e.shards {
		e.current.take(l)
	}
	if err := e.total.merge(e.current); err != nil {
		e.stop(err)
	}
	e.iter++
	length := max(now-e.last, 0)
	i := &Interval{Load: e.load(c), Latencies: e.current.latencies(e.kinds), First: e.firsts()}
	i.Iter, i.Start, i.Length = e.iter, e.last, length
	i.Achieved = perSecond(c.completed-e.lastCounts.completed, length)
	if e.schedule != nil { // no operation is due after the end of sending
		i.TargetRate = perSecond(c.scheduled-e.lastCounts.scheduled, e.ended(now)-e.last)
	}
	e.last, e.lastCounts = max(now, e.last), c
	e.write(&i.Load)
	e.lastLine = i.Load
	e.writeHists(i.Latencies, i.Load)
	e.status(i)
	e.failIfLate(c)
}

// writeHists writes latencies as lines of an interval.
func (e *engine) writeHists(all []Latency, i record.Load) {
	for _, l := range all {
		data, err := l.Hist.Encode()
		if err != nil {
			e.stop(err)
			return
		}
		e.write(&record.Hist{
			Name: l.Kind, Tag: l.Tag, Iter: i.Iter, Start: i.Start, Length: i.Length, Unit: "ns", Data: data,
		})
	}
}

// load returns a line with what the figures of a moment say.
func (e *engine) load(c counts) record.Load {
	l := record.Load{
		Phase:     e.config.Phase,
		Scheduled: c.scheduled, Started: c.started, Completed: c.completed,
		Dropped: c.dropped, Unsent: c.unsent, Unfinished: c.unfinished,
		UnsentOldest: c.unsentOldest, UnfinishedOldest: c.unfinishedOldest, BacklogMax: c.backlogMax,
		Workers: len(e.startedWorkers()), CPU: cpuTime() - e.cpu,
		Silence: e.silences.longest.length, SilenceDue: e.silences.longest.due,
	}
	e.addFailures(&l)
	t := e.traffic()
	l.Statuses, l.Sent, l.Received, l.Rows = t.Statuses, t.Sent, t.Received, t.Rows
	return l
}

// latencies lists what a tally holds.
func (t tally) latencies(kinds []string) []Latency {
	var all []Latency
	for k := range t {
		for _, l := range []Latency{
			{kinds[k], record.TagResponse, &t[k].good[response]},
			{kinds[k], record.TagService, &t[k].good[service]},
			{kinds[k], record.TagLateness, &t[k].good[lateness]},
			{kinds[k], record.TagFailed, &t[k].failed},
		} {
			if l.Hist.Count() > 0 {
				all = append(all, l)
			}
		}
	}
	return all
}
