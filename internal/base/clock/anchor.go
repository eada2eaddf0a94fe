package clock

import (
	"math"
	"time"
)

// brackets is how often the anchor compares the two clocks. More than about 30
// improve the bounds very little.
const brackets = 40

// An anchor is the difference between the kernel's clock and the runtime's time since
// start.
type anchor struct {
	start time.Time // carries a monotonic reading
	base  int64     // the kernel's clock at start, ns
	err   float64   // base is known to ± err, ns
	ok    bool      // false: there is no shared clock, base is 0
}

// measureAnchor determines the anchor from n brackets around the runtime's clock.
func measureAnchor(kernel func() (int64, bool), n int) anchor {
	a := anchor{start: time.Now()}
	var b bounds
	b.reset()
	for range n {
		before, ok := kernel()
		if !ok {
			return a
		}
		e := int64(time.Since(a.start))
		after, ok := kernel()
		if !ok {
			return a
		}
		b.add(before, e, after)
	}
	a.base, a.err = b.middle()
	a.ok = true
	return a
}

// bounds narrows down an unknown constant c. Every bracket gives
//
//	before ≤ c + elapsed ≤ after
//
// and since c is the same in all of them, it lies in the intersection of the
// intervals, which is never wider than the tightest bracket.
type bounds struct {
	lo, hi         int64 // intersection of all brackets
	bestLo, bestHi int64 // the tightest single bracket
}

func (b *bounds) reset() {
	b.lo, b.hi = math.MinInt64, math.MaxInt64
	b.bestLo, b.bestHi = math.MinInt64/4, math.MaxInt64/4
}

func (b *bounds) add(before, elapsed, after int64) {
	lo, hi := before-elapsed, after-elapsed
	b.lo, b.hi = max(b.lo, lo), min(b.hi, hi)
	if hi-lo < b.bestHi-b.bestLo {
		b.bestLo, b.bestHi = lo, hi
	}
}

// middle returns the centre of the bounds and their half-width. Rounding to whole
// nanoseconds may make the intersection empty; then the tightest bracket is used.
func (b *bounds) middle() (centre int64, half float64) {
	lo, hi := b.lo, b.hi
	if hi < lo {
		lo, hi = b.bestLo, b.bestHi
	}
	return lo + (hi-lo)/2, max(float64(hi-lo)/2, 1)
}
