package stat

import "math"

// Kendall is the result of MannKendall.
type Kendall struct {
	S   int     // pairs that rise minus pairs that fall, -n(n-1)/2 … n(n-1)/2
	Tau float64 // S over the number of pairs, -1 … 1; its sign is the direction
	P   float64 // two-sided, in [0, 1]
}

// kendallExactLimit is the longest series with the exact null distribution.
const kendallExactLimit = 50

// MannKendall tests values in time order for a trend in one direction: drift of
// the fork values over the rounds of one side (Mann 1945; Kendall, Rank
// Correlation Methods, 1975).
//
// P is exact up to 50 values without ties. Otherwise it is the normal
// approximation with the variance corrected for ties, and continuity
// correction. Fewer than two values, or all equal, show no trend: P = 1. NaN
// anywhere gives NaN for Tau and P. Time grows with the square of the length.
func MannKendall(xs []float64) Kendall {
	n := len(xs)
	if hasNaN(xs) {
		return Kendall{Tau: math.NaN(), P: math.NaN()}
	}
	if n < 2 {
		return Kendall{P: 1}
	}
	k := Kendall{}
	for i, x := range xs {
		for _, later := range xs[i+1:] {
			switch {
			case later > x:
				k.S++
			case later < x:
				k.S--
			}
		}
	}
	k.Tau = float64(k.S) / float64(n*(n-1)/2)
	ties := kendallTies(xs)
	if ties == 0 && n <= kendallExactLimit {
		k.P = kendallExactP(n, k.S)
		return k
	}
	f := float64(n)
	variance := (f*(f-1)*(2*f+5) - ties) / 18
	if !(variance > 0) || k.S == 0 {
		k.P = 1
		return k
	}
	k.P = min(1, normalTail((math.Abs(float64(k.S))-1)/math.Sqrt(variance)))
	return k
}

// kendallTies is Σ t(t-1)(2t+5) over groups of t equal values.
func kendallTies(xs []float64) float64 {
	ys, sum := sorted(xs), 0.0
	for i := 0; i < len(ys); {
		j := i + 1
		for j < len(ys) && ys[j] == ys[i] {
			j++
		}
		t := float64(j - i)
		sum += t * (t - 1) * (2*t + 5)
		i = j
	}
	return sum
}

// kendallExactP is P(|S| ≥ |s|) over all orders of n values. S is the number
// of pairs less twice the inversions, and inversions are a sum of independent
// uniform numbers on 0 … i-1, i = 1 … n.
func kendallExactP(n, s int) float64 {
	pairs := n * (n - 1) / 2
	most := (pairs - max(s, -s)) / 2 // inversions of the tail with large S
	p := make([]float64, most+1)
	p[0] = 1
	for i := 2; i <= n; i++ {
		// p'[k] = (p[k] + … + p[k-i+1])/i, by summing upward and
		// subtracting what falls out of the window, from the top.
		for k := 1; k <= most; k++ {
			p[k] += p[k-1]
		}
		for k := most; k >= 0; k-- {
			if k >= i {
				p[k] -= p[k-i]
			}
			p[k] /= float64(i)
		}
	}
	tail := 0.0
	for _, x := range p {
		tail += x
	}
	return min(1, 2*tail)
}
