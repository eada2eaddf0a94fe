package ycsb

import "math/bits"

// random is the stream of numbers that one operation is chosen from: a part of
// the sequence of SplitMix64 (Steele, Lea and Flood, "Fast Splittable
// Pseudorandom Number Generators", OOPSLA 2014), each number of which can be
// computed from its place in it. An operation owns 256 numbers, more than it
// needs; where any number of them may be needed, as for values, a stream begins
// at a place by chance.
type random struct{ state, k uint64 }

const golden = 0x9e3779b97f4a7c15 // 2^64 divided by the golden ratio

// start goes to the beginning of the numbers of operation k.
func (r *random) start(seed, k uint64) { r.state, r.k = seed+k*(golden<<8&(1<<64-1)), k }

// fork returns a stream of its own.
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

// below returns a number from 0 … n−1. Some are more likely than others by at
// most n in 2^64.
func (r *random) below(n uint64) uint64 {
	hi, _ := bits.Mul64(r.next(), n)
	return hi
}
