// The checks of the tag queuedebug take memory of their own.

//go:build !queuedebug

package queue_test

import (
	"math"
	"os"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tarebench/tare/queue"
)

// TestMemory compares what queues allocate with what the comments of their types
// say: bytes for each element, exactly, and KiB besides.
func TestMemory(t *testing.T) {
	if raceDetector {
		t.Skip("the race detector allocates")
	}
	for _, c := range []struct {
		file     string
		what     string
		elements int // for which there is memory at once
		each     int // bytes of one
		make     func() any
	}{
		{"spsc.go", "int64", 1024, 8, func() any { return queue.NewSPSC[int64](1024) }},
		{"spsc.go", "24 bytes", 4096, 24, func() any { return queue.NewSPSC[[3]int64](4096) }},
		{"growable.go", "int64", 16, 8, func() any { return queue.NewGrowableSPSC[int64](16, 1024) }},
		{"unbounded_spsc.go", "int64", 1024, 8, func() any { return queue.NewUnboundedSPSC[int64]() }},
		{"mpsc.go", "int64, padded", 1024, 128, func() any { return queue.NewMPSC[int64](1024) }},
		{"mpsc.go", "24 bytes, padded", 1024, 128, func() any { return queue.NewMPSC[[3]int64](1024) }},
		{"mpsc.go", "int64, not padded", 8192, 16, func() any { return queue.NewMPSC[int64](8192) }},
		{"linked_mpsc.go", "int64", 0, 16, func() any { return queue.NewLinkedMPSC[int64]() }},
		{"unbounded_mpsc.go", "int64", 1024, 16, func() any { return queue.NewUnboundedMPSC[int64]() }},
		{"unbounded_mpsc.go", "int32", 1024, 8, func() any { return queue.NewUnboundedMPSC[int32]() }},
		{"unbounded_mpmc.go", "int64", 1024, 16, func() any { return queue.NewUnboundedMPMC[int64]() }},
		{"unbounded_mpmc.go", "int32", 1024, 8, func() any { return queue.NewUnboundedMPMC[int32]() }},
		{"spmc.go", "int64, padded", 4096, 64, func() any { return queue.NewSPMC[int64](4096) }},
		{"spmc.go", "int64, not padded", 8192, 16, func() any { return queue.NewSPMC[int64](8192) }},
		{"mpmc.go", "int64, padded", 1024, 128, func() any { return queue.NewMPMC[int64](1024) }},
		{"mpmc.go", "int64, padded to a line", 4096, 64, func() any { return queue.NewMPMC[int64](4096) }},
		{"mpmc.go", "16 bytes, padded", 1024, 192, func() any { return queue.NewMPMC[[2]int64](1024) }},
	} {
		if strconv.IntSize == 32 && strings.HasPrefix(c.file, "unbounded_mp") && c.what == "int64" {
			c.each = 12 // int64 is aligned to 4
		}
		besides := float64(allocated(c.make)-c.elements*c.each) / 1024
		if said := saidBesides(t, c.file); math.Abs(besides-said) > 0.15 { // neighbouring size classes differ by 128 bytes there
			t.Errorf("%s, %s: %.3f KiB besides %d elements of %d bytes, the comment says about %v", c.file, c.what, besides, c.elements, c.each, said)
		}
	}
	node := allocated(func() any {
		q := queue.NewLinkedMPSC[int64]()
		for i := range int64(100) {
			q.TryEnqueue(i)
		}
		return q
	}) - allocated(func() any { return queue.NewLinkedMPSC[int64]() })
	if node != 100*16 {
		t.Errorf("100 elements of 8 bytes take %d bytes in a LinkedMPSC, want 16 each", node)
	}
}

// TestCompact holds the promise of GrowableSPSC: many short queues.
func TestCompact(t *testing.T) {
	if raceDetector {
		t.Skip("the race detector allocates")
	}
	const most = 400
	if n := allocated(func() any { return queue.NewGrowableSPSC[int64](16, 1<<20) }); n > most {
		t.Errorf("a GrowableSPSC for 16 elements of 8 bytes takes %d bytes, want %d at most", n, most)
	}
}

// TestCompactLayout compares a queue without padding with what its comment says: no
// cache line has parts that different sides write.
func TestCompactLayout(t *testing.T) {
	if strconv.IntSize == 32 {
		t.Skip("the parts are smaller")
	}
	const line = 64
	size, parts := queue.CompactLayout()
	if size != 4*line {
		t.Errorf("the queue has %d bytes, want %d", size, 4*line)
	}
	for name, lies := range parts {
		if first, last := lies[0]/line, (lies[1]-1)/line; first != last {
			t.Errorf("%s lies in lines %d to %d, want one", name, first, last)
		}
		for other, also := range parts {
			if name < other && lies[0]/line == also[0]/line {
				t.Errorf("%s and %s share a line", name, other)
			}
		}
	}
}

// allocated returns how many bytes a function allocates: the median of several tries.
func allocated(f func() any) int {
	var all []uint64
	var before, after runtime.MemStats
	for range 11 {
		runtime.ReadMemStats(&before)
		v := f()
		runtime.ReadMemStats(&after)
		runtime.KeepAlive(v)
		all = append(all, after.TotalAlloc-before.TotalAlloc)
	}
	slices.Sort(all)
	return int(all[len(all)/2]) // others allocate meanwhile, and what was read before may hold a part of it
}

var besidesText = regexp.MustCompile(`about\s+(?://\s+)?([0-9.]+) KiB besides`)

// saidBesides reads a type's comment.
func saidBesides(t *testing.T, file string) float64 {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	found := besidesText.FindSubmatch(text)
	if found == nil {
		t.Fatalf("the comment in %s does not say how much memory there is besides", file)
	}
	said, err := strconv.ParseFloat(string(found[1]), 64)
	if err != nil {
		t.Fatal(err)
	}
	return said
}
