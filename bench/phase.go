package bench

import "runtime"

// A window goes through phases. It notifies its workers of each (see calls.go), so that their next call of Next takes
// the slow path. Phases are notified once each and in decreasing order. A worker replaces the notification by compare
// and swap, so it never overwrites a phase that it has not seen.
const (
	fresh    int64 = 1 - iota // no phase was handled yet
	entering                  // workers reach their first Next
	tuning                    // all have reached it; the time of an operation is measured
	tuned                     // that time is known
	opening                   // each worker begins counting at its next Next
	closing                   // each worker ends counting at its next Next, and goes on until all have
	over                      // Next returns false
)

// handleDue handles everything that is due at this call of Next, made at time t (ns). It returns false if the
// loop must end.
func (w *Worker) handleDue(due, t int64) bool {
	if (due == over || due < w.seen) && !w.isOwn() {
		return false
	}
	if due == over {
		w.finish()
		return false
	}
	if w.mayClose(due) {
		w.close(t)
	}
	if w.claim.at == w.n {
		w.claimMore(t)
	}
	if w.batch.at == w.n {
		t = w.nextBatch(t)
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
		if !w.own.opened { // a delayed worker opens its window now
			w.open(t)
		}
	}
}

// A workerWindow is the window of one worker, from one call of Next to another.
type workerWindow struct {
	opened, closed bool
	from, to       int64 // ns
	first, last    int64 // operations completed at from and to
	paused         int64 // excluded ns in between
	total          int64 // operations completed by the worker in all
}

func (l *workerWindow) counts() bool { return l.opened && !l.closed }
func (l *workerWindow) ops() int64   { return l.last - l.first }
func (l *workerWindow) ns() int64    { return max(0, l.to-l.from-l.paused) }

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

// mayClose reports whether the worker's window can end: the window is closing, and the worker has completed an
// operation in its own window.
func (w *Worker) mayClose(due int64) bool {
	return min(due, w.seen) == closing && w.own.counts() && w.completed() > w.own.first
}

// closesNext reports whether the worker's window ends with the next operation.
func (w *Worker) closesNext() bool { return w.seen == closing && !w.own.closed }

// close ends the worker's window.
func (w *Worker) close(t int64) {
	w.own.closed, w.own.to, w.own.last = true, t, w.completed()
	for _, c := range w.counters {
		c.got = c.n - c.from
	}
	w.claim.at = never
	w.sample.close()
	w.ended.Store(true)
	w.win.workerEnded()
	runtime.Gosched() // other workers may need the processor to end their windows
}

// closeInterrupted ends the window of a worker whose body returned because Done was closed during an
// operation. The interrupted operation does not count, but its time does. The window of a worker without
// operations begins when the whole window opened.
func (w *Worker) closeInterrupted() {
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

// finish ends the loop over Next.
func (w *Worker) finish() {
	if w.finished {
		return
	}
	w.finished = true
	w.own.total = w.completed()
	w.closeInterrupted()
	w.endBatch()
}
