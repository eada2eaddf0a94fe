package footprint

import (
	"runtime"
	"slices"
	"testing"
)

// TestClasses compares what append tells with the classes that the runtime lists
// (those up to 18 KiB).
func TestClasses(t *testing.T) {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	for _, class := range m.BySize[1:] {
		size := uintptr(class.Size)
		if size > maxSmall-headerBytes {
			break
		}
		if !slices.Contains(sizeClasses(), size) {
			t.Errorf("size class %d is not found", size)
		}
		if got := BlockBytes(size, true); got != size && size <= headerFrom {
			t.Errorf("a block for %d bytes has %d", size, got)
		}
	}
	if classes := sizeClasses(); !slices.IsSorted(classes) || classes[len(classes)-1] != maxSmall {
		t.Errorf("classes are %d", classes)
	}
}

// TestHeader compares with what append leaves for pointers.
func TestHeader(t *testing.T) {
	for n := 1; n < 10000; n++ {
		grown := uintptr(cap(append([]*int(nil), make([]*int, n)...))) * wordBytes
		size := uintptr(n) * wordBytes
		room := BlockBytes(size, true) - header(size, true)
		if room/wordBytes*wordBytes != grown {
			t.Fatalf("%d pointers have a block with room for %d bytes, and append makes it %d", n, room, grown)
		}
	}
}
