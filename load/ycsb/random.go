package ycsb

import "math/bits"

// random is the stream of random numbers of one operation: a part of the sequence of
// SplitMix64 (Steele, Lea and Flood, "Fast Splittable Pseudorandom Number
// Generators", OOPSLA 2014), of which each number can be computed from its index. An
// operation has 256 numbers, more than it needs; for values, which may need more, a
// stream begins at a random index.
type random struct{ state, k uint64 }

const golden = 0x9e3779b97f4a7c15 // 2^64 divided by the golden ratio

// start moves to the first number of operation k.
func (r *random) start(seed, k uint64) { r.state, r.k = seed+k*(golden<<8&(1<<64-1)), k }

// fork returns an independent stream.
func (r *random) fork() random { return random{state: r.next()} }

// mix64 is Stafford's variant 13 of the finalizer of MurmurHash3, a bijection.
func mix64(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

func (r *random) next() uint64 {
	r.state += golden
	return mix64(r.state)
}

// unit returns a number from [0, 1).
func (r *random) unit() float64 { return float64(r.next()>>11) * 0x1p-53 }

// below returns a number from 0 … n−1, with a bias of at most n in 2^64.
func (r *random) below(n uint64) uint64 {
	hi, _ := bits.Mul64(r.next(), n)
	return hi
}
