package calibration

import "slices"

// tooLong is the factor beyond the target from which on the timer is not believed.
const tooLong = 3

// Baseline is what an iteration of one operation spends outside of its timer: a collection, set-up, the way of its
// result to the parent.
type Baseline struct {
	Untimed float64 // median, ns
	Most    float64 // maximum, ns
	Limit   float64 // more than this outside of the timer means stopped timers or long set-up, ns
}

// BaselineOf returns the baseline by iterations of one operation. Limit is at most half of the target: without this
// bound a benchmark with a stopped timer came to iterations of a second beside busy processes.
func BaselineOf(its []Iteration, target float64) Baseline {
	if len(its) == 0 {
		return Baseline{}.bounded(target)
	}
	its, typical := known(its)
	var untimed []float64
	for _, i := range its {
		untimed = append(untimed, max(0, i.Own()-i.Timed))
	}
	b := Baseline{Untimed: typical(untimed), Most: slices.Max(untimed)}
	return b.bounded(target)
}

// bounded returns the baseline with the Limit for iterations of a target time.
func (b Baseline) bounded(target float64) Baseline {
	b.Limit = min(max(3*b.Untimed, 2*b.Most), target/2)
	return b
}

// Stopped reports whether an iteration spends more outside of its timer than the baseline and the noise explain: the
// benchmark stops its timer, or its set-up is long.
func (b Baseline) Stopped(t Typical) bool { return t.Timed > 0 && t.Own-t.Timed > b.Limit }

// Time returns the time of an iteration of n operations that is to be compared with the target, in ns.
//
// It is the time of the benchmark's timer if the parent measured about the same. If the benchmark stops its timer, it is
// the parent's time without the fixed cost. From n = 2 on there are two fixed costs, because package testing first runs
// one operation. If the timer shows more than the process could have run, the process waited for a processor with the
// timer on.
func (b Baseline) Time(t Typical, n int64, target float64) float64 {
	fixed := b.Untimed
	if n > 1 {
		fixed *= 2
	}
	switch {
	case t.Timed <= 0 && n == 1:
		return t.Own
	case t.Timed <= 0: // the baseline includes an operation
		return max(t.Own/16, t.Own-fixed)
	case t.Own < t.Timed:
		return min(t.Timed, max(t.Own-b.Untimed, t.Own/2))
	case b.Stopped(t), t.Own > tooLong*target:
		return max(t.Timed, t.Own-fixed)
	}
	return t.Timed
}
