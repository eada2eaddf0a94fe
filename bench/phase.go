package bench

import "runtime"

// A window goes through phases. It tells them to its workers by storing them
// into Worker.lim, whereupon the next call of Next takes the slow way. Each is
// stored once in a window, and they go down: a worker that replaces what it has
// found there, by compare and swap, can never undo one that it has not seen.
const (
	fresh    int64 = 1 - iota // no phase was dealt with yet
	entering                  // from the start: workers come to their first Next
	tuning                    // all have come: what does an operation take?
	tuned                     // it is known
	opening                   // counting begins, for each worker at its next Next
	closing                   // counting ends likewise; until all have ended theirs, they go on
	over                      // Next says no
)

// visit deals with everything that is due at this call of Next, which came at
// time t. It reports whether to go on.
func (w *Worker) visit(due, t int64) bool {
	if due == over {
		w.leave()
		return false
	}
	if w.mayClose(due) {
		w.close(t)
	}
	if w.claim.at == w.n {
		w.claimMore(t)
	}
	if w.batch.at == w.n {
		t = w.turnBatch(t)
	}
	if due < w.seen {
		w.seen = due
		w.enter(due, t)
	}
	return true
}

// enter begins a phase.
func (w *Worker) enter(phase, t int64) {
	switch phase {
	case entering:
		w.win.enter()
	case tuning:
		w.tune.begin(w, t)
	case tuned:
		w.tune.end(w, t)
	case opening, closing:
		if !w.own.opened { // one that was held up has its window now
			w.open(t)
		}
	}
}

// A ledger is the window of one worker: from one call of Next to another.
type ledger struct {
	opened, closed bool
	from, to       int64 // ns
	first, last    int64 // operations completed at from and to
	paused         int64 // ns in between that do not count
	total          int64 // operations completed in the whole life of the worker
}

func (l *ledger) counts() bool { return l.opened && !l.closed }
func (l *ledger) ops() int64   { return l.last - l.first }
func (l *ledger) ns() int64    { return max(0, l.to-l.from-l.paused) }

// open begins the worker's window.
func (w *Worker) open(t int64) {
	w.own.opened, w.own.from, w.own.first = true, t, w.completed()
	w.markCounters()
	w.sample.open(w.n, w.role.k)
	if w.win.count > 0 {
		w.claimMore(t)
	}
}

func (w *Worker) markCounters() {
	for _, c := range w.counters {
		c.from = c.n
	}
}

// mayClose tells whether the worker's window can end: the window closes, and
// the worker has done an operation since its own began.
func (w *Worker) mayClose(due int64) bool {
	return min(due, w.seen) == closing && w.own.counts() && w.completed() > w.own.first
}

// waitsToClose tells whether it closes with the next operation.
func (w *Worker) waitsToClose() bool { return w.seen == closing && !w.own.closed }

// close ends the worker's window.
func (w *Worker) close(t int64) {
	w.own.closed, w.own.to, w.own.last = true, t, w.completed()
	for _, c := range w.counters {
		c.got = c.n - c.from
	}
	w.claim.at = never
	w.sample.close()
	w.ended.Store(true)
	w.win.note()
	runtime.Gosched() // others may need the processor to end theirs
}

// cut ends the window of a worker that came back without asking Next, because
// Done was closed while it waited. Its last operation was cut off and does not
// count, the time in which it tried does. One that did nothing at all did so
// since the window opened.
func (w *Worker) cut() {
	if w.own.closed {
		return
	}
	if !w.own.opened {
		w.own.first = w.completed()
		w.markCounters()
	}
	w.close(w.win.closedAt)
	if w.own.ops() == 0 {
		w.own.from, w.own.paused = w.win.openedAt, 0
	}
}

// leave is the end of the loop over Next.
func (w *Worker) leave() {
	if w.said {
		return
	}
	w.said = true
	w.own.total = w.completed()
	w.cut()
	w.endBatch()
}
