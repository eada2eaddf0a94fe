package stat

import (
	"math"

	"github.com/aclements/go-moremath/mathx"
)

// fTail is P(F ≥ f) for the F distribution with d1 and d2 degrees of freedom, 0 < d1, 0 < d2 ≤ +Inf. An infinite d2 is
// χ² with d1 degrees of freedom, divided by d1.
func fTail(d1, d2, f float64) float64 {
	switch {
	case math.IsNaN(d1) || math.IsNaN(d2) || math.IsNaN(f):
		return math.NaN()
	case f <= 0:
		return 1
	case math.IsInf(f, 1):
		return 0
	case d2 > 1e5: // beyond this BetaInc converges slowly
		return mathx.GammaIncComp(d1/2, d1*f/2)
	}
	return mathx.BetaInc(d2/(d2+d1*f), d2/2, d1/2)
}

// chiSquareQuantile returns the x with P(χ² ≤ x) = p, for 0 < p < 1 and df > 0 degrees of freedom.
func chiSquareQuantile(df, p float64) float64 {
	below := func(x float64) bool { return mathx.GammaIncComp(df/2, x/2) > 1-p }
	hi := df
	for below(hi) {
		hi *= 2
	}
	return bisect(0, hi, below)
}
