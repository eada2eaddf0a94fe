package queue

import (
	"fmt"
	"math/bits"
	"reflect"
	"unsafe"
)

// maxCapacity is so low that the size in bytes of elements up to 8 GiB cannot
// overflow.
const maxCapacity = 1 << 30

// roundCapacity returns the least power of two, at least 2, that holds n elements. It
// panics if n is not from 1 to maxCapacity.
func roundCapacity(constructor string, n int) uint64 {
	if n <= 0 || n > maxCapacity {
		panic(fmt.Sprintf("queue: %s: capacity %d is out of range, want 1 to %d", constructor, n, maxCapacity))
	}
	return max(2, uint64(1)<<bits.Len(uint(n-1)))
}

// padShift returns the distance of neighbouring slots of a ring as a shift of their index.
// Slots that different goroutines write at the same time should not share a cache line
// of 64 bytes, nor two neighbouring lines: some processors prefetch these as a pair. If the padded
// ring exceeds the cache of a core, padding costs more than sharing does: padShift then
// tries 64 bytes instead of 128, and at last returns 0.
func padShift(slotSize uintptr, capacity uint64) (shift uint) {
	const line, cache = 64, 256 << 10
	if slotSize == 0 {
		return 0
	}
	for _, distance := range []uint64{2 * line, line} {
		if capacity*distance <= cache {
			for uint64(slotSize)<<shift < distance {
				shift++
			}
			break
		}
	}
	return shift
}

// slotBytes returns the size of a slot type in bytes.
func slotBytes[S any]() uintptr {
	var s S
	return unsafe.Sizeof(s)
}

// holdsPointers reports whether values of T can keep other objects alive. Slots of
// such values must be cleared when they are dequeued.
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

// checkCallback panics if a callback is nil. The call of a nil callback could come
// much later, with the first element.
func checkCallback(method string, isNil bool) {
	if isNil {
		panic("queue: " + method + ": nil function")
	}
}
