package footprint

import (
	"reflect"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"
	"unsafe"
)

// extent is a range of addresses, the end exclusive.
type extent struct{ from, to uintptr }

type extents []extent

func (e extents) contain(addr uintptr) bool {
	return slices.ContainsFunc(e, func(e extent) bool { return e.from <= addr && addr < e.to })
}

// image returns where the program lies in memory: its code, constants and
// package-level variables. It returns nil if that is not known.
//
// All systems load the header of an executable file in front of the code, at the
// start of a page. It lists the addresses of all parts. Go's linker places the
// runtime near the beginning, so that the header is near the code of the runtime.
var image = sync.OnceValue(func() extents {
	return findImage(reflect.ValueOf(runtime.GC).Pointer())
})

const (
	headBytes = 4096     // bytes of a header that are read; pages are no smaller
	maxSearch = 64 << 20 // limit of the distance from the code to the header
)

func findImage(code uintptr) (found extents) {
	defer func(old bool) {
		debug.SetPanicOnFault(old)
		if recover() != nil {
			found = nil // this memory is not mapped: the header is elsewhere
		}
	}(debug.SetPanicOnFault(true))
	for at := code &^ (headBytes - 1); at >= headBytes && code-at < maxSearch; at -= headBytes {
		head := unsafe.Slice((*byte)(pointer(at)), headBytes)
		if e := parseImage(head, at); e.contain(code) {
			return e
		}
	}
	return nil
}

// pointer converts an address outside of Go's heap.
func pointer(addr uintptr) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&addr)) }
