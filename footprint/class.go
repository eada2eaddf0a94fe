package footprint

import (
	"slices"
	"sync"
	"unsafe"
)

const (
	wordBytes = unsafe.Sizeof(uintptr(0))
	// headerFrom is the size above which a block of an object with pointers has a
	// header of one word. Up to it, one bit for each word fits into a word.
	headerFrom  = wordBytes * wordBytes * 8
	headerBytes = 8
	maxSmall    = 32 << 10
)

// sizeClasses returns the sizes of blocks up to 32 KiB. It measures them in the
// running program: append grows a slice to the size of its block.
var sizeClasses = sync.OnceValue(func() []uintptr {
	var sizes []uintptr
	for n := 1; n <= maxSmall-headerBytes; n++ {
		n = cap(append([]byte(nil), make([]byte, n)...))
		sizes = append(sizes, uintptr(n))
	}
	return sizes
})

// BlockBytes returns the size in bytes of the block that the allocator of the running
// program uses for an object of the given size, with or without pointers: the next
// size class, or above 32 KiB whole pages of 8 KiB. Blocks of objects with pointers
// have a header of 8 bytes if the object is larger than 512 bytes (128 on 32-bit
// systems) and at most 32 KiB. BlockBytes returns 0 for size 0. Pointer-free objects
// of less than 16 bytes share blocks of 16; for them it returns the size of an
// unshared block.
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

// header returns the size of the header in the block of an object.
func header(size uintptr, pointers bool) uintptr {
	if pointers && size > headerFrom && size <= maxSmall-headerBytes {
		return headerBytes
	}
	return 0
}

// insideLargerBlock reports whether no block of this size can start at this address.
// Blocks of a class lie side by side from the start of a page on, so that their
// addresses are multiples of the largest power of two in their size.
func insideLargerBlock(b block, pointers bool) bool {
	class := BlockBytes(b.size, pointers)
	if class > maxSmall {
		class = pageBytes
	}
	align := min(class&-class, pageBytes)
	return (b.addr-header(b.size, pointers))&(align-1) != 0
}
