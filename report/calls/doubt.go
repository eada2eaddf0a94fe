package calls

import (
	"math"

	"github.com/tarebench/tare/record"
)

// calibration is how well the time that a probe takes is found again: runs on a busy
// machine with 2 processors differed by 1 %, and a body of known length is
// corrected to within 3 %.
const calibration = 0.03

// known is how well a sum of times is known, in ns, whose standard error is given.
func known(t *record.Trace, e float64) float64 { return max(step(t), e) }

// step is the digit that the clock's step allows, in ns: 10 for one of 42.
func step(t *record.Trace) float64 {
	if !(t.Tick > 0) {
		return 0
	}
	return decade(t.Tick)
}

// knownMean is how well the mean of a function's calls is known: where the clock stands
// when they begin is left to chance.
func knownMean(t *record.Trace, f *record.TraceFunc) float64 {
	return step(t) / max(1, math.Sqrt(float64(f.Timed)))
}

// knownCorrected is that of the sum without probes.
func knownCorrected(t *record.Trace, f *record.TraceFunc) float64 {
	return max(known(t, f.Error), calibration*(f.Total-f.Corrected))
}

// deviation is the standard deviation of a call's time.
func deviation(f *record.TraceFunc) float64 {
	if f.Timed < 2 {
		return 0
	}
	return math.Sqrt(f.Squares / float64(f.Timed-1))
}

// total, self and corrected are a function's times as they are shown; nothing if none of
// its calls has a time.
func (c *Calls) total(f *record.TraceFunc) figure {
	return c.sum(f, f.Total, f.Error, known(c.t, f.Error))
}

func (c *Calls) self(f *record.TraceFunc) figure {
	return c.sum(f, f.Self, f.SelfError, known(c.t, f.SelfError))
}

func (c *Calls) sum(f *record.TraceFunc, ns, e, step float64) figure {
	if f.Timed == 0 {
		return figure{}
	}
	switch {
	case f.Untimed > 0 && ns > 0:
		return least(duration(ns, step))
	case e > 0 && !(ns > 0): // an estimate of nothing is not nothing
		return less(above(min(max(e, step, leastTime), mostTime)))
	case e > 0:
		return approx(duration(ns, step))
	}
	return duration(ns, step)
}

// corrected is nothing, too, where it is shown as the same as the total.
func (c *Calls) corrected(f *record.TraceFunc) figure {
	step := knownCorrected(c.t, f)
	out := c.sum(f, f.Corrected, f.Error, step)
	if out == c.sum(f, f.Total, f.Error, step) {
		return figure{}
	}
	return out
}

// probes is the share of a function's total that probes took.
func probes(f *record.TraceFunc) float64 {
	if !(f.Total > 0) {
		return 0
	}
	return (f.Total - f.Corrected) / f.Total
}
