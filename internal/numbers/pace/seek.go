package pace

import "math"

// seek moves a cursor to its next operation that is the share's. It passes over operations of
// others only if they are due before the time: a reader that follows the time decides nothing
// about the future.
func (s *Share) seek(c *cursor, before int64) (ns int64, ok bool) {
	mine, more := s.find(c.next)
	if !more {
		if before == math.MaxInt64 { // nothing is left, for now and for ever
			c.ended, c.next = true, math.MaxUint64
		}
		return 0, false
	}
	for {
		if mine > c.next && c.jumps() {
			c.jump(mine-c.next, before)
		}
		if ns, ok = c.peek(); !ok || ns >= before {
			return ns, false
		}
		if c.next == mine {
			return ns, true
		}
		c.take(ns)
	}
}

// jumps reports whether due times of the current part are computed from numbers and ascend.
// Those of Poisson arrivals follow from each other, those of ramps may be rounded out of order.
func (c *cursor) jumps() bool {
	if c.parts == nil {
		return true
	}
	return c.gaps == nil && len(c.parts) > 0 && c.parts[0].ramp == nil && !c.parts[0].pause
}

// jump passes over up to n operations at once, as long as they are due before a time and
// belong to the current part.
func (c *cursor) jump(n uint64, before int64) {
	if c.end > 0 {
		before = min(before, c.end)
	}
	if c.ops > 0 {
		n = min(n, c.ops-min(c.next, c.ops))
	}
	for ; n > 0; n /= 2 { // the part, or the time, may end in between
		if ns, ok := c.ahead(n); ok && ns < before {
			c.next += n
			c.whole += n
			return
		}
	}
}

// ahead returns when the n-th operation after the next one is due, and whether it belongs to the
// current part.
func (c *cursor) ahead(n uint64) (ns int64, ok bool) {
	if c.parts == nil {
		if k := c.next + n; k < uint64(len(c.times)) {
			return int64(c.times[k]), true
		}
		return 0, false
	}
	p := &c.parts[0]
	ns, ok = p.due(c.whole+n, 0)
	return p.begin + ns, ok
}
