package subjects

import (
	"runtime"
	"strconv"
	"strings"
	"testing"
)

// The functions are not inlined so that each line below allocates one kind of thing.

type pair[K comparable, V any] struct {
	key  K
	vals []V
}

//go:noinline
func fill(ps []*block) {
	for i := range ps {
		ps[i] = new(block)
	}
}

// BenchmarkHeapPointers holds a million blocks of 64 bytes, and the slice to them.
func BenchmarkHeapPointers(b *testing.B) {
	ps := make([]*block, entries)
	fill(ps)
	for b.Loop() {
		sum += len(ps)
	}
	runtime.KeepAlive(ps)
}

func BenchmarkHeapMap(b *testing.B) {
	m := numbers()
	for b.Loop() {
		sum += m[1]
	}
}

func BenchmarkHeapStrings(b *testing.B) {
	var keep []string
	for i := range 200_000 {
		keep = append(keep, strings.Repeat("x", 20)+strconv.Itoa(i))
	}
	for b.Loop() {
		sum += len(keep)
	}
	runtime.KeepAlive(keep)
}

func BenchmarkHeapClosures(b *testing.B) {
	var keep []func() int
	for i := range 200_000 {
		j := i
		keep = append(keep, func() int { return i + j })
	}
	for b.Loop() {
		sum += keep[7]()
	}
}

// BenchmarkHeapMixed has what else there is: interfaces, channels, generic code.
func BenchmarkHeapMixed(b *testing.B) {
	var keep []any
	for i := range 10_000 {
		keep = append(keep, block{}, make(chan block, 2), newPair("k", i), map[string]int{"a": i, strconv.Itoa(i): i}, [2]*block{}, &pair[string, block]{key: "b"})
	}
	for b.Loop() {
		sum += len(keep)
	}
	runtime.KeepAlive(keep)
}

//go:noinline
func newPair[K comparable, V any](k K, v V) *pair[K, V] {
	return &pair[K, V]{k, []V{v, v, v}}
}

// BenchmarkHeapN loops over b.N.
func BenchmarkHeapN(b *testing.B) {
	m := numbers()
	b.ResetTimer()
	for i := range b.N {
		sum += m[i&1023]
	}
}

// BenchmarkHeapRate disturbs whoever profiles it.
func BenchmarkHeapRate(b *testing.B) {
	runtime.MemProfileRate = 4096
	for b.Loop() {
		sum++
	}
}
