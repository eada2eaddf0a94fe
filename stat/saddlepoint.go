package stat

import "math"

// above approximates P(S ≥ x) of a sum of n of the scores by the double saddlepoint: the sum of independent choices,
// each score with the same odds, given that n are chosen (Booth & Butler, "Randomization distributions and saddlepoint
// approximations in generalized linear models", Biometrika 77, 1990; the formula is Skovgaard's of 1987). The normal
// approximation would not do: the best rank alone has a large share of the variance.
func (d *scoreNull) above(x float64) float64 {
	n, all := float64(d.n), float64(len(d.scores))
	lambda0 := math.Log(n / (all - n))
	flat := tilt{lambda: lambda0}
	flat.sums(d.scores)
	bend := func(t *tilt) float64 { return t.s2 - t.s1*t.s1/t.s0 } // variance of the sum, given the number
	// At the mean the formula is 0/0; it is smooth around it.
	if around := 0.05 * math.Sqrt(bend(&flat)); math.Abs(x-flat.mean) < around*(1-1e-9) {
		f := (x - flat.mean + around) / (2 * around)
		return (1-f)*d.above(flat.mean-around) + f*d.above(flat.mean+around)
	}
	t, ok := d.saddle(x, flat)
	if !ok {
		if x > flat.mean {
			return 0
		}
		return 1
	}
	w2 := 2 * ((t.lambda*n + t.tau*x - t.k) - (lambda0*n - flat.k))
	if !(w2 > 0) {
		return 0.5
	}
	w := math.Copysign(math.Sqrt(w2), t.tau)
	u := t.tau * math.Sqrt(t.s0*bend(&t)/flat.s0)
	tail := math.Erfc(w/math.Sqrt2)/2 + math.Exp(-w2/2)/math.Sqrt(2*math.Pi)*(1/u-1/w)
	return min(max(tail, 0), 1)
}

// tilt is a distribution of independent choices: score a with log odds lambda + tau·a.
type tilt struct {
	lambda, tau float64
	k           float64 // cumulant generating function
	count, mean float64 // expected number of choices, and their expected sum
	s0, s1, s2  float64 // Σ p(1-p)·a^0, a^1, a^2
}

func (t *tilt) sums(scores []int) {
	t.k, t.count, t.mean, t.s0, t.s1, t.s2 = 0, 0, 0, 0, 0, 0
	for _, s := range scores {
		a := float64(s)
		z := t.lambda + t.tau*a
		e := math.Exp(-math.Abs(z))
		p := 1 / (1 + e)
		if z < 0 {
			p = e / (1 + e)
		}
		t.k += max(z, 0) + math.Log1p(e)
		t.count += p
		t.mean += p * a
		v := p * (1 - p)
		t.s0 += v
		t.s1 += v * a
		t.s2 += v * a * a
	}
}

// saddle returns the tilt whose expected number is n and whose expected sum is x, by Newton's method from the flat one.
// It fails where x is at the end of what sums can be.
func (d *scoreNull) saddle(x float64, t tilt) (tilt, bool) {
	for range 100 {
		dn, dx := float64(d.n)-t.count, x-t.mean
		det := t.s0*t.s2 - t.s1*t.s1
		if !(det > 1e-12*t.s0*t.s2) {
			return t, false
		}
		if math.Abs(dn) < 1e-9*float64(d.n) && math.Abs(dx) < 1e-9*math.Abs(x)+1e-9 {
			return t, true
		}
		next := t
		for step := 1.0; ; step /= 2 { // the function to be minimised is convex: a step that lowers it exists
			next.lambda = t.lambda + step*(t.s2*dn-t.s1*dx)/det
			next.tau = t.tau + step*(t.s0*dx-t.s1*dn)/det
			next.sums(d.scores)
			if next.k-next.lambda*float64(d.n)-next.tau*x <= t.k-t.lambda*float64(d.n)-t.tau*x+1e-9 {
				break
			}
			if step < 1e-6 {
				return t, false
			}
		}
		t = next
	}
	return t, false
}
