package footprint

import (
	"slices"
	"sync"
	"unsafe"
)

const (
	wordBytes = unsafe.Sizeof(uintptr(0))
	// headerFrom is the size above which an object with pointers has a header of
	// one word in its block: one bit per word fits in a word up to there.
	headerFrom  = wordBytes * wordBytes * 8
	headerBytes = 8
	maxSmall    = 32 << 10
)

// sizeClasses are the sizes of blocks up to 32 KiB. They are asked of the running
// program: a slice that append has grown fills its block.
var sizeClasses = sync.OnceValue(func() []uintptr {
	var sizes []uintptr
	for n := 1; n <= maxSmall-headerBytes; n++ {
		n = cap(append([]byte(nil), make([]byte, n)...))
		sizes = append(sizes, uintptr(n))
	}
	return sizes
})

// BlockBytes is what the allocator of the running program takes for an object of
// so many bytes, with or without pointers in it: the next size class; above
// 32 KiB whole pages of 8 KiB. Objects with pointers of more than 512 bytes (128
// on 32-bit systems) and at most 32 KiB have a header of 8 bytes in their block.
// Of 0 bytes it is 0. Pointer-free objects of less than 16 bytes share blocks of 16,
// and this is what they would take alone.
func BlockBytes(size uintptr, pointers bool) uintptr {
	if size == 0 {
		return 0
	}
	if size < maxTiny && !pointers {
		return maxTiny
	}
	if size > maxSmall-headerBytes {
		return (size + pageBytes - 1) &^ (pageBytes - 1)
	}
	classes := sizeClasses()
	i, _ := slices.BinarySearch(classes, size+header(size, pointers))
	return classes[min(i, len(classes)-1)]
}

// header is what a block holds before its object.
func header(size uintptr, pointers bool) uintptr {
	if pointers && size > headerFrom && size <= maxSmall-headerBytes {
		return headerBytes
	}
	return 0
}

// inside reports whether no block can start where this one seems to. Blocks of a
// class lie side by side from the start of a page on, so that their addresses
// are multiples of the largest power of two in their size.
func inside(b block, pointers bool) bool {
	class := BlockBytes(b.size, pointers)
	if class > maxSmall {
		class = pageBytes
	}
	align := min(class&-class, pageBytes)
	return (b.addr-header(b.size, pointers))&(align-1) != 0
}
