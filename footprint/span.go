package footprint

import (
	"runtime"
	"unsafe"
)

// findObject returns the first address of the heap block that p lies in, and the runtime's description of the
// blocks around it; nil if p is not on the heap. The runtime keeps its name and its type for packages
// that use it (runtime/mbitmap.go in Go's sources).
//
//go:linkname findObject runtime.findObject
func findObject(p, refBase, refOff uintptr) (base uintptr, span unsafe.Pointer, index uintptr)

// maxSpanBytes is how many bytes of a description are searched for the size of its blocks.
const maxSpanBytes = 160

// spanBlock returns the offset of the size of a block in the runtime's description. It searches for the one place that
// has the right sizes for blocks of several classes. It returns 0 if there is none, or more than one.
func spanBlock() (found uintptr) {
	sizes := []uintptr{48, 208, 1024, 5376, 5 * pageBytes}
	samples := make([][]byte, len(sizes))
	spans := make([]unsafe.Pointer, len(sizes))
	for i, n := range sizes {
		samples[i] = make([]byte, n)
		_, spans[i], _ = findObject(uintptr(unsafe.Pointer(&samples[i][0])), 0, 0)
		if spans[i] == nil {
			return 0
		}
	}
	fits := func(at uintptr) bool {
		for i, n := range sizes {
			if *(*uintptr)(unsafe.Add(spans[i], at)) != BlockBytes(n, false) {
				return false
			}
		}
		return true
	}
	for at := uintptr(0); at < maxSpanBytes; at += wordBytes {
		switch {
		case !fits(at):
		case found != 0:
			return 0
		default:
			found = at
		}
	}
	runtime.KeepAlive(samples)
	return found
}

// blockOf returns the heap block that p lies in: its first address and its size in bytes. The size is 0 if p is not
// on the heap or sizes are not known.
func (l runtimeLayouts) blockOf(p uintptr) (base, size uintptr) {
	if l.spanBlock == 0 {
		return 0, 0
	}
	base, span, _ := findObject(p, 0, 0)
	if span == nil || base == 0 {
		return 0, 0
	}
	return base, *(*uintptr)(unsafe.Add(span, l.spanBlock))
}

// parts are the blocks of which only parts were visited, by their first address.
type parts map[uintptr]part

// part sums the visited parts of one block.
type part struct{ size, counted, objects uintptr }

// partBytes is about what an entry of parts takes, in bytes.
const partBytes = 64

// add notes objects at an address that were counted with some bytes.
func (ps parts) add(l runtimeLayouts, addr, counted, objects uintptr) {
	base, size := l.blockOf(addr)
	if size <= counted {
		return
	}
	p := ps[base]
	p.size = size
	p.counted += counted
	p.objects += objects
	ps[base] = p
}

// sum returns the number of objects that are parts of larger blocks, and the bytes of those blocks beyond them.
func (ps parts) sum() (objects, beyond int64) {
	for _, p := range ps {
		if p.counted < p.size {
			objects += int64(p.objects)
			beyond += int64(p.size - p.counted)
		}
	}
	return objects, beyond
}
