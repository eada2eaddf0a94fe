package pace

import (
	"sync/atomic"
	"time"
)

// wake adapts the margin by which sleeping ends before the due time to the wake-up
// latency of this machine: a few µs on bare metal, 20 to 80 µs if a virtual processor
// must be started first. Spinning fills the margin. A small margin makes operations
// late; a large one wastes a core, and makes the spins of several workers overlap.
//
// The margin follows the 95th percentile of the wake-up latencies, by the
// Robbins-Monro rule (A Stochastic Approximation Method, 1951) with steps in
// proportion to the margin: up by 19 parts for a larger latency, down by one part for
// others. Latencies above the largest margin are ignored: they mean that no processor
// was free.
type wake struct {
	margin atomic.Int64 // ns, leastMargin to mostMargin
}

const leastMargin = int64(5 * time.Microsecond)

func (w *wake) reset() { w.margin.Store(firstMargin) }

// learn updates the margin after a wake-up that was late ns nanoseconds late.
// Concurrent updates may be lost; later ones compensate.
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
