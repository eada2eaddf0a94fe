package pace

import (
	"sync/atomic"
	"time"
)

// wake learns how late sleepers wake up on this machine: a few µs on bare
// metal, 20 to 80 µs where a virtual processor must be started first. Sleeping
// ends by so much before the due time, and spinning fills the rest. A margin
// that is too small makes operations late; one that is too large burns a core
// for nothing, and lets the spinning of several workers overlap.
//
// The margin follows the 95th percentile of what is seen, by the Robbins-Monro
// rule (A Stochastic Approximation Method, 1951) with steps in proportion to
// the margin: up by 19 parts for a wake-up later than it, down by one part for
// the others. What is later than the largest margin is not counted: there a
// processor was missing, which no margin makes good.
type wake struct {
	margin atomic.Int64 // ns, leastMargin to mostMargin
}

const leastMargin = int64(5 * time.Microsecond)

func (w *wake) reset() { w.margin.Store(firstMargin) }

// learn takes a wake-up that was late ns nanoseconds late. An update may get
// lost between workers; later ones make up for it.
func (w *wake) learn(late int64) {
	if late > mostMargin {
		return
	}
	m := w.margin.Load()
	part := m / 200
	if late > m {
		m += 19 * part
	} else {
		m -= part
	}
	w.margin.Store(min(max(m, leastMargin), mostMargin))
}
