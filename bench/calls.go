package bench

import (
	"math"
	"sync/atomic"
)

// Next counts in memory, and its worker may be notified of a phase at any time. That takes two loads, a store and two
// branches. A loop over b.N takes one cycle for each taken branch. Next is as fast where the processor forwards a store to
// the next load without delay. left counts down, so that it needs no third number to be compared with. Both words have 32
// bits, because that makes the loop short, and one that lies across two cache lines takes twice as long. Functions of
// package atomic are used because with methods of its types Next would be too large to be inlined.

// mostFast is the most calls of Next that are fast in a row.
const mostFast = math.MaxInt32

// notify makes the worker's next call of Next slow, because a phase has begun. Any goroutine may call it.
func (w *Worker) notify(phase int64) { atomic.StoreInt32(&w.notice, int32(fresh-phase)) }

// notified returns the phase of which the worker was notified, or fresh if it has handled that.
func (w *Worker) notified() int64 { return fresh - int64(atomic.LoadInt32(&w.notice)) }

// calls returns how many calls of Next have ended.
func (w *Worker) calls() int64 { return w.next - 1 - int64(w.left) }

// beginSlow sets n, and makes the next call slow as well.
func (w *Worker) beginSlow() {
	if w.left >= 0 { // there was a notice, so Next has not counted the call
		w.left--
	}
	w.n = w.calls()
	w.left, w.next = 0, w.n+1
}

// endSlow makes the calls before next fast, after the phase due was handled. It returns false if a later phase has begun:
// then the next call stays slow.
func (w *Worker) endSlow(due, next int64) bool {
	if !atomic.CompareAndSwapInt32(&w.notice, int32(fresh-due), 0) {
		return false
	}
	fast := min(next-w.next, mostFast)
	w.left = int32(fast)
	w.next += fast
	return true
}
