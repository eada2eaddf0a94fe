package clock

import (
	"sync"
	"sync/atomic"
)

// Cycles is a clock for stamps that are taken so often that [Now] would weigh
// too much: 18 ns a reading instead of 28. It reads the processor's time-stamp
// counter where the kernel itself keeps time by it, and Now elsewhere; Source
// says which. Either way readings are nanoseconds of the clock that Now reads,
// and join with its stamps.
//
// The counter is laid against Now each second, by whoever reads then (1 to 2 µs).
// In between a reading is off by what the two drift apart, usually below 100 ns.
// An error found is not corrected by a jump but made good during the next
// second, so that time neither goes back nor skips; above a microsecond it was
// no drift (the machine slept or moved, or the time was adjusted), and the clock
// does jump, which Jumps counts.
//
// The zero value reads Now. All methods are safe for concurrent use and allocate
// nothing. In a testing/synctest bubble the counter goes on in real time.
type Cycles struct {
	_      [128]byte // who writes something near by would slow all readings down
	counts bool      // the counter is read, not Now

	// The line in force. Readers check seq before and after: if it is odd or has
	// changed, what they read belongs to no line.
	seq   atomic.Uint64
	ticks atomic.Uint64
	ns    atomic.Int64
	rate  atomic.Uint64
	span  atomic.Uint64
	_     [128]byte

	clamped atomic.Uint64
	jumps   atomic.Uint64
	mu      sync.Mutex // of the one who lays the next line
	track   track
}

// NewCycles returns a clock that reads the cycle counter or, with the reason
// why not, one that reads Now. It takes 2 ms to find the counter's rate.
func NewCycles() (c *Cycles, why string) {
	c = new(Cycles)
	if why := noCounter(); why != "" {
		return c, why
	}
	first, ok := c.track.start(pair)
	if !ok {
		return c, "the monotonic clock or the tsc stands still"
	}
	c.publish(first)
	c.counts = true
	return c, ""
}

// Source returns "tsc" if the clock reads the cycle counter and "monotonic" if
// it reads Now.
func (c *Cycles) Source() string {
	if c.counts {
		return "tsc"
	}
	return "monotonic"
}

// Now returns the time of the machine's shared monotonic clock in nanoseconds.
func (c *Cycles) Now() int64 {
	if !c.counts {
		return Now()
	}
	return c.read(readTSC())
}

// Begin returns the time, too, for the beginning of what is timed: it may be early
// by some 10 ns, as it does not wait until everything before it is done, and costs
// half as much. What was timed is at most too long by that, never too short. Unlike
// Now it must not be held against the stamps of others.
func (c *Cycles) Begin() int64 {
	if !c.counts {
		return Now()
	}
	return c.read(readTSCSoon())
}

// read returns the time at which the counter had a value.
func (c *Cycles) read(t uint64) int64 {
	seq := c.seq.Load()
	l := line{c.ticks.Load(), c.ns.Load(), c.rate.Load(), c.span.Load()}
	if seq&1 != 0 || seq != c.seq.Load() {
		return Now() // a line is being laid: rather a slower reading than to wait
	}
	if t-l.ticks > l.span { // also if t is before the line
		return c.renew(t, l)
	}
	return l.ns + scale(t-l.ticks, l.rate)
}

// renew lays a new line if the old one is over.
func (c *Cycles) renew(t uint64, old line) int64 {
	if before := old.ticks - t; before < old.span {
		return old.at(t) // laid after t was read
	}
	if !c.mu.TryLock() { // somebody is at it
		if t-old.ticks < 2*old.span {
			return old.at(t) // the new line goes on where this one is
		}
		return Now() // nobody has read for long, or the counter was set back
	}
	defer c.mu.Unlock()
	l := line{c.ticks.Load(), c.ns.Load(), c.rate.Load(), c.span.Load()}
	if l != old {
		return l.at(t)
	}
	l, ns, jumped := c.track.renew(pair, old, t)
	c.publish(l)
	if jumped {
		c.jumps.Add(1)
	}
	return ns
}

func (c *Cycles) publish(l line) {
	c.seq.Add(1)
	c.ticks.Store(l.ticks)
	c.ns.Store(l.ns)
	c.rate.Store(l.rate)
	c.span.Store(l.span)
	c.seq.Add(1)
}

// Since returns the time since a reading of Now, in nanoseconds. Two readings
// of different processors may contradict each other by a few; a negative time
// is returned as 0, and Clamped counts it.
func (c *Cycles) Since(start int64) (ns int64) {
	if ns = c.Now() - start; ns < 0 {
		c.clamped.Add(1)
		return 0
	}
	return ns
}

// Clamped returns how many negative times Since has made 0.
func (c *Cycles) Clamped() uint64 { return c.clamped.Load() }

// Jumps returns how often the clock was found more than a microsecond off while
// it was in use, and was set right.
func (c *Cycles) Jumps() uint64 { return c.jumps.Load() }

// pair reads both clocks at one moment, as nearly as a few tries can: of the
// pairs, the one is taken in which Now took the shortest.
func pair() (ticks uint64, ns int64) {
	shortest := ^uint64(0)
	for range 16 {
		before := readTSC()
		now := Now()
		if d := readTSC() - before; d < shortest {
			shortest, ticks, ns = d, before+d/2, now
		}
	}
	return ticks, ns
}
