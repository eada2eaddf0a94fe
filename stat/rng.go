package stat

import "math/rand/v2"

// uniform is a stream of numbers in [0, 1). It uses only the PCG generator of
// math/rand/v2, whose output is specified: the same seed gives the same numbers with
// every Go release.
type uniform struct{ pcg *rand.PCG }

func newUniform(seed uint64) uniform {
	return uniform{rand.NewPCG(seed, 0x7461726573746174)} // "tarestat"
}

func (u uniform) next() float64 {
	return float64(u.pcg.Uint64()>>11) * 0x1p-53
}

// index draws from 0 … n-1.
func (u uniform) index(n int) int {
	return int(u.next() * float64(n))
}
