// Package subjects has benchmarks of which it is known where they spend their time.
package subjects

import (
	"sync/atomic"
	"testing"
	"time"
)

var sink uint64

// steps is a loop of n steps of the same cost: each needs the one before.
//
//go:noinline
func steps(n int) {
	x := sink | 1
	for range n {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
	}
	sink = x
}

//go:noinline
func long(n int) { steps3(3 * n) }

//go:noinline
func steps3(n int) {
	x := sink | 1
	for range n {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
	}
	sink = x
}

// BenchmarkShares spends a quarter of its time in steps and the rest in steps3.
func BenchmarkShares(b *testing.B) {
	for b.Loop() {
		steps(100_000)
		long(100_000)
	}
}

//go:noinline
func prepare(n int) { steps(n) }

// BenchmarkSetUp spends in steps, before its timer starts, as much time as in steps3.
func BenchmarkSetUp(b *testing.B) {
	prepare(300_000 * b.N)
	b.ResetTimer()
	for range b.N {
		long(100_000)
	}
}

// BenchmarkStops spends in steps, while its timer is stopped, as much time as in steps3.
func BenchmarkStops(b *testing.B) {
	for range b.N {
		b.StopTimer()
		prepare(300_000)
		b.StartTimer()
		long(100_000)
	}
}

func BenchmarkSleep(b *testing.B) {
	for b.Loop() {
		time.Sleep(time.Millisecond)
	}
}

//go:noinline
func divide(n int) {
	x := sink | 1
	for range n {
		x = 1<<63/x + 3
	}
	sink = x
}

//go:noinline
func chase(n int) {
	at := uint32(0)
	for range n {
		at = ring[at]
	}
	sink = uint64(at)
}

// ring is a cycle through all of its elements.
var ring = func() []uint32 {
	r := make([]uint32, 1<<20)
	for i := range r {
		r[i] = uint32(5*i+1) % uint32(len(r))
	}
	return r
}()

var counter atomic.Uint64

//go:noinline
func add(n int) {
	for range n {
		counter.Add(3)
	}
}

func BenchmarkDivide(b *testing.B) {
	for b.Loop() {
		divide(100_000)
	}
}

func BenchmarkChase(b *testing.B) {
	for b.Loop() {
		chase(100_000)
	}
}

func BenchmarkAdd(b *testing.B) {
	for b.Loop() {
		add(100_000)
	}
}
