// Package subjects has benchmarks whose weight is known.
package subjects

import (
	"os"
	"runtime"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

const entries = 1_000_000

func numbers() map[int]int {
	m := make(map[int]int)
	for i := range entries {
		m[i] = i
	}
	return m
}

type block struct{ words [8]uint64 }

var (
	global map[int]int
	sum    int
)

func BenchmarkLocal(b *testing.B) {
	m := numbers()
	for b.Loop() {
		sum += m[1]
	}
}

func BenchmarkGlobal(b *testing.B) {
	global = numbers()
	for b.Loop() {
		sum += global[1]
	}
}

func BenchmarkClosure(b *testing.B) {
	m := numbers()
	get := func(i int) int { return m[i] }
	for b.Loop() {
		sum += get(1)
	}
}

// BenchmarkN loops as all did before there was b.Loop.
func BenchmarkN(b *testing.B) {
	m := numbers()
	b.ResetTimer()
	for i := range b.N {
		sum += m[i&1023]
	}
}

func BenchmarkPointers(b *testing.B) {
	ps := make([]*block, entries)
	for i := range ps {
		ps[i] = new(block)
	}
	for b.Loop() {
		sum += len(ps)
	}
	runtime.KeepAlive(ps)
}

// BenchmarkMapped takes its memory from the system.
func BenchmarkMapped(b *testing.B) {
	const size = 256 << 20
	for b.Loop() {
		mem, err := syscall.Mmap(-1, 0, size, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
		if err != nil {
			b.Fatal(err)
		}
		for i := 0; i < size; i += os.Getpagesize() {
			mem[i] = 1
		}
		syscall.Munmap(mem)
	}
}

var garbage []byte

// BenchmarkForeign has its loop in a file that is not a test.
func BenchmarkForeign(b *testing.B) {
	m := numbers()
	b.ResetTimer()
	loop(b, m)
}

const (
	blocks = 48
	mebi   = 1 << 20
)

// makeBlock returns a block with all of its pages resident.
func makeBlock() []byte {
	x := make([]byte, mebi)
	for i := 0; i < mebi; i += 4096 {
		x[i] = 1
	}
	return x
}

//go:noinline
func makeBlocks() [][]byte {
	out := make([][]byte, blocks)
	for i := range out {
		out[i] = makeBlock()
	}
	return out
}

// BenchmarkBlocks uses its blocks only before the loop.
func BenchmarkBlocks(b *testing.B) {
	keep := makeBlocks()
	sum += len(keep)
	b.ResetTimer()
	for i := 0; i < b.N; i++ {
		sum += i
	}
}

// BenchmarkRing replaces one of its blocks in each operation.
func BenchmarkRing(b *testing.B) {
	keep := makeBlocks()
	b.ResetTimer()
	for i := range b.N {
		keep[i%blocks] = makeBlock()
	}
}

// BenchmarkRebuild builds all blocks in each operation, keeps them for the time of an operation, and drops them.
func BenchmarkRebuild(b *testing.B) {
	for range b.N {
		start := time.Now()
		keep := makeBlocks()
		for took := time.Since(start); time.Since(start) < 4*took; {
			sum += len(keep)
		}
		runtime.KeepAlive(keep)
	}
}

// BenchmarkRebuildLast keeps the blocks of the last operation.
func BenchmarkRebuildLast(b *testing.B) {
	var keep [][]byte
	for range b.N {
		keep = makeBlocks()
	}
	sum += len(keep)
}

func BenchmarkParallel(b *testing.B) {
	m := numbers()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			_ = m[1]
		}
	})
}

// BenchmarkGarbage keeps a mebibyte alive and makes garbage of 8 KiB pieces.
func BenchmarkGarbage(b *testing.B) {
	keep := make([]byte, 1<<20)
	b.ResetTimer()
	for range b.N {
		garbage = make([]byte, 8<<10)
	}
	sum += len(keep)
}

var collected, collecting atomic.Int64

// delay is a finalizer that holds up all others for ten cycles of the collector, or a second at most.
func delay(x *[64]byte) {
	from := collected.Load()
	for range 1000 {
		if collecting.Load() == 0 || collected.Load() >= from+10 {
			break
		}
		time.Sleep(time.Millisecond)
	}
	if collecting.Load() > 0 {
		runtime.SetFinalizer(x, delay)
	}
}

// BenchmarkCollect ends a cycle of the collector in each operation. Finalizers see one of ten.
func BenchmarkCollect(b *testing.B) {
	collecting.Store(1)
	runtime.SetFinalizer(new([64]byte), delay)
	for b.Loop() {
		runtime.GC()
		collected.Add(1)
	}
	collecting.Store(0)
}
