package calls

import (
	"math"

	"github.com/tarebench/tare/record"
)

// calibration is how well the time that a probe takes is found again: runs on a busy
// machine with 2 processors differed by 1 %, and a body of known length is
// corrected to within 3 %.
const calibration = 0.03

// known is how well the sum of a function's times is known, in ns.
func known(t *record.Trace, f *record.TraceFunc) float64 {
	if t.Mode == record.TraceEvery {
		return max(t.Tick, standardError(f))
	}
	return t.Tick
}

// knownCorrected is that of the sum without probes.
func knownCorrected(t *record.Trace, f *record.TraceFunc) float64 {
	return max(known(t, f), calibration*(f.Total-f.Corrected))
}

// standardError is that of the total of a function of which some calls were timed.
func standardError(f *record.TraceFunc) float64 {
	switch {
	case f.Timed >= f.Calls:
		return 0
	case f.Timed < 2:
		return f.Total // one call says nothing of the others
	}
	n, of := float64(f.Timed), float64(f.Calls)
	return of * deviation(f) / math.Sqrt(n) * math.Sqrt(1-n/of)
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
	return c.sum(f, f.Total, known(c.t, f))
}

func (c *Calls) self(f *record.TraceFunc) figure {
	return c.sum(f, f.Self, known(c.t, f))
}

func (c *Calls) sum(f *record.TraceFunc, ns, step float64) figure {
	if f.Timed == 0 {
		return figure{}
	}
	e := standardError(f)
	switch {
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
	out := c.sum(f, f.Corrected, step)
	if out == c.sum(f, f.Total, step) {
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
