package pace

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// Config says when operations are due. Exactly one of Rate (with or without To and
// Over), Steps and Times is set; there is no default rate.
type Config struct {
	// Rate in operations per second, 1e-9 to 1e9. It is taken as the shortest
	// decimal number that reads back as this float64: 0.1 means a tenth.
	Rate float64

	// To and Over make a ramp: the rate changes linearly from Rate to To over this
	// time, and stays at To afterwards. Either end may be 0, not both.
	To   float64
	Over time.Duration

	// Steps are consecutive rates.
	Steps []Step

	// Times are the due times themselves, for replay: from the start of the
	// schedule, ascending, equal ones allowed. The schedule keeps the slice.
	Times []time.Duration

	// Poisson makes arrivals independent of each other, like those of many users, at
	// the same mean rate. The default is even spacing.
	Poisson bool

	// Seed is the seed of Poisson arrivals; equal seeds give equal schedules.
	Seed uint64

	// Ops and For end the schedule: after this number of operations, or with the last
	// operation due before this time, whichever is first. 0 means no limit.
	Ops uint64
	For time.Duration

	// Mine are the operations that are handed out; nil means all. The due times of an operation
	// and its number do not depend on it, and Ops counts the operations of all owners.
	Mine Part
}

// A Part is a [Share], or nil for all operations. It is an interface so that a program without
// shares does not contain them.
type Part interface {
	// Begin claims the part for one user. A second call returns an error.
	Begin() error

	// Count returns how many of the operations below k belong to the part.
	Count(k uint64) uint64

	// Next returns the first operation of the part from k on, or math.MaxUint64 if there is none.
	Next(k uint64) uint64

	// Claim takes the next n operations below ops, or the rest of them, for a closed loop: those
	// of the part from k, which is one, up to end. At the end k equals end. An ops of 0 means no
	// bound.
	Claim(n, ops uint64) (k, end uint64)

	// Claimed returns how many operations Claim took.
	Claimed() uint64

	// Weight returns which part of all operations around k belongs to it, from 0 to 1.
	Weight(k uint64) float64

	// MeanWeight is the mean of Weight over the operations up to the n-th of the part.
	MeanWeight(n uint64) float64

	// Reassign and Decided are those of Share.
	Reassign(from uint64, owners []int) error
	Decided() uint64

	follow(s *Schedule)
	seek(c *cursor, before int64) (ns int64, ok bool)
}

// Step is a rate for a time. A rate of 0 is a pause. For is above 0; in the last step
// 0 means without end. With Ramp the rate changes linearly to To over that time, and either
// end may be 0, not both.
type Step struct {
	Rate float64
	For  time.Duration
	To   float64
	Ramp bool
}

// Limits of a rate. Above, due times in whole nanoseconds would coincide;
// below, the second operation comes after decades.
const (
	minRate = 1e-9
	maxRate = 1e9
)

// Validate returns an error that lists all contradictions, one line each.
func (c Config) Validate() error {
	var errs []error
	add := func(err error) { errs = append(errs, err) }

	ramp := c.To != 0 || c.Over != 0
	switch {
	case len(c.Times) > 0:
		if c.Rate != 0 || ramp || len(c.Steps) > 0 || c.Poisson {
			add(errors.New("a replay has its own due times: it takes no rate, ramp, steps or Poisson arrivals"))
		}
		add(checkTimes(c.Times))
	case len(c.Steps) > 0:
		if c.Rate != 0 || ramp {
			add(errors.New("steps have their own rates: they take no other rate or ramp"))
		}
		for i, s := range c.Steps {
			add(s.check(i+1, i == len(c.Steps)-1))
		}
		add(anyRate(c.Steps))
	case ramp:
		add(checkRampEnd("from", c.Rate))
		add(checkRampEnd("to", c.To))
		if c.Rate == 0 && c.To == 0 {
			add(errors.New("ramp from 0/s to 0/s: no operation would ever be due"))
		}
		if c.Over <= 0 {
			add(fmt.Errorf("ramp over %v: the time must be above 0", c.Over))
		}
	default:
		add(checkRate("rate", c.Rate))
	}
	if c.For < 0 {
		add(fmt.Errorf("duration %v: must not be negative (0 means no bound)", c.For))
	}
	return errors.Join(errs...)
}

