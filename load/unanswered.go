package load

import (
	"github.com/tarebench/tare/hist"
	"github.com/tarebench/tare/internal/base/diagnosis"
	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/record"
)

// giveUp cancels the operations in flight. Nothing that is answered from now on counts.
func (e *engine) giveUp() {
	e.count(e.clock()) // sees which operations are in flight
	e.sealed.Store(true)
	e.givenUp = e.clock()
	e.stop(nil)
	e.cancelWork()
}

// waits are the times that operations had waited in vain when the run ended: from when they
// were due, and from when they were first seen to be in flight.
type waits struct{ due, sent hist.Histogram }

// unanswered returns how long the operations that were never answered had waited: those in
// flight until they were given up, those that were never sent until the end of sending. All
// are lower bounds of the latency that a user would have seen.
func (e *engine) unanswered(c counts, now int64) []Latency {
	of := make([]waits, len(e.kinds)+1) // the last of an unknown kind
	unknown := &of[len(e.kinds)]
	if only := onlyKind(e.kinds); only >= 0 {
		unknown = &of[only]
	}
	for i, w := range e.startedWorkers() {
		state := w.state.Load()
		cut := w.cut.Load()
		if state&1 == 0 && !cut {
			continue
		}
		to := unknown
		if cut && w.kind >= 0 && w.kind < len(e.kinds) { // the kind of one that hangs may still change
			to = &of[w.kind]
		}
		sent := e.sinceSent(i, w, state, now)
		if cut && w.paused > 0 { // what was seen has the pauses in it
			sent = max(min(w.sentFor, e.ageEnd(now)-w.flight.Load()), 0)
		}
		to.sent.Record(sent)
		if e.schedule != nil {
			to.due.Record(max(e.ageEnd(now)-w.flight.Load(), 0))
		}
	}
	if e.schedule != nil {
		for k := c.started + c.dropped; k < c.scheduled; k++ {
			at, ok := e.oldest.to(k)
			if !ok {
				break
			}
			unknown.due.Record(max(e.ended(now)-e.start-int64(at), 0))
		}
	}
	return e.listWaits(of)
}

func (e *engine) listWaits(of []waits) (all []Latency) {
	for k := range of {
		name := record.AnyKind
		if k < len(e.kinds) {
			name = e.kinds[k]
		}
		for _, l := range []Latency{
			{name, record.TagUnanswered, &of[k].due},
			{name, record.TagUnansweredService, &of[k].sent},
		} {
			if l.Hist.Count() > 0 {
				all = append(all, l)
			}
		}
	}
	return all
}

// sinceSent returns a lower bound of how long the operation of worker i has been in flight.
func (e *engine) sinceSent(i int, w *worker, state uint64, now int64) int64 {
	began := e.ageEnd(now)
	switch {
	case e.schedule == nil && w.cut.Load():
		began = w.flight.Load()
	case i < len(e.seen) && e.seen[i].completed == state/2 && e.seen[i].at != 0:
		began = e.seen[i].at
	}
	return max(e.ageEnd(now)-began, 0)
}

// ageEnd returns the time up to which operations in flight grow older.
func (e *engine) ageEnd(now int64) int64 {
	if e.givenUp != 0 {
		return min(now, e.givenUp)
	}
	return now
}

// unansweredWarnings warns about operations that were never answered, however few: their
// latencies are known as lower bounds only.
func unansweredWarnings(whole *Interval) []record.Warn {
	n := whole.Unfinished + whole.Unsent
	if n == 0 {
		return nil
	}
	var inFlight, oldestInFlight, unsent, oldestUnsent string
	if whole.Unfinished > 0 {
		inFlight, oldestInFlight = units.Count(whole.Unfinished), units.Brief(float64(whole.UnfinishedOldest))
	}
	if whole.Unsent > 0 {
		unsent, oldestUnsent = units.Count(whole.Unsent), units.Brief(float64(whole.UnsentOldest))
	}
	return []record.Warn{*diagnosis.Warn(diagnosis.Unanswered, diagnosis.Facts{
		"operations": n, "scheduled": whole.Scheduled, "both": whole.Unfinished > 0 && whole.Unsent > 0,
		"inFlight": inFlight, "oldestInFlight": oldestInFlight, "unsent": unsent, "oldestUnsent": oldestUnsent,
	})}
}
