package stat

import (
	"math"

	"github.com/aclements/go-moremath/mathx"
)

// manyDF is the number of degrees of freedom from which normal approximations take the place of series, which no longer
// converge. Their error there is below 1e-4.
const manyDF = 200

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
	case d1 > manyDF:
		return fTailNormal(d1, d2, f)
	case d2 > 1e4:
		return mathx.GammaIncComp(d1/2, d1*f/2)
	}
	return mathx.BetaInc(d2/(d2+d1*f), d2/2, d1/2)
}

// fTailNormal is fTail by the cube root of F, which is nearly normal (Paulson, "An approximate normalization of the
// analysis of variance distribution", Annals of Mathematical Statistics 13, 1942).
func fTailNormal(d1, d2, f float64) float64 {
	a, b, root := 2/(9*d1), 2/(9*d2), math.Cbrt(f)
	z := ((1-b)*root - (1 - a)) / math.Sqrt(a+root*root*b)
	return math.Erfc(z/math.Sqrt2) / 2
}

// chiSquareQuantile returns the x with P(χ² ≤ x) = p, for 0 < p < 1 and df > 0 degrees of freedom.
func chiSquareQuantile(df, p float64) float64 {
	if df > manyDF { // Wilson & Hilferty, "The distribution of chi-square", PNAS 17, 1931
		a := 2 / (9 * df)
		return df * math.Pow(1-a+normalQuantile(p)*math.Sqrt(a), 3)
	}
	below := func(x float64) bool { return mathx.GammaIncComp(df/2, x/2) > 1-p }
	hi := df
	for below(hi) {
		hi *= 2
	}
	return bisect(0, hi, below)
}
