package pace

import (
	"fmt"
	"math"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/tarebench/tare/internal/base/cacheline"
)

// A Schedule hands out the due times of operations in ascending order, relative to a
// start that only its user knows. An operation is due whether or not a worker is
// free. All methods are safe for concurrent use and allocate nothing.
type Schedule struct {
	_  cacheline.Line
	mu sync.Mutex
	cursor
	_ cacheline.Line
}

// cursor is a position in a schedule.
type cursor struct {
	next  uint64 // number of the next operation; those below it were handed out, or belong to others
	mine  Part   // nil: all operations
	ended bool
	last  int64 // due time of the one before next, ns, or of an earlier one of its part

	times []time.Duration // replay
	parts []part          // otherwise; the first one is current
	whole uint64          // place in the current part, in periods …
	frac  float64         // … and what comes to it, below 1
	gaps  *rand.Rand      // Poisson arrivals; nil: even spacing

	ops uint64 // bounds, 0 if there is none
	end int64
}

// New returns a schedule at its beginning.
func New(c Config) (*Schedule, error) {
	if err := c.Validate(); err != nil {
		return nil, fmt.Errorf("pace: %w", err)
	}
	s := &Schedule{cursor: cursor{mine: c.Mine, times: c.Times, ops: c.Ops, end: int64(c.For)}}
	if len(c.Times) == 0 {
		s.parts = parts(c)
	}
	if c.Poisson {
		s.gaps = rand.New(rand.NewPCG(c.Seed, poissonStream))
		s.gap()
	}
	if s.mine != nil {
		s.mine.follow(s)
	}
	return s, nil
}

// poissonStream separates the generator of gaps from others with the same seed.
const poissonStream = 0x70616365_67617073

// Claim takes the next operation and returns its number and its due time. Numbers begin at 0
// and have no gaps, but for operations that do not belong to Config.Mine. ok is false at the
// end of the schedule. Each call takes a different operation, and earlier calls take earlier
// ones.
func (s *Schedule) Claim() (k uint64, due time.Duration, ok bool) {
	s.mu.Lock()
	ns, ok := s.seek(math.MaxInt64)
	if ok {
		k = s.next
		s.take(ns)
	}
	s.mu.Unlock()
	return k, time.Duration(ns), ok
}

// Next is Claim without the number.
func (s *Schedule) Next() (due time.Duration, ok bool) {
	_, due, ok = s.Claim()
	return due, ok
}

// Skip claims all operations due before a time at once. It returns their number and
// when the first of them was due (0 if there are none).
func (s *Schedule) Skip(before time.Duration) (n uint64, first time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for {
		ns, ok := s.seek(int64(before))
		if !ok {
			return n, first
		}
		if n == 0 {
			first = time.Duration(ns)
		}
		n++
		s.take(ns)
	}
}

// Claimed returns how many operations were claimed, including skipped ones.
func (s *Schedule) Claimed() uint64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.mine != nil {
		return s.mine.Count(s.next)
	}
	return s.next
}

// seek moves to the next operation of the share and returns its due time. ok is false if
// there is none due before a time.
func (c *cursor) seek(before int64) (ns int64, ok bool) {
	if c.mine != nil {
		return c.mine.seek(c, before)
	}
	ns, ok = c.peek()
	return ns, ok && ns < before
}

// peek returns the next due time without advancing.
func (c *cursor) peek() (ns int64, ok bool) {
	if c.ended {
		return 0, false
	}
	if ns, ok = c.due(); !ok || (c.ops > 0 && c.next >= c.ops) || (c.end > 0 && ns >= c.end) {
		c.ended = true
		return 0, false
	}
	return max(ns, c.last), true // rounding must not change the order
}

// take advances past the operation that peek returned.
func (c *cursor) take(ns int64) {
	c.next++
	c.last = ns
	if c.gaps != nil {
		c.gap()
	} else {
		c.whole++
	}
}

func (c *cursor) due() (ns int64, ok bool) {
	if c.parts == nil {
		if c.next >= uint64(len(c.times)) {
			return 0, false
		}
		return int64(c.times[c.next]), true
	}
	for len(c.parts) > 0 {
		p := &c.parts[0]
		if ns, ok := p.due(c.whole, c.frac); ok {
			return p.begin + ns, true
		}
		c.parts = c.parts[1:]
		c.whole, c.frac = 0, 0
		if c.gaps != nil {
			// The process has no memory: the rest of a gap beyond the part is
			// drawn again in the next part, at its rate.
			c.gap()
		}
	}
	return 0, false
}

// gap advances the position by an exponential gap of mean 1. Even spacing and Poisson
// arrivals have the same mean rate, so the gap is in periods, which the part converts
// to time; for a ramp this is the inversion of the cumulated rate (Çinlar,
// Introduction to Stochastic Processes, 1975; Law, Simulation Modeling and Analysis,
// "Nonstationary Poisson Processes"). Whole periods are counted separately from the
// fraction, so that long schedules lose no precision.
func (c *cursor) gap() {
	c.frac += c.gaps.ExpFloat64()
	whole := uint64(c.frac)
	c.whole += whole
	c.frac -= float64(whole)
}