func checkRate(what string, r float64) error {
	switch {
	case math.IsNaN(r):
		return fmt.Errorf("%s %s: not a number", what, perSecond(r))
	case r <= 0:
		return fmt.Errorf("%s %s: must be above 0", what, perSecond(r))
	case r > maxRate:
		return fmt.Errorf("%s %s: above 1e9/s, which is one operation per nanosecond", what, perSecond(r))
	case r < minRate:
		return fmt.Errorf("%s %s: below 1e-9/s, which is one operation in 30 years", what, perSecond(r))
	}
	return nil
}

// checkRampEnd is checkRate, but allows a ramp to begin or end at 0.
func checkRampEnd(side string, r float64) error {
	if r == 0 {
		return nil
	}
	return checkRate("ramp "+side, r)
}

func (s Step) check(number int, last bool) error {
	var errs []error
	if s.Rate != 0 {
		errs = append(errs, checkRate(fmt.Sprintf("step %d: rate", number), s.Rate))
	}
	if s.To != 0 && s.Ramp {
		errs = append(errs, checkRate(fmt.Sprintf("step %d: ramp to", number), s.To))
	}
	switch {
	case !s.Ramp && s.To != 0:
		errs = append(errs, fmt.Errorf("step %d: a rate to which it changes is for ramps only", number))
	case s.Ramp && s.Rate == 0 && s.To == 0:
		errs = append(errs, fmt.Errorf("step %d: ramp from 0/s to 0/s: want a rate of 0 without a ramp", number))
	case s.Ramp && s.For == 0:
		errs = append(errs, fmt.Errorf("step %d: a ramp has no duration", number))
	case s.For < 0:
		errs = append(errs, fmt.Errorf("step %d: duration %v: must not be negative", number, s.For))
	case s.For == 0 && !last:
		errs = append(errs, fmt.Errorf("step %d: has no duration; only the last step may go without", number))
	}
	return errors.Join(errs...)
}

func anyRate(steps []Step) error {
	for _, s := range steps {
		if s.Rate != 0 || s.To != 0 {
			return nil
		}
	}
	return errors.New("steps: all rates are 0, no operation would ever be due")
}

func checkTimes(times []time.Duration) error {
	last := time.Duration(0)
	for i, t := range times {
		if t < last {
			if t < 0 {
				return fmt.Errorf("due time %d: %v: must not be negative", i+1, t)
			}
			return fmt.Errorf("due time %d: %v comes after %v: they must ascend", i+1, t, last)
		}
		last = t
	}
	return nil
}

// String describes the schedule in one line, for headers and messages:
// "constant 5000/s, Poisson arrivals of seed 7, at most 30s".
func (c Config) String() string {
	var b strings.Builder
	switch {
	case len(c.Times) > 0:
		fmt.Fprintf(&b, "replay of %d due times", len(c.Times))
	case len(c.Steps) > 0:
		b.WriteString("steps")
		for i, s := range c.Steps {
			if i > 0 {
				b.WriteString(", then")
			}
			if s.Ramp {
				fmt.Fprintf(&b, " from %s to %s over %v", perSecond(s.Rate), perSecond(s.To), s.For)
				continue
			}
			b.WriteString(" " + perSecond(s.Rate))
			if s.For > 0 {
				fmt.Fprintf(&b, " for %v", s.For)
			}
		}
	case c.To != 0 || c.Over != 0:
		b.WriteString("ramp")
		fmt.Fprintf(&b, " from %s to %s over %v", perSecond(c.Rate), perSecond(c.To), c.Over)
	default:
		b.WriteString("constant")
		b.WriteString(" " + perSecond(c.Rate))
	}
	if c.Poisson {
		fmt.Fprintf(&b, ", Poisson arrivals of seed %d", c.Seed)
	}
	if c.Ops > 0 {
		fmt.Fprintf(&b, ", at most %d operations", c.Ops)
	}
	if c.For > 0 {
		fmt.Fprintf(&b, ", at most %v", c.For)
	}
	return b.String()
}

// perSecond formats a rate, without an exponent unless it is very large or small.
func perSecond(r float64) string {
	format := byte('f')
	if a := math.Abs(r); a != 0 && (a < 1e-6 || a >= 1e15) {
		format = 'g'
	}
	return strconv.FormatFloat(r, format, -1, 64) + "/s"
}
