package render

import (
	"math"

	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/internal/result"
)

// Estimate returns a result in a few words, for a progress line: "6.8 µs/op ± 3 %".
// Without an interval yet it is the median alone.
func Estimate(r result.Benchmark) string {
	m := float64(r.Median)
	text := units.Value(r.Unit, m, 3)
	half := math.Max(float64(r.Hi-r.Median), float64(r.Median-r.Lo))
	if m == 0 || math.IsInf(half, 0) || math.IsNaN(half) {
		return text
	}
	return text + " ± " + units.Percent(half/math.Abs(m))
}
