package fewlines

import (
	"math"
	"strings"
)

func (d *draw) integer(bits int) int64 {
	least, most := int64(math.MinInt64)>>(64-bits), int64(math.MaxInt64)>>(64-bits)
	if d.chance(d.extreme + 0.1) {
		return max(least, min(most, pick(d.rng, []int64{-1, -1, -1000, least, least + 1, most, most - 1, 1 << 53, 1 << 31, 1 << 40, 1e9, 1e18, 1 << 61, 1 << 60, 100_000_000})))
	}
	return min(most, pick(d.rng, []int64{0, 0, 1, 1, 1, 2, 3, 10, 100, int64(d.rng.IntN(100_000)), int64(d.rng.IntN(1e9))}))
}

func (d *draw) float() float64 {
	if d.chance(d.extreme + 0.1) {
		return pick(d.rng, []float64{-1, math.MaxFloat64, -math.MaxFloat64, math.SmallestNonzeroFloat64, 1e-300, 1e300, 1e18, 1e19, -1e-9, 1e10, math.Copysign(0, -1)})
	}
	return pick(d.rng, []float64{0, 0, 1, 1, 0.5, 0.95, 0.01, 2, 1.5, d.rng.Float64(), 1000 * d.rng.Float64(), 1e6 * d.rng.Float64()})
}

func (d *draw) text() string {
	if d.chance(d.extreme / 10) {
		return strings.Repeat(pick(d.rng, []string{"x", "long ", "é", "/a=b", "\U0001f469\u200d"}), 1+d.rng.IntN(5000))
	}
	return pick(d.rng, []string{"", "", "x", "old", "new", "a b", "READ", "1", "é", "a\nb", "main.f", "/src/f.go", "p", "B", "B/size=1", "<b>", "\"", "50%", "%d", "7f3a"})
}
