package bench

import (
	"sync/atomic"
	"time"

	"github.com/tarebench/tare/internal/base/cacheline"
)

// A claim is a worker's part of a fixed number of operations that all workers do together (-benchtime=100x). A
// fast worker claims more at a time, so that claiming costs almost nothing, but never much of what is left, so
// that a slow worker does not keep the others waiting.
type claim struct {
	at   int64 // the call of Next at which the claim is used up
	size int64 // of the next one
	t    int64 // when the last one was made
}

// shortClaim is the shortest time, in ns, that a claim should last.
const shortClaim = int64(50 * time.Microsecond)

// pool counts the operations that are not yet claimed.
type pool struct {
	_    cacheline.Line
	left atomic.Int64
	_    cacheline.Line
}

// take claims up to n operations, less if few are left for many workers, and returns how many.
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
