package footprint

import (
	"reflect"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"
	"unsafe"
)

// extent is a range of addresses, the second exclusive.
type extent struct{ from, to uintptr }

type extents []extent

func (e extents) contain(addr uintptr) bool {
	return slices.ContainsFunc(e, func(e extent) bool { return e.from <= addr && addr < e.to })
}

// image is where the program itself lies in memory: its code, constants and
// package-level variables. It is nil where that is not known.
//
// The header of an executable file is loaded with the rest of it on all systems
// that have such files, in front of the code and at the start of a page, and says
// which addresses the rest has. The runtime is among the first things that Go's
// linker places, so that the way there is short.
var image = sync.OnceValue(func() extents {
	return findImage(reflect.ValueOf(runtime.GC).Pointer())
})

const (
	headBytes = 4096     // what is looked at of a header; pages are no smaller
	maxSearch = 64 << 20 // from the code to the header
)

func findImage(code uintptr) (found extents) {
	defer func(old bool) {
		debug.SetPanicOnFault(old)
		if recover() != nil {
			found = nil // nothing lies there: the header is elsewhere
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

// pointer is for addresses outside of Go's heap.
func pointer(addr uintptr) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&addr)) }
