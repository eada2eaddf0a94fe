package pace

import (
	"sync/atomic"
	"time"
)

// wake adapts the margin by which sleeping ends before the due time to the wake-up
// latency of this machine: a few µs on bare metal, 20 to 120 µs if a virtual processor
// must be started first. Spinning fills the margin. A small margin makes operations
// late; a large one wastes a core, and makes the spins of several workers overlap.
//
// There are two margins. The wide one covers 99 % of the wake-ups that are at most mostWide late. It is used while the group has
// spent less than a sixteenth of its time spinning. After that the narrow one is used, which covers 95 % of the wake-ups that are at most
// mostNarrow late.
type wake struct {
	wide   margin
	narrow margin
	spun   atomic.Int64 // ns, since began
	began  int64
}

// littleSpinning: the wide margin is used while the time spent spinning is less than that since the group began, divided by this.
const littleSpinning = 16

func (w *wake) reset(now int64) {
	w.wide.ns.Store(mostNarrow) // rather punctual at once
	w.narrow.ns.Store(firstMargin)
	w.spun.Store(0)
	w.began = now
}

// margin returns how long before a due time sleeping ends, in ns.
func (w *wake) margin(now int64) int64 {
	if w.spun.Load() < (now-w.began)/littleSpinning {
		return w.wide.ns.Load()
	}
	return w.narrow.ns.Load()
}

// target returns the time until which a worker sleeps before a due time. idle says that no other operation of the group is due
// shortly before. Then a long sleep is divided into two, and first is true for the first one.
func (w *wake) target(now, due int64, idle bool) (at int64, first bool) {
	at = due - w.margin(now)
	switch {
	case at <= now:
		return due, false
	case idle && at-now > 2*lead:
		return at - lead, true
	}
	return at, false
}

// learn updates the margins after a wake-up that was late ns nanoseconds late. Latencies above a margin's limit are
// ignored, because most of them mean that no processor was free.
func (w *wake) learn(late int64) {
	if late <= mostWide {
		w.wide.learn(late, 99, 1000, mostWide)
	}
	if late <= mostNarrow {
		w.narrow.learn(late, 19, 200, mostNarrow)
	}
}

// A margin follows a percentile of the wake-up latencies, by the Robbins-Monro rule (A Stochastic Approximation Method,
// 1951) with steps in proportion to the margin. Concurrent updates may be lost; later ones compensate.
type margin struct {
	ns atomic.Int64 // leastMargin to mostWide, or mostNarrow
}

const leastMargin = int64(5 * time.Microsecond)

// learn moves the margin up by a number of parts for a larger latency, and down by one part for others: 19 parts lead to
// the 95th percentile, 99 to the 99th. A part is the margin divided by all: with a larger all the margin changes more slowly, and
// stays closer to the percentile.
func (m *margin) learn(late, parts, all, most int64) {
	ns := m.ns.Load()
	part := ns / all
	if late > ns {
		ns += parts * part
	} else {
		ns -= part
	}
	m.ns.Store(min(max(ns, leastMargin), most))
}
