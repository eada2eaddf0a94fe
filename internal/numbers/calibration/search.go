package calibration

import (
	"math"
	"time"

	"github.com/tarebench/tare/record"
)

const (
	growth   = 30 // limit of the ratio between the next N and this one
	maxBlank = 4  // forks of one operation of which no iteration can be distinguished from the start of the process
	minSlope = 3  // least ratio of two N whose times show how the time grows
	maxForks = 14 // forks of one search

	aimFactor = 12       // the fixed cost of a measured iteration is to be less than about a sixth of it
	muchLost  = 0.1      // share of the time spent waiting for a processor, from which on the longest iterations are measured
	minAim    = 50 * 1e6 // ns; longer iterations are measured only if the target is longer
	// MaxN is the largest N.
	MaxN = int64(min(math.MaxInt32<<6, math.MaxInt))
)

// Search finds the N for which an iteration takes the target time. It begins with one operation and keeps the largest N
// that is too small and the smallest that is too large. It measures an N that seems right once more, because one
// measurement may be wrong by a factor of ten. It extrapolates by the exponent with which the time has grown with N: 1
// for most benchmarks, 2 for insertion into a list. If the fixed cost of an iteration is not small compared with the
// target, as on a busy machine, it measures longer iterations and divides.
type Search struct {
	Brief bool // do not measure an N that seems right once more

	target          float64 // ns
	aim             float64 // time of the measured iterations, ns: the target or longer
	base            Baseline
	tooFew, tooMany guess // the largest N that is too small, the smallest that is too large
	last            guess
	power           float64 // exponent with which the time grows with N
	forks           int
	confirming      bool // the fork before found an N within a factor 2 of the target
	rechecked       bool // the smallest N that is too large was measured once more
	lost            Lost
	seen            []record.CalibrationLook
	result          Result
}

// guess is an N and the time of an iteration in ns. N is 0 if there is none.
type guess struct {
	n       int64
	ns      float64
	stopped bool // ns is not by the benchmark's timer
}

// Result is what a search has found.
type Result struct {
	N         int64
	Time      float64 // of an iteration of N operations, to be compared with the target, ns
	Timed     float64 // by the benchmark's timer, ns
	Untimed   float64 // outside of it, ns; at least 0
	Stopped   bool    // Untimed is more than a baseline explains: stopped timers, or long set-up
	Baseline  Baseline
	Power     float64 // exponent with which the time grows with N, 1 … 4
	Lost      float64 // share of the wall time in which the process waited for a processor, 0 … 1
	Forks     int     // of the search
	Confirmed bool    // two forks agree on N within a factor 2

	Seen []record.CalibrationLook // one for each N that was measured, in ascending order
}

// New returns a search for iterations of a target time.
func New(target time.Duration) *Search { return &Search{target: float64(target)} }

// Result returns what the search has found so far.
func (s *Search) Result() Result {
	r := s.result
	r.Forks, r.Baseline, r.Lost, r.Seen = s.forks, s.base, s.lost.Share(), s.seen
	return r
}

// Next takes the iterations of a fork, of n operations each. The first fork runs one operation an iteration. Next returns the next N to
// examine, or the final one and true.
func (s *Search) Next(n int64, its []Iteration) (int64, bool) {
	if len(its) == 0 { // all results arrived together
		if s.forks++; s.forks < maxBlank || n > 1 && s.forks < maxForks {
			return n, false
		}
		s.base.Most = minAim // nothing is known of it
	}
	t := TypicalOf(its)
	if n == 1 && len(its) > 0 {
		s.base = BaselineOf(its, s.target)
	}
	s.lost.Add(its)
	s.AddLook(n, its)
	s.takeAim()
	if len(its) > 0 {
		s.forks++
	}
	g := guess{n: n, ns: max(s.base.Time(t, n, s.aim), 1)}
	g.stopped = g.ns > t.Timed
	s.setPower(g)
	s.last = g
	better := float64(n) * math.Pow(s.aim/g.ns, 1/s.power)
	s.result = Result{
		N: n, Time: g.ns, Timed: t.Timed, Untimed: max(0, t.Own-t.Timed), Stopped: s.base.Stopped(t), Power: s.power,
	}
	confirming := s.confirming
	s.confirming = false
	switch {
	case n == 1 && (min(g.ns, t.MinOwn) >= s.target || t.MinOwn >= s.aim*tooLong/2):
		return s.confirm(1, confirming)
	case g.ns >= s.aim/2 && g.ns <= 2*s.aim:
		if confirming {
			better = math.Sqrt(float64(n) * better) // the mean of what two forks say
		}
		return s.confirm(RoundN(better), confirming)
	case g.ns < s.aim:
		s.addTooFew(g)
		return s.try(n, max(better, 2*float64(n)))
	}
	s.addTooMany(g)
	if s.isFlat(g) {
		better = float64(n) / growth
	}
	return s.try(n, min(better, float64(n)/2))
}

