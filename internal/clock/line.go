package clock

import (
	"math"
	"math/bits"
	"time"
)

// A line turns ticks of a counter into nanoseconds, for a while.
type line struct {
	ticks uint64 // where it begins …
	ns    int64  // … and the time there
	rate  uint64 // ns per tick, times 2^32
	span  uint64 // how many ticks it is good for
}

// at takes ticks before the line as well: a reader may have read the counter
// just before the line was laid.
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
	firstLook = int64(2 * time.Millisecond) // at the rate of the counter
	longest   = int64(time.Second)          // that a line lasts
	tooFar    = int64(time.Microsecond)     // from the true time: no drift
	strange   = 200e-6                      // change of the rate that wants to be seen twice
)

// track lays one line after the other along the true clock. A line's rate is
// that of the time since the last pair of readings, so that an error of e in a
// pair is one of e again when the line has lasted as long as that time, and 2e
// when twice as long. So the first lines are short and each is twice as long
// as the one before: the error stays, and the rate becomes better, 20 ns being
// 10 ppm of 2 ms and 0.02 ppm of a second.
type track struct {
	ticks uint64 // the last pair
	ns    int64
	lasts int64 // ns, the current line
	doubt bool  // the last rate measured was a strange one
}

// A pairFunc reads both clocks at one moment.
type pairFunc func() (ticks uint64, ns int64)

// start looks at both clocks for a while and lays the first line. It fails if
// one of them stands still.
func (k *track) start(pair pairFunc) (l line, ok bool) {
	ticks, ns := pair()
	k.ticks, k.ns = ticks, ns
	for i := 0; k.ns-ns < firstLook; i++ {
		if i == 50_000 { // 50 ms or more, where 2 were to pass
			return line{}, false
		}
		k.ticks, k.ns = pair()
	}
	if k.ticks <= ticks {
		return line{}, false
	}
	rate := float64(k.ns-ns) / float64(k.ticks-ticks)
	k.lasts = 2 * firstLook
	return k.lay(k.ns, rate, rate), true
}

// next lays the line that follows on old. It goes on where old is now, to meet
// the true clock at its own end. If old is too far off or long over, it begins
// at the true time. jumped says that it was too far off without being long
// over, where that would be no wonder.
func (k *track) next(pair pairFunc, old line) (l line, jumped bool) {
	ticks, ns := pair()
	elapsed, passed := ns-k.ns, ticks-k.ticks
	inTime := elapsed <= 2*k.lasts
	k.ticks, k.ns = ticks, ns

	rate := math.Ldexp(float64(old.rate), -32)
	lasts := k.lasts
	if elapsed >= firstLook && int64(passed) > 0 {
		measured := float64(elapsed) / float64(passed)
		// While a machine sleeps, one clock goes on and the other does not: that
		// says nothing of the rate. A machine that runs on another one since will
		// show the same rate again.
		k.doubt = math.Abs(measured/rate-1) > strange && !k.doubt
		if !k.doubt {
			rate = measured
			lasts = min(longest, 2*elapsed)
		}
	}
	switch off := old.at(ticks) - ns; {
	case off < -tooFar || off > tooFar:
		k.lasts = 2 * firstLook
		return k.lay(ns, rate, rate), inTime
	case !inTime:
		// The slope that should have met the true clock has led far past it. And
		// as nobody has read of late, nobody sees time go back.
		k.lasts = lasts
		return k.lay(ns, rate, rate), false
	default:
		k.lasts = lasts
		return k.lay(ns+off, rate*(1-float64(off)/float64(lasts)), rate), false
	}
}

// renew is next for a reader who found at some ticks that old is over, and returns
// the time there as well. What was read just before was of the old line: the new one
// may lie below it there, if the reader had no processor for long in between.
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
