package footprint

import (
	"bytes"
	"encoding/binary"
)

// parseImage returns the address ranges of an executable file whose header lies at an
// address. head is the beginning of the header. It returns nil for an unknown or
// damaged header.
func parseImage(head []byte, at uintptr) extents {
	switch {
	case bytes.HasPrefix(head, []byte("\x7fELF")):
		return parseELF(head, at)
	case bytes.HasPrefix(head, []byte{0xcf, 0xfa, 0xed, 0xfe}):
		return parseMachO(head, at)
	case bytes.HasPrefix(head, []byte("MZ")):
		return parsePE(head, at)
	}
	return nil
}

// fields reads numbers from a header, in its byte order. Numbers beyond the end are
// 0.
type fields struct {
	b     []byte
	order binary.ByteOrder
}

func (h fields) u16(at uint64) uint64 { return uint64(h.order.Uint16(h.part(at, 2))) }
func (h fields) u32(at uint64) uint64 { return uint64(h.order.Uint32(h.part(at, 4))) }
func (h fields) u64(at uint64) uint64 { return h.order.Uint64(h.part(at, 8)) }

func (h fields) part(at, n uint64) []byte {
	if at > uint64(len(h.b)) || uint64(len(h.b))-at < n {
		return make([]byte, n)
	}
	return h.b[at : at+n]
}

// word reads an address of a 32-bit or 64-bit file.
func (h fields) word(wide bool, at32, at64 uint64) uint64 {
	if wide {
		return h.u64(at64)
	}
	return h.u32(at32)
}

// segments collects ranges of addresses from the file, and relocates them to where
// the segment with the header was loaded.
type segments struct {
	from, to []uint64
	origin   uint64 // the header's address according to the file
	found    bool
}

func (s *segments) add(addr, size uint64, holdsHeader bool) {
	if holdsHeader {
		s.origin, s.found = addr, true
	}
	s.from, s.to = append(s.from, addr), append(s.to, addr+size)
}

func (s *segments) loadedAt(at uintptr) extents {
	if !s.found {
		return nil
	}
	var e extents
	for i := range s.from {
		e = append(e, extent{at + uintptr(s.from[i]-s.origin), at + uintptr(s.to[i]-s.origin)})
	}
	return e
}

// parseELF reads the program headers (System V ABI, chapter 5).
func parseELF(head []byte, at uintptr) extents {
	h := fields{head, binary.LittleEndian}
	if len(head) > 5 && head[5] == 2 {
		h.order = binary.BigEndian
	}
	wide := len(head) > 4 && head[4] == 2
	if kind := h.u16(16); kind != 2 && kind != 3 { // executable, or position-independent
		return nil
	}
	table, size, count := h.word(wide, 28, 32), h.u16(42), h.u16(44)
	if wide {
		size, count = h.u16(54), h.u16(56)
	}
	var s segments
	for i := range count {
		p := table + i*size
		if h.u32(p) != 1 { // PT_LOAD
			continue
		}
		offset, addr, mem := h.word(wide, p+4, p+8), h.word(wide, p+8, p+16), h.word(wide, p+20, p+40)
		s.add(addr, mem, offset == 0)
	}
	return s.loadedAt(at)
}

// parseMachO reads the load commands of a 64-bit file (mach-o/loader.h).
func parseMachO(head []byte, at uintptr) extents {
	h := fields{head, binary.LittleEndian}
	if h.u32(12) != 2 { // MH_EXECUTE
		return nil
	}
	var s segments
	p := uint64(32)
	for range h.u32(16) {
		cmd, size := h.u32(p), h.u32(p+4)
		if size == 0 {
			break // beyond head
		}
		name := bytes.TrimRight(h.part(p+8, 16), "\x00")
		if cmd == 0x19 && (bytes.HasPrefix(name, []byte("__TEXT")) || bytes.HasPrefix(name, []byte("__DATA"))) { // LC_SEGMENT_64
			s.add(h.u64(p+24), h.u64(p+32), string(name) == "__TEXT")
		}
		p += size
	}
	return s.loadedAt(at)
}

// parsePE reads the size of the image, which is one piece (Microsoft PE format).
func parsePE(head []byte, at uintptr) extents {
	h := fields{head, binary.LittleEndian}
	p := h.u32(0x3c)
	if string(h.part(p, 4)) != "PE\x00\x00" {
		return nil
	}
	size := h.u32(p + 24 + 56)
	if size == 0 {
		return nil
	}
	return extents{{at, at + uintptr(size)}}
}
