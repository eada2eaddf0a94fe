package subjects

import (
	"runtime"
	"testing"
)

var (
	tiny    *uint8
	block   *[64]byte
	pointer *node
	fn      func() int
	table   map[int]int
	bytes   []byte
	any1    any
)

type node struct{ next, prev *node }

// BenchmarkTiny allocates one byte, of which sixteen share a slot.
func BenchmarkTiny(b *testing.B) {
	for range b.N {
		tiny = new(uint8)
	}
}

// BenchmarkTinyLoop does the same with b.Loop.
func BenchmarkTinyLoop(b *testing.B) {
	for b.Loop() {
		tiny = new(uint8)
	}
}

// BenchmarkNothing allocates nothing.
func BenchmarkNothing(b *testing.B) {
	n := 0
	for i := range b.N {
		n += i
	}
	if n < 0 {
		b.Fatal(n)
	}
}

// BenchmarkMap grows a map.
func BenchmarkMap(b *testing.B) {
	for range b.N {
		table = map[int]int{}
		for i := range 100 {
			table[i] = i
		}
	}
}

// BenchmarkClosure allocates a function with two captured variables.
func BenchmarkClosure(b *testing.B) {
	for i := range b.N {
		fn = adder(i, b.N)
	}
}

//go:noinline
func adder(x, y int) func() int { return func() int { return x + y } }

// BenchmarkGeneric allocates by two instances of a generic function.
func BenchmarkGeneric(b *testing.B) {
	for range b.N {
		any1 = boxed([4]int64{})
		any1 = boxed(node{})
	}
}

//go:noinline
func boxed[T any](x T) *T { return &x }

// BenchmarkSub has sub-benchmarks that differ in what they allocate.
func BenchmarkSub(b *testing.B) {
	b.Run("one", func(b *testing.B) {
		for range b.N {
			block = new([64]byte)
		}
	})
	b.Run("two", func(b *testing.B) {
		for b.Loop() {
			block = new([64]byte)
			pointer = new(node)
		}
	})
}

// BenchmarkParallel allocates in several goroutines.
func BenchmarkParallel(b *testing.B) {
	b.RunParallel(func(pb *testing.PB) {
		var mine *node
		for pb.Next() {
			mine = &node{next: mine}
			mine.next = nil
			keep(mine)
		}
	})
}

//go:noinline
func keep(n *node) {
	if n.prev != nil {
		pointer = n
	}
}

// BenchmarkProfiles profiles memory itself, at a rate of its own, and reads the profile and the statistics in its window.
func BenchmarkProfiles(b *testing.B) {
	rate := runtime.MemProfileRate
	runtime.MemProfileRate = 1
	defer func() { runtime.MemProfileRate = rate }()
	records := make([]runtime.MemProfileRecord, 10_000)
	var stats runtime.MemStats
	b.ResetTimer()
	for i := range b.N {
		block = new([64]byte)
		if i%4 == 0 {
			runtime.ReadMemStats(&stats)
			runtime.MemProfile(records, true)
		}
	}
}

// BenchmarkWindow allocates before its timer is reset, while it is stopped, and once in its window.
func BenchmarkWindow(b *testing.B) {
	setup(b.N)
	b.ResetTimer()
	bytes = make([]byte, 1<<20)
	for range b.N {
		b.StopTimer()
		setup(3)
		b.StartTimer()
		block = new([64]byte)
	}
	b.StopTimer()
	setup(1000)
}

//go:noinline
func setup(n int) {
	for range n {
		pointer = new(node)
	}
}

// BenchmarkRecursive allocates at more stacks than the table has room for.
func BenchmarkRecursive(b *testing.B) {
	for range b.N {
		for i := range 40_000 {
			deep(i, 16)
		}
	}
}

//go:noinline
func deep(path, n int) {
	switch {
	case n == 0:
		pointer = new(node)
	case path&1 == 0:
		deep(path>>1, n-1)
	default:
		deep(path>>1, n-1)
	}
}
