package bisectrun

import "math/rand/v2"

// order draws which of two sides is measured first.
type order struct{ r *rand.Rand }

func newOrder(seed uint64) order { return order{rand.New(rand.NewPCG(seed, 0x70616972))} } // "pair"

func (o order) pair() []int {
	first := o.r.IntN(2)
	return []int{first, 1 - first}
}
