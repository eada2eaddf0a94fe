//go:build unix

package arrays

import (
	"sync"
	"syscall"
	"unsafe"
)

// mappings are the memory that mapped returned, by size.
var mappings sync.Map

// mapped returns so many bytes of memory that the garbage collector does not know: a mapping of its own. Memory of one
// size is mapped once for the life of the process, so that repeated runs do not add up. It panics if the system has none.
func mapped(bytes int) unsafe.Pointer {
	if p, ok := mappings.Load(bytes); ok {
		return p.(unsafe.Pointer)
	}
	m, err := syscall.Mmap(-1, 0, bytes, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		panic("arrays: mapping memory: " + err.Error())
	}
	p := unsafe.Pointer(unsafe.SliceData(m))
	mappings.Store(bytes, p)
	return p
}

const canMap = true
