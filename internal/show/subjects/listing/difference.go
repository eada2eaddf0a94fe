package listing

import (
	"math"

	"github.com/tarebench/tare/stat"
)

// confidence is that of the intervals of a comparison.
const confidence = 0.95

// same is the difference below which two shares are the same for people: a point,
// or a hundredth of the old side's time.
const same = 0.01

// difference is the difference of one row between two sides, in the unit of their values.
type difference struct {
	old, new float64
	diff     float64 // new - old
	lo, hi   float64
	p        float64 // that chance alone makes such a difference
	adjusted float64 // p, corrected for the number of rows
	trusted  bool    // from enough processes: the interval knows how they differ
	verdict  stat.Verdict
}

// part is a number of samples out of all of a side, and what all are worth.
type part struct {
	n, all int64
	scale  float64
}

// betweenForks compares the values of processes by their ranks: the shift of Hodges
// and Lehmann with its interval, and the U test, which agree with each other. Package
// stat has the ratio; the logarithm of a ratio of exponentials is a difference, and
// unlike a ratio it bears shares of 0.
func betweenForks(d difference, a, b []float64) difference {
	top := 0.0
	for _, x := range append(append([]float64{}, a...), b...) {
		top = max(top, math.Abs(x))
	}
	if top == 0 {
		d.p, d.trusted = 1, true
		return d
	}
	exp := func(xs []float64) []float64 {
		out := make([]float64, len(xs))
		for i, x := range xs {
			out[i] = math.Exp(x / top)
		}
		return out
	}
	e := stat.HodgesLehmann(exp(a), exp(b), confidence)
	d.diff, d.lo, d.hi = top*math.Log(e.Value), top*math.Log(e.Lo), top*math.Log(e.Hi)
	d.p, d.trusted = stat.MannWhitney(a, b).P, true
	return d
}

// withinSamples compares two proportions as if every sample were drawn by itself: the
// hybrid score interval (Newcombe, Statistics in Medicine 17 (1998), method 10), which
// takes an interval of a difference from those of its two parts and thus bears scales
// (Zou and Donner, Statistics in Medicine 27 (2008)). p is of Wald's test with one
// success and one failure added to each side (Agresti and Caffo, The American
// Statistician 54 (2000)).
func withinSamples(d difference, a, b part) difference {
	z := math.Sqrt2 * math.Erfinv(confidence)
	p1, l1, u1 := a.wilson(z)
	p2, l2, u2 := b.wilson(z)
	d.diff = p2 - p1
	d.lo = d.diff - math.Hypot(p2-l2, u1-p1)
	d.hi = d.diff + math.Hypot(u2-p2, p1-l1)
	x1, v1 := a.moments()
	x2, v2 := b.moments()
	d.p = math.Erfc(math.Abs(x2-x1) / math.Sqrt(2*(v1+v2)))
	return d
}

// wilson returns the value of a part, with the score interval (Wilson, 1927).
func (a part) wilson(z float64) (value, lo, hi float64) {
	n := float64(a.all)
	p := float64(a.n) / n
	mid := (p + z*z/(2*n)) / (1 + z*z/n)
	half := z / (1 + z*z/n) * math.Sqrt(p*(1-p)/n+z*z/(4*n*n))
	return a.scale * p, a.scale * max(mid-half, 0), a.scale * min(mid+half, 1)
}

// moments returns mean and variance of a share, with one success and one failure added.
func (a part) moments() (mean, variance float64) {
	n := float64(a.all) + 2
	p := (float64(a.n) + 1) / n
	return a.scale * p, a.scale * a.scale * p * (1 - p) / n
}

// judge finds the verdicts of a list. A difference within margin is none, however sure
// it is.
func judge(ds []*difference, margin float64) {
	ps := make([]float64, len(ds))
	for i, d := range ds {
		ps[i] = d.p
	}
	ps = stat.BenjaminiHochberg(ps)
	for i, d := range ds {
		d.adjusted = ps[i]
		significant := (d.lo > 0 || d.hi < 0) && d.adjusted <= 1-confidence
		switch {
		case d.lo >= -margin && d.hi <= margin:
			d.verdict = stat.Same
		case significant && d.diff > 0:
			d.verdict = stat.More
		case significant:
			d.verdict = stat.Less
		default:
			d.verdict = stat.Undecided
		}
	}
}