// takeAim sets the time of the measured iterations. The fixed cost of an iteration, and a wait for a processor, are to be
// small compared with it.
func (s *Search) takeAim() {
	aim := min(minAim, s.base.Most*aimFactor)
	if s.lost.Share() > muchLost {
		aim = minAim
	}
	s.aim = max(s.target, s.aim, aim)
	s.base = s.base.bounded(s.aim)
}

// TimedOut records that n operations did not end in time. It returns as Next does.
func (s *Search) TimedOut(n int64) (int64, bool) {
	s.forks++
	s.confirming = false
	s.addTooMany(guess{n: n, ns: math.Inf(1)})
	return s.try(n, float64(n)/growth)
}

// confirm returns n as final if it confirms an earlier fork, or else as the next to measure.
func (s *Search) confirm(n int64, confirmed bool) (int64, bool) {
	if confirmed {
		s.result.Confirmed = true
	}
	if confirmed || s.Brief || s.forks >= maxForks {
		return s.settle(n), true
	}
	s.confirming = true
	return n, false
}

// addTooFew and addTooMany keep a bound. A later fork outweighs an earlier one that contradicts it.
func (s *Search) addTooFew(g guess) {
	if g.n > s.tooFew.n {
		s.tooFew = g
	}
	if g.n >= s.tooMany.n {
		s.tooMany, s.rechecked = guess{}, false
	}
}

func (s *Search) addTooMany(g guess) {
	if s.tooMany.n == 0 || g.n < s.tooMany.n {
		s.tooMany, s.rechecked = g, false
	}
	if g.n <= s.tooFew.n {
		s.tooFew = guess{}
	}
}

// try limits the next N to what is known and possible. If nothing is left between the bounds it examines the upper
// one once more, which a wait may have set.
func (s *Search) try(n int64, better float64) (int64, bool) {
	few, many := float64(s.tooFew.n), float64(s.tooMany.n)
	if many > 0 && (better <= few || better >= many) {
		better = math.Sqrt(max(few, 1) * many)
	}
	next := RoundN(min(better, growth*float64(n)))
	switch {
	case s.forks >= maxForks, next == n && s.tooMany.n == 0:
		return s.settle(s.nearest(next)), true
	case next == n, next == s.tooFew.n, next == s.tooMany.n, many > 0 && many < 1.25*few:
		if s.rechecked || math.IsInf(s.tooMany.ns, 1) || s.tooMany.n == 0 {
			return s.settle(s.nearest(next)), true
		}
		s.rechecked = true
		return s.tooMany.n, false
	}
	return next, false
}

// settle returns the final N, if n operations take the time of the measured iterations.
func (s *Search) settle(n int64) int64 {
	power := max(1, s.result.Power)
	if s.aim > s.target && n < MaxN {
		n = RoundN(float64(n) * math.Pow(s.target/s.aim, 1/power))
	}
	if s.result.N > 0 {
		s.result.Time *= math.Pow(float64(n)/float64(s.result.N), power)
	}
	s.result.N = n
	return n
}

// nearest returns the bound that misses the target by the smaller factor, or next if there is only one.
func (s *Search) nearest(next int64) int64 {
	switch {
	case s.tooMany.n == 0:
		return next
	case s.tooFew.n == 0:
		return min(next, s.tooMany.n)
	case s.aim/s.tooFew.ns < s.tooMany.ns/s.aim:
		return s.tooFew.n
	}
	return s.tooMany.n
}

// setPower sets the exponent with which the time grows with N, from 1 to 4, by the last fork and this one. Fixed costs of
// an iteration make the time grow more slowly while N is small. Between values of N that are close to each other the
// noise decides, so these are ignored.
func (s *Search) setPower(g guess) {
	if s.power == 0 {
		s.power = 1
	}
	few, many := min(g.n, s.last.n), max(g.n, s.last.n)
	if few == 0 || many < minSlope*few || g.stopped != s.last.stopped {
		return
	}
	k := math.Log(g.ns/s.last.ns) / math.Log(float64(g.n)/float64(s.last.n))
	s.power = min(max(k, 1), 4)
}

// isFlat reports whether the time hardly depends on N, by the largest N that is too small: fixed costs dominate.
func (s *Search) isFlat(g guess) bool {
	if s.tooFew.n == 0 || s.tooFew.n >= g.n {
		return false
	}
	return math.Log(g.ns/s.tooFew.ns)/math.Log(float64(g.n)/float64(s.tooFew.n)) < 0.5
}

// RoundN rounds x up to a valid N of three significant digits.
func RoundN(x float64) int64 {
	if !(x < float64(MaxN)) {
		return MaxN
	}
	return max(1, min(round3(x), MaxN))
}

// round3 rounds up to three significant digits.
func round3(x float64) int64 {
	unit := math.Pow(10, math.Max(0, math.Floor(math.Log10(x))-2))
	return int64(math.Ceil(x/unit) * unit)
}
