package plan

import "math"

const (
	growth   = 100 // at most so much larger is the next N
	maxTries = 12  // of one search
	maxN     = int64(min(math.MaxInt32<<6, math.MaxInt))
)

// A search looks for the N with which an iteration lasts the target. It knows
// two N's, one too few and one too many, and goes from one guess to the next by
// the power of N with which the time has grown: 1 for most benchmarks, 2 for one
// that inserts into a list. What a benchmark does besides its operations makes
// the time grow more slowly while N is small; going up that is taken for a power
// of 1, and going down, where it is what takes so long, N falls quickly.
type search struct {
	target    float64 // ns
	few, many guess   // the largest N known to be too few, the smallest too many
	last      guess
	tries     int
}

// guess is an N and the wall time of an iteration, ns. N is 0 where there is none.
type guess struct {
	n    int64
	wall float64
}

// next takes the time of an iteration of n operations and returns the next N to
// try, or the one to settle for.
func (s *search) next(n int64, wall float64) (int64, bool) {
	g := guess{n, math.Max(wall, 1)}
	k := s.power(g)
	s.last = g
	s.tries++
	better := float64(n) * math.Pow(s.target/g.wall, 1/min(max(k, 1), 4))
	switch {
	case n == 1 && wall >= s.target:
		return 1, true
	case wall >= s.target/2 && wall <= 2*s.target:
		return clampN(better), true
	case wall < s.target:
		if n > s.few.n {
			s.few = g
		}
		return s.try(n, max(better, 2*float64(n)))
	case k < 0.5:
		better = float64(n) / growth
	}
	s.tooLong(g)
	return s.try(n, min(better, float64(n)/2))
}

// tooMany says that n operations did not come to an end.
func (s *search) tooMany(n int64) (int64, bool) {
	s.tries++
	s.tooLong(guess{n, math.Inf(1)})
	return s.try(n, float64(n)/growth)
}

func (s *search) tooLong(g guess) {
	if s.many.n == 0 || g.n < s.many.n {
		s.many = g
	}
}

// try keeps the next N within what is known and possible.
func (s *search) try(n int64, better float64) (int64, bool) {
	few, many := float64(s.few.n), float64(s.many.n)
	if many > 0 && (better <= few || better >= many) {
		better = math.Sqrt(max(few, 1) * many)
	}
	next := clampN(min(better, growth*float64(n)))
	if s.tries >= maxTries || next == n || next == s.few.n || next == s.many.n || many < 1.25*few && many > 0 {
		return s.settle(next), true
	}
	return next, false
}

// settle takes the better of those that are known where nothing between them can
// be tried: the one that misses the target by the smaller factor.
func (s *search) settle(next int64) int64 {
	switch {
	case s.many.n == 0:
		return next
	case s.few.n == 0:
		return min(next, s.many.n)
	case s.target/s.few.wall < s.many.wall/s.target:
		return s.few.n
	}
	return s.many.n
}

// power is the power of N with which the time has grown since the last guess,
// 1 if that is not known.
func (s *search) power(g guess) float64 {
	k := math.Log(g.wall/s.last.wall) / math.Log(float64(g.n)/float64(s.last.n))
	if s.last.n == 0 || math.IsNaN(k) {
		return 1
	}
	return k
}

// clampN makes an N of it that reads well.
func clampN(x float64) int64 {
	if !(x < float64(maxN)) {
		return maxN
	}
	return max(1, min(round3(x), maxN))
}

// round3 rounds up to three significant digits.
func round3(x float64) int64 {
	unit := math.Pow(10, math.Max(0, math.Floor(math.Log10(x))-2))
	return int64(math.Ceil(x/unit) * unit)
}
