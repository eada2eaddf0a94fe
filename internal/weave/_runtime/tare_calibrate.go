package runtime

import (
	"internal/runtime/atomic"
	"unsafe"
)

// Calibration takes 2 to 3 ms. Costs are medians of rounds: some are disturbed by
// whatever else the machine does, and the least would be a machine's best moment.
const (
	tareRounds = 41
	tareDepth  = 9 // of a tree of calls, each but the last making two
	tareLoop   = 1<<tareDepth - 1
)

// tareCosts are what rounds took.
type tareCosts [tareRounds]uint64

// median is ticks for each call of a round.
func (c *tareCosts) median() float64 {
	for i := range c {
		for j := i; j > 0 && c[j] < c[j-1]; j-- {
			c[j], c[j-1] = c[j-1], c[j]
		}
	}
	return float64(c[tareRounds/2]) / tareLoop
}

// tareCalibrate measures what a probe adds to a call, on this machine and at this
// moment, with functions that are written as woven ones. Its calls are forgotten.
func tareCalibrate(h *tareHeader) {
	gp := getg()
	used := h.used
	h.ticks0, h.nanos0 = tarePair()
	if s := tareJoin(gp); s != nil {
		if h.counts != 0 {
			tareCalibrateCount(h)
		} else {
			tareCalibrateTimes(h, s)
		}
	}
	h.ticks1, h.nanos1 = tarePair()
	gp.tare = nil
	atomic.Store64(&h.states, 0)
	memclrNoHeapPointers(unsafe.Pointer(tareBase+uintptr(used)), uintptr(h.used-used))
	h.used, h.lost, h.system = used, 0, 0
	if h.every > 1 {
		tareEvery = h.every
	}
	tareOpen = h.steps > 0
}

func tareCalibrateCount(h *tareHeader) {
	var empty, light tareCosts
	for i := range tareRounds {
		empty[i], light[i] = tareSpan(tareEmpty), tareSpan(tareCounted)
	}
	h.empty = tareBits(empty.median())
	h.light = tareBits(max(light.median()-empty.median(), 0))
}

func tareCalibrateTimes(h *tareHeader, s *tareState) {
	var empty, outside, inside, light, flat tareCosts
	tareProbed()
	c := s.root.kids
	if c == nil {
		return
	}
	for i := range tareRounds {
		empty[i] = tareTreeSpan(tarePlainTree)
		c.sum, c.due = 0, 0
		tareSpan(tareProbed)
		inside[i] = c.sum
		outside[i] = tareTreeSpan(tareProbedTree)
		c.due = ^uint64(0) // that call is never reached: none is timed
		light[i] = tareSpan(tareProbed)
		flat[i] = tareSpan(tareEmpty)
	}
	base := empty.median()
	whole, part := max(outside.median()-base, 0), max(light.median()-flat.median(), 0)
	h.empty, h.outside, h.inside, h.light = tareBits(base), tareBits(whole), tareBits(inside.median()), tareBits(part)
	if whole > 0 {
		tareLight = uint64(part/whole*tareUnit + 0.5)
	}
	h.weight = tareLight
}

// tareSpan is how long tareLoop calls take.
func tareSpan(f func()) uint64 {
	begin := tareNow()
	for range tareLoop {
		f()
	}
	return tareNow() - begin
}

// tareTreeSpan is how long tareLoop calls of a tree take: what a caller's time is
// corrected for are calls that have calls in them.
func tareTreeSpan(f func(depth int)) uint64 {
	begin := tareNow()
	f(tareDepth)
	return tareNow() - begin
}

func tareBits(f float64) uint64 { return *(*uint64)(unsafe.Pointer(&f)) }

//go:noinline
func tareEmpty() {}

//go:noinline
func tareProbed() { defer TareExit(TareBegin(TareEnter(0))) }

//go:noinline
func tareCounted() { TareCount(0) }

//go:noinline
func tarePlainTree(depth int) {
	if depth > 1 {
		tarePlainTree(depth - 1)
		tarePlainTree(depth - 1)
	}
}

//go:noinline
func tareProbedTree(depth int) {
	defer TareExit(TareBegin(TareEnter(1)))
	if depth > 1 {
		tareProbedTree(depth - 1)
		tareProbedTree(depth - 1)
	}
}
