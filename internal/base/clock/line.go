package clock

import (
	"math"
	"math/bits"
	"time"
)

// A line converts ticks of a counter into nanoseconds during a limited time.
type line struct {
	ticks uint64 // where it begins …
	ns    int64  // … and the time there
	rate  uint64 // ns per tick, times 2^32
	span  uint64 // how many ticks it is valid
}

// at also accepts ticks before the line: a reader may have read the counter just
// before the line began.
func (l *line) at(ticks uint64) int64 {
	if d := ticks - l.ticks; int64(d) >= 0 {
		return l.ns + scale(d, l.rate)
	}
	return l.ns - scale(l.ticks-ticks, l.rate)
}

// scale returns d·rate/2^32.
func scale(d, rate uint64) int64 {
	hi, lo := bits.Mul64(d, rate)
	return int64(hi<<32 | lo>>32)
}

const (
	firstSpan = int64(2 * time.Millisecond) // at the rate of the counter
	longest   = int64(time.Second)          // that a line lasts
	tooFar    = int64(time.Microsecond)     // distance from the true time that is no drift
	strange   = 200e-6                      // change of the rate that must be confirmed by a second measurement
)

// track computes consecutive lines along the true clock. The rate of a line is that
// since the previous pair of readings, so that an error e of a pair becomes e again
// when the line has lasted for the same time, and 2e after twice that time. So the
// first lines are short and each is twice as long as the one before: the error stays,
// and the rate improves, because 20 ns are 10 ppm of 2 ms and 0.02 ppm of a second.
type track struct {
	ticks       uint64 // the last pair
	ns          int64
	lasts       int64 // ns, the current line
	unconfirmed bool  // the last rate measured was a strange one
}

// A pairFunc reads both clocks at one moment.
type pairFunc func() (ticks uint64, ns int64)

// start reads both clocks for a while and computes the first line. It fails if one of
// them stands still.
func (k *track) start(pair pairFunc) (l line, ok bool) {
	ticks, ns := pair()
	k.ticks, k.ns = ticks, ns
	for i := 0; k.ns-ns < firstSpan; i++ {
		if i == 50_000 { // 50 ms or more, where 2 were to pass
			return line{}, false
		}
		k.ticks, k.ns = pair()
	}
	if k.ticks <= ticks {
		return line{}, false
	}
	rate := float64(k.ns-ns) / float64(k.ticks-ticks)
	k.lasts = 2 * firstSpan
	return k.lay(k.ns, rate, rate), true
}

// next computes the line after old. It begins at old's current time, and meets the
// true clock at its own end. If old is too far off or has long expired, it begins at
// the true time. jumped reports that old was too far off without having expired.
func (k *track) next(pair pairFunc, old line) (l line, jumped bool) {
	ticks, ns := pair()
	elapsed, passed := ns-k.ns, ticks-k.ticks
	inTime := elapsed <= 2*k.lasts
	k.ticks, k.ns = ticks, ns

	rate := math.Ldexp(float64(old.rate), -32)
	lasts := k.lasts
	if elapsed >= firstSpan && int64(passed) > 0 {
		measured := float64(elapsed) / float64(passed)
		// While a machine sleeps, only one of the clocks runs, so that the rate is
		// wrong. After a migration to another machine, the same rate is measured
		// again.
		k.unconfirmed = math.Abs(measured/rate-1) > strange && !k.unconfirmed
		if !k.unconfirmed {
			rate = measured
			lasts = min(longest, 2*elapsed)
		}
	}
	switch off := old.at(ticks) - ns; {
	case off < -tooFar || off > tooFar:
		k.lasts = 2 * firstSpan
		return k.lay(ns, rate, rate), inTime
	case !inTime:
		// The line has gone far beyond the true clock. There was no recent
		// reading, so that no reader sees time go back.
		k.lasts = lasts
		return k.lay(ns, rate, rate), false
	default:
		k.lasts = lasts
		return k.lay(ns+off, rate*(1-float64(off)/float64(lasts)), rate), false
	}
}

// renew is next for a reader who found at some ticks that old has expired; it also
// returns the time there. The new line may be below the previous reading if the
// reader was preempted for long.
func (k *track) renew(pair pairFunc, old line, ticks uint64) (l line, ns int64, jumped bool) {
	if l, jumped = k.next(pair, old); !jumped && ticks-old.ticks < 2*old.span {
		return l, old.at(ticks), false
	}
	return l, l.at(ticks), jumped
}

// lay begins a line at the last pair.
func (k *track) lay(ns int64, slope, rate float64) line {
	return line{
		ticks: k.ticks,
		ns:    ns,
		rate:  uint64(math.Round(math.Ldexp(slope, 32))),
		span:  uint64(float64(k.lasts) / rate),
	}
}
