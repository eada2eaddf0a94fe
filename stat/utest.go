package stat

import (
	"math"
)

// UResult is the result of MannWhitney.
type UResult struct {
	U float64 // pairs with b > a, ties counting ½; 0 … m·n; m·n/2 if the sides do not differ
	P float64 // two-sided, in [0, 1]
}

// MannWhitney returns the U test (Mann & Whitney 1947) of whether the values of b
// tend to be larger or smaller than those of a. It uses only the order of values, so
// units and logarithms do not matter.
//
// P is the one benchstat prints: exact up to 50 values a side without ties and
// 25 with, beyond that the normal approximation with tie and continuity
// corrections; twice the smaller tail, at most 1. Two differences: all values
// equal give P = 1, where moremath returns an error; and ties on sides of
// unequal size make the null distribution skew, where moremath's P takes the
// tail of the mirrored U: it depends on which side comes first, can be above 1, and
// would be 0 where that U cannot occur. Here it is the tail of the U observed.
// The smallest possible P is 2/C(m+n, m): see MinForks.
//
// An empty side or a NaN gives NaN.
func MannWhitney(a, b []float64) UResult {
	if len(a) == 0 || len(b) == 0 || hasNaN(a) || hasNaN(b) {
		return UResult{U: math.NaN(), P: math.NaN()}
	}
	return mannWhitney(newPool(a, b), nil)
}

// mannWhitney tests pooled samples; null, if not nil, is their untied
// distribution, computed already.
func mannWhitney(s pool, null *uNull) UResult {
	r := UResult{U: float64(s.twoU) / 2}
	switch {
	case s.ties == allTied:
		r.P = 1
	case s.ties == 0:
		if null == nil {
			d := newUNull(s.m, s.n)
			null = &d
		}
		r.P = null.p(min(s.twoU, 2*s.m*s.n-s.twoU) / 2)
	case s.m <= uTiesExactLimit && s.n <= uTiesExactLimit:
		r.P = min(1, 2*uTiedTail(s.ranks2, s.n, s.twoU))
	default:
		r.P = uNormalP(r.U, s.m, s.n, s.ties)
	}
	return r
}

// MinForks returns the smallest number of forks on each of two equal sides at
// which MannWhitney can reach p ≤ 1-confidence at all: 4 for 0.95, 5 for 0.99,
// 7 for 0.999. It is 0 if no number is enough (confidence 1 or more, or NaN).
func MinForks(confidence float64) int {
	return minForks(alphaOf(confidence))
}

func minForks(alpha float64) int {
	if !(alpha > 0) {
		return 0
	}
	n := 1
	for !atMost(2/choose(2*n, n), alpha) {
		n++
	}
	return n
}

// pool is two samples ranked together.
type pool struct {
	m, n   int
	ranks2 []int   // doubled midranks, ascending
	twoU   int     // doubled U of b over a
	ties   float64 // Σ(t³-t) over groups of equal values, or allTied
}

const allTied = -1

func newPool(a, b []float64) pool {
	s := pool{m: len(a), n: len(b)}
	all := together(a, b, false)
	s.ranks2 = make([]int, len(all))
	sumB := 0
	for i := 0; i < len(all); {
		j := i + 1
		for j < len(all) && all[j].x == all[i].x {
			j++
		}
		for k := i; k < j; k++ {
			s.ranks2[k] = i + 1 + j
			if all[k].ofB {
				sumB += i + 1 + j
			}
		}
		t := float64(j - i)
		s.ties += t*t*t - t
		if j-i == len(all) {
			s.ties = allTied
		}
		i = j
	}
	s.twoU = sumB - s.n*(s.n+1)
	return s
}
