package calls

import (
	"math"

	"github.com/tarebench/tare/record"
)

// sharing holds where other processes had a good part of the processors: a probe may then
// take half as much again as where the program started, or less.
const sharing = 0.5

// known returns how well a sum of times is known, in ns, whose standard error is given.
func known(t *record.Trace, e float64) float64 { return max(step(t), e) }

// step returns the digit that the clock's step allows, in ns: 10 for one of 42.
func step(t *record.Trace) float64 {
	if !(t.Tick > 0) {
		return 0
	}
	return decade(t.Tick)
}

// knownMean returns how well the mean of a function's calls is known: where the clock stands
// when they begin is left to chance.
func knownMean(t *record.Trace, f *record.TraceFunc) float64 {
	return step(t) / max(1, math.Sqrt(float64(f.Timed)))
}

// shared reports whether other processes had a good part of the processors.
func (c *Calls) shared() bool { return c.timed() && c.t.Others >= record.SharedTrace }

// beyond reports whether the functions take longer, without probes, than the operations do in forks without probes.
func (c *Calls) beyond() bool { return c.timed() && c.t.Beyond() >= record.BeyondTrace }

// unchecked returns why times are not checked against operations without probes, "" if they are or there are none.
func (c *Calls) unchecked() string {
	if !c.timed() || len(c.order) == 0 {
		return ""
	}
	return c.t.NotBeyond()
}

// waitingForCPU reports whether the program waited for processors that others had.
func (c *Calls) waitingForCPU() bool { return c.timed() && c.t.Waited >= record.WaitedTrace }

// tooLong reports whether times without probes are upper bounds.
func (c *Calls) tooLong() bool { return c.shared() || c.waitingForCPU() || c.beyond() }

// looseness returns how well what is left of a function's time is known for its loose calls: of
// each, to half of what a probe of such a call takes less than one of others, and of all to
// one digit.
func looseness(t *record.Trace, f *record.TraceFunc, left float64) float64 {
	if !(left > 0) {
		return 0
	}
	return min(float64(f.Loose)*math.Abs(t.Probe.Outside-t.Probe.Loose)/2, decade(left))
}

// deviation returns the standard deviation of a call's time.
func deviation(f *record.TraceFunc) float64 {
	if f.Timed < 2 {
		return 0
	}
	return math.Sqrt(f.Squares / float64(f.Timed-1))
}

// total, self and corrected are a function's times as they are shown; nothing if none of
// its calls has a time.
func (c *Calls) total(f *record.TraceFunc) figure {
	return c.sum(f, f.Total, f.Error, known(c.t, f.Error), c.all)
}

// self is without probes.
func (c *Calls) self(i int) figure {
	f := &c.t.Funcs[i]
	x := c.netSelf(i)
	step := max(known(c.t, f.SelfError), c.digits(x), looseness(c.t, f, f.CorrectedSelf))
	out := c.sum(f, f.CorrectedSelf, f.SelfError, step, c.most(f))
	if f.Timed == 0 {
		return out
	}
	return c.markUnreliable(out, x)
}

// most returns what a part of a function's time is no more than, in ns: its total, or if that is
// not known what all functions took.
func (c *Calls) most(f *record.TraceFunc) float64 {
	if f.Total > 0 {
		return f.Total
	}
	return c.all
}

// sum returns a time in ns with its standard error, known to a step, and no more than most.
func (c *Calls) sum(f *record.TraceFunc, ns, e, step, most float64) figure {
	if f.Timed == 0 {
		return figure{}
	}
	switch {
	case f.Untimed > 0 && ns > 0:
		return least(duration(ns, step))
	case e > 0 && !(ns > 0): // an estimate of nothing is not nothing
		return atMost(less(above(min(max(e, step, leastTime), mostTime))), max(e, step), most)
	case e > 0:
		return approx(atMost(duration(ns, step), step, most))
	}
	return atMost(duration(ns, step), step, most)
}

// atMost returns a time that is known to a step: where not a digit of it is known, it is less
// than most, in ns; that is 0 if it is not known.
func atMost(f figure, step, most float64) figure {
	if f.whole == "0" || !(most > leastTime) || !(most < above(max(step, leastTime))) {
		return f
	}
	return upTo(most)
}

// upTo returns the least time with one digit that is not less than ns, as a bound.
func upTo(ns float64) figure {
	ns = min(ns, mostTime)
	return less(math.Ceil(ns/decade(ns)-1e-9) * decade(ns))
}

// corrected is nothing, too, where it is shown as the same as the total.
func (c *Calls) corrected(i int) figure {
	f := &c.t.Funcs[i]
	x := c.netTotal(i)
	step := max(known(c.t, f.Error), c.digits(x), looseness(c.t, f, f.Corrected))
	out := c.sum(f, f.Corrected, f.Error, step, c.most(f))
	if f.Timed > 0 && c.unreliable(x) {
		return c.markUnreliable(out, x)
	}
	if out == c.sum(f, f.Total, f.Error, step, c.most(f)) && (!out.below() || c.total(f).below()) {
		return figure{}
	}
	return out
}

// probes returns the share of a function's total that probes took.
func probes(f *record.TraceFunc) float64 {
	if !(f.Total > 0) {
		return 0
	}
	return (f.Total - f.Corrected) / f.Total
}
