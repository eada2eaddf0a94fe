package stat

import (
	"math"

	"github.com/aclements/go-moremath/stats"
)

// alphaOf returns a text such as 1-confidence without the rounding noise of that subtraction, so
// that a p of exactly 0.1 meets a confidence of 0.9. Confidence 1 and above
// and NaN give 0: nothing is ever rejected, every interval is infinite.
func alphaOf(confidence float64) float64 {
	if !(confidence < 1) {
		return 0
	}
	return math.Round((1-max(confidence, 0))*1e15) / 1e15
}

// atMost reports whether p ≤ alpha, with tolerance for the last bits of a computed
// probability. Tests and the intervals that invert them must use the same comparison.
func atMost(p, alpha float64) bool {
	return p <= alpha*(1+1e-12)
}

// normalQuantile is Φ⁻¹(p): -Inf at 0, +Inf at 1.
func normalQuantile(p float64) float64 {
	return stats.StdNormal.InvCDF(p)
}

// normalTail is P(|Z| ≥ |z|) for a standard normal Z: the two-sided p of z.
func normalTail(z float64) float64 {
	return math.Erfc(math.Abs(z) / math.Sqrt2)
}
