package queue

import (
	"math"
	"sync/atomic"
)

// Positions count elements and never return to 0: position p lies in slot
// p modulo the capacity. They are compared by their difference, which stays right
// when uint64 overflows.

// before reports whether position a comes before b.
func before(a, b uint64) bool { return int64(a-b) < 0 }

// lazyFor is how many elements a single consumer takes at most before it tells
// the producers, in a ring of the given capacity. Telling costs a locked
// instruction, and another core that polls for it slows it down tenfold. Little is
// gained beyond 64, and what has not been told is missing from Len.
func lazyFor(capacity uint64) uint64 { return max(1, min(capacity/8, 64)) }

// distance returns how many positions tail is ahead of head, from 0 to limit,
// while both move. It tries a few times to read both at one moment; if they move
// too fast, the answer was true of some moment only within the limit.
func distance(head, tail *atomic.Uint64, limit uint64) int {
	h := head.Load()
	for range 4 {
		t := tail.Load()
		again := head.Load()
		if again == h {
			return clampLen(t-h, limit)
		}
		h = again
	}
	return clampLen(tail.Load()-h, limit)
}

func clampLen(n, limit uint64) int {
	return int(min(n, limit, math.MaxInt))
}
