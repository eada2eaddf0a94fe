package runtime

import (
	"internal/runtime/atomic"
	"unsafe"
)

// Calibration takes 2 to 3 ms. Costs are medians of rounds: other work of the machine disturbs some of
// them, and the minimum would be too low for most calls.
const (
	tareRounds = 41
	tareDepth  = 13  // of a tree of calls
	tareLoop   = 753 // its calls, and those of a round without a tree

	// A call is near if it takes no more than this part of a probe's inside. Counters advance in steps, of
	// 26 ticks on some machines, so that an empty call sometimes takes a step too many.
	tareNearly = 1.5
)

// tareCosts are the times of rounds.
type tareCosts [tareRounds]uint64

// median returns the ticks per call of the median round.
func (c *tareCosts) median() float64 {
	for i := range c {
		for j := i; j > 0 && c[j] < c[j-1]; j-- {
			c[j], c[j-1] = c[j-1], c[j]
		}
	}
	return float64(c[tareRounds/2]) / tareLoop
}

// tareCalibrate measures what a probe adds to a call, on this machine and at this
// moment, with functions that are written as those with probes. Its calls are discarded.
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
	memclrNoHeapPointers(unsafe.Pointer(tareBase+uintptr(h.over)), uintptr(h.funcs)*8)
	if h.every > 1 {
		tareEvery = h.every
	}
	if h.steps > 0 {
		tareMode |= tareOpen
	}
	if h.closed != 0 {
		tareMode |= tareClosed
	}
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
	var empty, outside, inside, exact, looseIn, loose, light, flat tareCosts
	tareNear, tareRecheck, tareLoosely = 0, ^uint64(0), tareUnit-1
	tareProbed()
	c := s.root.kids
	if c == nil {
		return
	}
	for i := range tareRounds {
		empty[i] = tareTreeSpan(tarePlainTree)
		outside[i] = tareTreeSpan(tareProbedTree)
		flat[i] = tareSpan(tareEmpty)
		c.sum, c.due = 0, 0
		exact[i] = tareSpan(tareProbed)
		inside[i] = c.sum
		tareNear, c.near = ^uint64(0), tareTrust
		tareProbed()
		c.sum = 0
		loose[i] = tareSpan(tareProbed)
		looseIn[i] = c.sum
		tareNear = 0
		tareProbed()
		c.due = ^uint64(0) // never reached: no call is timed
		light[i] = tareSpan(tareProbed)
	}
	base, plain := empty.median(), flat.median()
	whole, part := max(outside.median()-base, 0), max(light.median()-plain, 0)
	h.empty, h.outside, h.inside, h.light = tareBits(base), tareBits(whole), tareBits(inside.median()), tareBits(part)
	h.looseIn = tareBits(looseIn.median())
	loosely := max(whole-max(exact.median()-loose.median(), 0), 0)
	h.loose = tareBits(loosely)
	tareLight, tareLoosely = tareWeight(part, whole), tareWeight(loosely, whole)
	tareLoosely = min(tareLoosely, tareUnit-1) // less than tareUnit marks a call as near
	tareNear, tareRecheck = uint64(inside.median()*tareNearly), 64*tareTrust
	if whole > 0 {
		tarePerTick = tareUnit / whole
	}
	h.step = tareStepOf()
	if h.clock == tareClockKernel || float64(h.step) > inside.median() {
		tareNear = 0 // reading the clock waits anyway, or its step is too long for a call
	}
}

// tareStepOf returns the resolution of a clock: the greatest common divisor of differences between readings.
func tareStepOf() (step uint64) {
	last := tareNow()
	for range 1000 {
		now := tareNow()
		for a, b := step, now-last; ; a, b = b, a%b {
			if b == 0 {
				step = a
				break
			}
		}
		last = now
	}
	return max(step, 1)
}

// tareWeight returns a cost in units of tareUnit per timed probe.
func tareWeight(part, whole float64) uint64 {
	if part <= 0 || whole <= 0 {
		return 0
	}
	return uint64(part/whole*tareUnit + 0.5)
}

// tareSpan returns the ticks of tareLoop calls.
func tareSpan(f func()) uint64 {
	begin := tareNow()
	for range tareLoop {
		f()
	}
	return tareNow() - begin
}

// tareTreeSpan returns the ticks of tareLoop calls of a tree: like the calls in a caller's time, they have calls in them,
// arguments and results. (Results of functions with a defer statement are in memory.)
func tareTreeSpan(f func(depth int) int) uint64 {
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
func tareCounted() { TareCount(0, tareCountSlow) }

//go:noinline
func tarePlainTree(depth int) int {
	if depth < 2 {
		return depth
	}
	return tarePlainTree(depth-1) + tarePlainTree(depth-2)
}

//go:noinline
func tareProbedTree(depth int) int {
	defer TareExit(TareBegin(TareEnter(1)))
	if depth < 2 {
		return depth
	}
	return tareProbedTree(depth-1) + tareProbedTree(depth-2)
}
