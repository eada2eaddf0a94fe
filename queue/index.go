package queue

import "math"

// Positions count elements: position p lies in slot p modulo the capacity. They are
// compared by their difference, which stays right when uint64 overflows.

// before reports whether position a comes before b.
func before(a, b uint64) bool { return int64(a-b) < 0 }

// later returns the later of two positions.
func later(a, b uint64) uint64 {
	if before(a, b) {
		return b
	}
	return a
}

// publishInterval returns after how many elements a single consumer publishes to the
// producers that their room is free, in a ring of the given capacity. Publishing costs
// a locked instruction, ten times more while another core polls the index. Intervals
// above 64 gain little, and TryEnqueue misses up to the interval of free slots.
func publishInterval(capacity uint64) uint64 { return max(1, min(capacity/8, 64)) }

// distance returns how many positions tail is ahead of head, from 0 to limit,
// while both move. It tries four times to read both at one moment; if they move
// too fast, the result is an approximation within the limits.
func distance(head, tail func() uint64, limit uint64) int {
	h := head()
	for range 4 {
		t := tail()
		again := head()
		if again == h {
			return clampLen(t-h, limit)
		}
		h = again
	}
	return clampLen(tail()-h, limit)
}

func clampLen(n, limit uint64) int {
	return int(min(n, limit, math.MaxInt))
}
