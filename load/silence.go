package load

import (
	"math"
	"time"
)

// watchPeriod is how often the coordinator checks whether anything was answered. Intervals are too coarse:
// a long one hides an outage.
const watchPeriod = int64(50 * time.Millisecond)

// silentShare is the share of the operations due that must be answered to end a silence.
const silentShare = 0.1

// A silence is a time in which operations waited or were due, and fewer than silentShare of those that were due were
// answered without an error.
type silence struct{ length, due int64 } // ns, and operations that were due in it

// A watch finds the longest silence while operations are sent. Its length is a lower bound, by at most two
// periods too short.
type watch struct {
	next             int64 // time of the next check
	at               int64 // time of the last one
	good, scheduled  int64 // operations up to then: answered without an error, and due
	current, longest silence
}

// nextWatch returns the time of the next check; math.MaxInt64 after the end of sending.
func (e *engine) nextWatch() int64 {
	if e.sendEnd != 0 {
		return math.MaxInt64
	}
	return e.silences.next
}

// watch checks whether anything was answered since the last check.
func (e *engine) watch(now int64) {
	w := &e.silences
	started, completed, parts := e.progressNow()
	scheduled := started
	if e.schedule != nil {
		e.replayWorst() // before fellDue, which does not go back
		scheduled = e.fellDue(now)
	}
	// A worker counts an error before the operation, so that the difference may be too low for a moment.
	good := max(completed-e.errors.Load()+parts, w.good)
	answered, due, length := good-w.good, scheduled-w.scheduled, now-w.at
	waiting := scheduled-e.dropped.Load()-e.parked.Load() > completed
	switch {
	case length > 4*watchPeriod: // this process stood still: the system may have answered meanwhile
		w.current = silence{}
	case answered > 0 && (e.schedule == nil || float64(answered) >= silentShare*float64(due)):
		w.current = silence{}
	case due > 0 || waiting:
		w.current.length += length
		w.current.due += due
		if w.current.length > w.longest.length {
			w.longest = w.current
		}
	}
	w.at, w.good, w.scheduled = now, good, scheduled
	w.next = now + watchPeriod
}

// progressNow returns how many operations were sent, how many have completed, and how many parts of operations were
// answered. Unlike count it changes nothing.
func (e *engine) progressNow() (started, completed, parts int64) {
	for _, w := range e.startedWorkers() {
		state := w.state.Load()
		started, completed = started+int64(state/2+state&1), completed+int64(state/2)
		parts += int64(w.parts.Load())
	}
	return started, completed, parts
}
