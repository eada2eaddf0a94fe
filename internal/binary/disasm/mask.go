package disasm

import "encoding/binary"

// Mask returns a copy of the code of one function, which begins at addr, in which what the linker fills in is zero:
// distances to places outside of the function. So code that was moved to another address stays the same. refs are
// these places, in order of the instructions; of arm64 the pages of data, but the addresses of functions.
//
// Jumps within the function stay. It fails as [Func] does. It formats no text and takes about a tenth of Func's time.
func Mask(arch string, addr uint64, code []byte) (masked []byte, refs []uint64, err error) {
	d, err := decoderFor(arch)
	if err != nil {
		return nil, nil, err
	}
	m := masker{addr: addr, code: code, masked: append([]byte(nil), code...)}
	for at := 0; at < len(code); {
		n, ref := d.mask(&m, at)
		if ref != 0 {
			m.refs = append(m.refs, ref)
		}
		at += n
	}
	return m.masked, m.refs, nil
}

// masker is a function that is being masked.
type masker struct {
	addr         uint64
	code, masked []byte
	refs         []uint64
}

// outside reports whether an address is not in the function.
func (m *masker) outside(addr uint64) bool { return addr-m.addr >= uint64(len(m.code)) }

// mask masks the instruction at an offset of the code. It returns its length, and the address to which its distance
// leads, or 0.
func (x x86) mask(m *masker, at int) (n int, ref uint64) {
	in, ok := x.decode(m.code[at:])
	if !ok {
		return 1, 0
	}
	if in.PCRel == 0 || in.PCRelOff+in.PCRel > in.Len {
		return in.Len, 0
	}
	distance := m.masked[at+in.PCRelOff:][:in.PCRel]
	to := x.wrap(m.addr + uint64(at+in.Len) + uint64(signed(distance)))
	if !m.outside(to) {
		return in.Len, 0
	}
	clear(distance)
	return in.Len, to
}

// signed reads a number of 1, 2, 4 or 8 bytes.
func signed(b []byte) int64 {
	var v uint64
	for i := range b {
		v |= uint64(b[i]) << (8 * i)
	}
	shift := 64 - 8*len(b)
	return int64(v<<shift) >> shift
}

// mask masks the instruction at an offset of the code: distances of calls and jumps, and of an address in two parts, a
// page (ADRP) and an offset in it, which is in the next instruction.
func (arm64) mask(m *masker, at int) (n int, ref uint64) {
	if len(m.code)-at < arm64Size {
		return 1, 0
	}
	const (
		branch, branchMask, branchBits = 0x14000000, 0x7c000000, 26 // B, BL
		adrp, adrpMask, adrpBits       = 0x90000000, 0x9f000000, 0x60ffffe0
	)
	word := binary.LittleEndian.Uint32(m.code[at:])
	switch {
	case word&branchMask == branch:
		distance := int64(int32(word<<(32-branchBits))) >> (32 - branchBits) * arm64Size
		to := m.addr + uint64(at) + uint64(distance)
		if m.outside(to) {
			binary.LittleEndian.PutUint32(m.masked[at:], word&^(1<<branchBits-1))
			return arm64Size, to
		}
	case word&adrpMask == adrp:
		binary.LittleEndian.PutUint32(m.masked[at:], word&^adrpBits)
		pages := int64(int32(field(word, 5, 19)<<13))>>11 | int64(field(word, 29, 2))
		if next := at + arm64Size; len(m.code)-next >= arm64Size {
			m.maskOffset(next, rd(word))
		}
		return arm64Size, (m.addr+uint64(at))&^(1<<12-1) + uint64(pages<<12)
	}
	return arm64Size, 0
}

// maskOffset masks the offset in a page, of an addition, a load or a store that uses a register.
func (m *masker) maskOffset(at int, register uint32) {
	const (
		add, addMask   = 0x91000000, 0xffc00000 // ADD of 64 bits, not shifted
		load, loadMask = 0x39000000, 0x3b000000 // loads and stores with an unsigned offset, of vectors too
		offset         = 0x003ffc00
	)
	word := binary.LittleEndian.Uint32(m.code[at:])
	if rn(word) == register && (word&addMask == add || word&loadMask == load) {
		binary.LittleEndian.PutUint32(m.masked[at:], word&^offset)
	}
}
