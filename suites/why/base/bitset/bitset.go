// Package bitset has sets of small integers.
package bitset

import "math/bits"

// A Set holds integers, one bit for each.
type Set []uint64

// New returns an empty set for integers below n.
func New(n int) Set { return make(Set, (n+63)/64) }

// Add adds an integer.
func (s Set) Add(i int) { s[i/64] |= 1 << (i % 64) }

// Len returns how many integers are in the set.
//
//go:noinline
func (s Set) Len() int {
	n := 0
	for _, w := range s {
		n += ones(w)
	}
	return n
}

// Each calls f with each integer, in order.
//
//go:noinline
func (s Set) Each(f func(i int)) {
	for at, w := range s {
		for w != 0 {
			f(64*at + bits.TrailingZeros64(w))
			w &= w - 1
		}
	}
}
