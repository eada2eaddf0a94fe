//go:build !unix

package arrays

import "unsafe"

const canMap = false

// mapped is never called: without mmap there is no operation that uses it.
func mapped(int) unsafe.Pointer { panic("arrays: no memory outside of the heap on this system") }
