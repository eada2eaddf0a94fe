package footprint

import "unsafe"

// channel is the beginning of what Go keeps for a channel (runtime/chan.go in
// Go's sources). Without pointers in the elements the buffer is a part of the
// same block, else it has one of its own.
type channel struct {
	length, capacity uint
	buffer           unsafe.Pointer
	elemBytes        uint16
}

// maxChanHeader is the limit of a plausible header size in bytes.
const maxChanHeader = 512

// chanHeader returns the size of a channel without its buffer, in bytes. The buffer
// begins behind it. It returns 0 if channels do not have the known layout.
func chanHeader() uintptr {
	plain := make(chan [3]uint32, 5)
	plain <- [3]uint32{1, 2, 3}
	plain <- [3]uint32{4, 5, 6}
	c := *(**channel)(unsafe.Pointer(&plain))
	if c.length != 2 || c.capacity != 5 || c.elemBytes != 12 {
		return 0
	}
	header := uintptr(c.buffer) - uintptr(unsafe.Pointer(c))
	if header < unsafe.Sizeof(*c) || header > maxChanHeader || (*[6]uint32)(c.buffer)[5] != 6 {
		return 0
	}
	with := make(chan *uint32, 3)
	value := new(uint32)
	with <- value
	c = *(**channel)(unsafe.Pointer(&with))
	if c.length != 1 || c.capacity != 3 || *(**uint32)(c.buffer) != value {
		return 0
	}
	return header
}

// channel walks a channel and its whole buffer. Slots of elements that were received
// are zero.
func (w *walk) channel(p unsafe.Pointer, of *plan) {
	elem := w.plan(of.typ.Elem())
	if of.value == 0 {
		of.value = w.newKind(kind{label: of.String(), typ: of.typ})
		of.array = w.newKind(kind{label: of.String() + " buffer", pointers: elem.pointers})
	}
	header := w.layouts.chanHeader
	if header == 0 {
		kindOf := w.newKind(kind{opaque: 1 + w.gap("channels of this version of Go", of.String())})
		w.mark(p, wordBytes, kindOf, true)
		return
	}
	c := (*channel)(p)
	n := uintptr(c.capacity)
	if !elem.pointers {
		w.mark(p, header+n*elem.size, of.value, false)
		return
	}
	if _, hi := w.mark(p, header, of.value, true); hi != 0 {
		w.block(c.buffer, elem, n, of.array)
	}
}
