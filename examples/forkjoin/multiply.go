package main

import (
	"math/big"
	"math/bits"
	"sync"
)

// splitAbove is how many words a factor has that is worth splitting: below, three
// goroutines cost more than they gain.
const splitAbove = 1 << 11

// parallelMultiply is z = x · y for numbers that are not negative. Large factors
// are split in two and multiplied by three products instead of four, at the same
// time (Karatsuba and Ofman 1962, in the form of Knuth 4.3.3); the pieces are left to
// big.Int.Mul, which splits further by itself, on one processor.
func parallelMultiply(z, x, y *big.Int) *big.Int {
	half := (max(len(x.Bits()), len(y.Bits())) + 1) / 2
	if half < splitAbove || min(len(x.Bits()), len(y.Bits())) <= half {
		return z.Mul(x, y)
	}
	x0, x1 := cut(x, half)
	y0, y1 := cut(y, half)
	var low, high, middle big.Int
	var wg sync.WaitGroup
	wg.Go(func() { parallelMultiply(&low, x0, y0) })
	wg.Go(func() { parallelMultiply(&high, x1, y1) })
	var sx, sy big.Int
	parallelMultiply(&middle, sx.Add(x0, x1), sy.Add(y0, y1))
	wg.Wait()
	middle.Sub(&middle, &low)
	middle.Sub(&middle, &high)

	shift := uint(half * bits.UintSize)
	z.Lsh(&high, shift)
	z.Add(z, &middle)
	z.Lsh(z, shift)
	return z.Add(z, &low)
}

// cut returns the n low words of x and the others. They share memory with x.
func cut(x *big.Int, n int) (low, high *big.Int) {
	words := x.Bits()
	return new(big.Int).SetBits(words[:n:n]), new(big.Int).SetBits(words[n:])
}
