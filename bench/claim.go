package bench

import (
	"sync/atomic"
	"time"

	"github.com/tarebench/tare/internal/cacheline"
)

// A claim is what a worker has taken of a fixed number of operations, which all
// workers do together (-benchtime=100x). It takes more at a time the faster it
// is, so that claiming costs nothing, but never much of what is left, so that a
// slow one does not keep the others waiting.
type claim struct {
	at   int64 // the call of Next at which the claim has been worked off
	size int64 // of the next one
	t    int64 // when the last one was made
}

// shortClaim is what a claim shall last at least.
const shortClaim = int64(50 * time.Microsecond)

// pool is the operations that nobody has claimed yet.
type pool struct {
	_    cacheline.Line
	left atomic.Int64
	_    cacheline.Line
}

// take claims up to n operations; of many workers, none gets much of those left.
func (p *pool) take(n, workers int64) int64 {
	for {
		left := p.left.Load()
		if left <= 0 {
			return 0
		}
		if n = min(n, left); workers > 1 {
			n = min(n, 1+left/(2*workers))
		}
		if p.left.CompareAndSwap(left, left-n) {
			return n
		}
	}
}

// claimMore claims operations, and ends the worker's window if there are none.
func (w *Worker) claimMore(t int64) {
	c := &w.claim
	switch {
	case c.size == 0:
		c.size = 1
	case t-c.t < shortClaim:
		c.size *= 2
	}
	got := w.win.pool.take(c.size, int64(len(w.win.workers)))
	if got == 0 {
		w.close(t)
		w.win.exhausted.fire()
		return
	}
	c.size = got
	c.at, c.t = w.n+got, t
}
