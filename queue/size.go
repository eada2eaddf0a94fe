package queue

import (
	"fmt"
	"math/bits"
	"reflect"
	"unsafe"
)

// maxCapacity is far above what makes sense, and low enough that sizes in bytes
// of elements up to 8 GiB cannot overflow.
const maxCapacity = 1 << 30

// roundCapacity returns the power of two, at least 2, that holds n elements. It
// panics as make does when asked for what cannot be.
func roundCapacity(constructor string, n int) uint64 {
	if n <= 0 || n > maxCapacity {
		panic(fmt.Sprintf("queue: %s: capacity %d is out of range, want 1 to %d", constructor, n, maxCapacity))
	}
	return max(2, uint64(1)<<bits.Len(uint(n-1)))
}

// padShift says how far apart the slots of a ring lie, as a shift of their index.
// Slots that different goroutines write at the same time should not share a cache
// line of 64 bytes; but once a padded ring has outgrown the cache of a core, the
// memory that padding adds costs more than sharing does.
func padShift(slotSize uintptr, capacity uint64) (shift uint) {
	const line, cache = 64, 256 << 10
	if capacity*line > cache || slotSize == 0 {
		return 0
	}
	for slotSize<<shift < line {
		shift++
	}
	return shift
}

// slotBytes is the size of a slot type.
func slotBytes[S any]() uintptr {
	var s S
	return unsafe.Sizeof(s)
}

// holdsPointers reports whether values of T can keep other objects alive. Slots of
// such values are cleared when they are dequeued; the others need not be.
func holdsPointers[T any]() bool { return typeHoldsPointers(reflect.TypeFor[T]()) }

func typeHoldsPointers(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Array:
		return t.Len() > 0 && typeHoldsPointers(t.Elem())
	case reflect.Struct:
		for f := range t.Fields() {
			if typeHoldsPointers(f.Type) {
				return true
			}
		}
		return false
	case reflect.Pointer, reflect.UnsafePointer, reflect.Map, reflect.Chan, reflect.Func,
		reflect.Interface, reflect.Slice, reflect.String:
		return true
	}
	return false
}

// mustCall panics where a nil callback is handed in, instead of where it would be
// called: that may be much later, when there is something to call it for.
func mustCall(method string, isNil bool) {
	if isNil {
		panic("queue: " + method + ": nil function")
	}
}
