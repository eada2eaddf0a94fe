package render

import (
	"math"

	"github.com/tarebench/tare/internal/result"
)

// Estimate is a result in a few words, for a progress line: "6.8 µs/op ± 3 %".
// Without an interval yet it is the median alone.
func Estimate(r result.Benchmark) string {
	g := newGlyphs(true)
	m := float64(r.Median)
	s := scaleOf(r.Unit, m, g)
	text := g.number(m/s.div, rounding{places: 2 - magnitude(m/s.div)}) + " " + s.long()
	half := math.Max(float64(r.Hi-r.Median), float64(r.Median-r.Lo))
	if m == 0 || math.IsInf(half, 0) || math.IsNaN(half) {
		return text
	}
	return text + " ± " + g.percent(half/math.Abs(m))
}
