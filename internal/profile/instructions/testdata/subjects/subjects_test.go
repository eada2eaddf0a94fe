// Package subjects has benchmarks whose work is known in proportion.
package subjects

import "testing"

var sum uint64

//go:noinline
func chain(n int) uint64 {
	x := uint64(n)
	for range n {
		x = x*6364136223846793005 + 1442695040888963407
	}
	return x
}

func BenchmarkOnce(b *testing.B) {
	for range b.N {
		sum += chain(1000)
	}
}

func BenchmarkTwice(b *testing.B) {
	for range b.N {
		sum += chain(2000)
	}
}

// BenchmarkLoop is Once with b.Loop, and a set-up.
func BenchmarkLoop(b *testing.B) {
	sum += chain(1_000_000)
	for b.Loop() {
		sum += chain(1000)
	}
}

func BenchmarkParallel(b *testing.B) {
	b.RunParallel(func(pb *testing.PB) {
		x := uint64(0)
		for pb.Next() {
			x += chain(1000)
		}
	})
}

// BenchmarkStubborn does what it wants.
func BenchmarkStubborn(b *testing.B) {
	sum += chain(1000)
	b.N = 7
}

func step(x uint64) uint64 {
	return x*6364136223846793005 + 1442695040888963407 // the inlined line
}

//go:noinline
func inlining(n int) uint64 {
	x := uint64(n)
	for range n {
		x = step(x)
	}
	return x
}

func BenchmarkInlined(b *testing.B) {
	for range b.N {
		sum += inlining(1000)
	}
}
