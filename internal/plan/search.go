package plan

import "math"

const (
	growth   = 100 // limit of the ratio between the next N and this one
	maxTries = 12  // of one search
	maxN     = int64(min(math.MaxInt32<<6, math.MaxInt))
)

// A search finds the N for which an iteration takes the target time. It keeps the largest N that is too small and the
// smallest that is too large. It extrapolates by the exponent with which the time has grown with N: 1 for most
// benchmarks, 2 for insertion into a list. Fixed costs of an iteration make the time grow more slowly while N is
// small. Then the search assumes 1 when N grows. When N shrinks, where the fixed costs dominate, it shrinks quickly.
type search struct {
	target          float64 // ns
	tooFew, tooMany guess   // the largest N that is too small, the smallest that is too large
	last            guess
	tries           int
}

// guess is an N and the wall time of an iteration in ns. N is 0 if there is none.
type guess struct {
	n    int64
	wall float64
}

// next records the wall time of an iteration of n operations in ns. It returns the next N to try, or the final one
// and true.
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
		if n > s.tooFew.n {
			s.tooFew = g
		}
		return s.try(n, max(better, 2*float64(n)))
	case k < 0.5:
		better = float64(n) / growth
	}
	s.addTooMany(g)
	return s.try(n, min(better, float64(n)/2))
}

// timedOut records that n operations timed out. It returns as next does.
func (s *search) timedOut(n int64) (int64, bool) {
	s.tries++
	s.addTooMany(guess{n, math.Inf(1)})
	return s.try(n, float64(n)/growth)
}

func (s *search) addTooMany(g guess) {
	if s.tooMany.n == 0 || g.n < s.tooMany.n {
		s.tooMany = g
	}
}

// try limits the next N to what is known and possible.
func (s *search) try(n int64, better float64) (int64, bool) {
	few, many := float64(s.tooFew.n), float64(s.tooMany.n)
	if many > 0 && (better <= few || better >= many) {
		better = math.Sqrt(max(few, 1) * many)
	}
	next := clampN(min(better, growth*float64(n)))
	if s.tries >= maxTries || next == n || next == s.tooFew.n || next == s.tooMany.n || many < 1.25*few && many > 0 {
		return s.settle(next), true
	}
	return next, false
}

// settle returns the final N when none between the known ones is left: the one that misses the target by the
// smaller factor.
func (s *search) settle(next int64) int64 {
	switch {
	case s.tooMany.n == 0:
		return next
	case s.tooFew.n == 0:
		return min(next, s.tooMany.n)
	case s.target/s.tooFew.wall < s.tooMany.wall/s.target:
		return s.tooFew.n
	}
	return s.tooMany.n
}

// power returns the exponent with which the time has grown with N since the last guess, or 1 if unknown.
func (s *search) power(g guess) float64 {
	k := math.Log(g.wall/s.last.wall) / math.Log(float64(g.n)/float64(s.last.n))
	if s.last.n == 0 || math.IsNaN(k) {
		return 1
	}
	return k
}

// clampN rounds x to a valid N of three significant digits.
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
