//go:build unix

package main

import (
	"os"
	"runtime"
	"syscall"
	"testing"

	"github.com/tarebench/tare/footprint"
)

const entries = 1_000_000

type block [8]uint64

var (
	kept *block
	sum  int
)

// BenchmarkMap keeps a map of a million ints. Its weight varies a little with its
// hash seed; footprint, which walks it, tells.
func BenchmarkMap(b *testing.B) {
	m := make(map[int]int)
	for i := range entries {
		m[i] = i
	}
	truth := float64(footprint.Measure(m).Bytes)
	for b.Loop() {
		sum += m[1]
	}
	b.ReportMetric(truth, "truth-B")
}

// BenchmarkPointers keeps a million pointers to structs of 64 bytes.
func BenchmarkPointers(b *testing.B) {
	ps := make([]*block, entries)
	for i := range ps {
		ps[i] = new(block)
	}
	for b.Loop() {
		sum += len(ps)
	}
	runtime.KeepAlive(ps)
	const pageSized = (8*entries + 8191) / 8192 * 8192
	b.ReportMetric(64*entries+pageSized, "truth-B")
}

// BenchmarkMapped takes its memory from the system, and touches all of it.
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
	b.ReportMetric(size, "truth-B")
}

// BenchmarkAllocate allocates one object per operation.
func BenchmarkAllocate(b *testing.B) {
	for b.Loop() {
		kept = new(block)
	}
}

// BenchmarkChurn has the collector run often, and reports its time as a metric of
// its own: the times of memory forks are not recorded.
func BenchmarkChurn(b *testing.B) {
	const piece = 1_000_000
	for b.Loop() {
		for range piece {
			kept = new(block)
		}
	}
	b.ReportMetric(float64(b.Elapsed())/float64(b.N)/piece, "own-ns")
}
