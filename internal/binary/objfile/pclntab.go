package objfile

import (
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
)

// pclntab is the table of functions that Go's linker writes for the runtime: names, files, lines and inlining.
// Stripped files have it, too. Its layout is that of Go 1.20 and later: cmd/link/internal/ld/pcln.go and
// runtime/symtab.go. Package debug/gosym reads it, too, except inlining.
type pclntab struct {
	data    []byte
	order   binary.ByteOrder
	quantum uint64 // unit of addresses, in bytes
	text    uint64 // base of function addresses

	names string                     // zero-terminated
	files string                     // zero-terminated
	cus   []byte                     // offsets into files, for each compilation unit
	pcs   []byte                     // tables of values by address
	funcs []byte                     // address and offset of each function, then their headers
	count int                        // of functions
	inl   func(off, n uint64) []byte // reads an inlining tree; nil: not found
}

// pclnMagic is the first word since Go 1.20.
const pclnMagic = 0xffff_fff1

// errPclntab is wrapped by errors for damaged tables.
var errPclntab = errors.New("pclntab: damaged")

// parsePclntab parses the header. The caller sets text and inl.
func parsePclntab(data []byte) (*pclntab, error) {
	const fixed = 8
	if len(data) < fixed {
		return nil, fmt.Errorf("%w: %d bytes", errPclntab, len(data))
	}
	t := &pclntab{data: data, quantum: uint64(data[6])}
	switch uint32(pclnMagic) {
	case binary.LittleEndian.Uint32(data):
		t.order = binary.LittleEndian
	case binary.BigEndian.Uint32(data):
		t.order = binary.BigEndian
	default:
		return nil, fmt.Errorf("pclntab: unsupported format, not of Go 1.20 or later: % x", data[:4])
	}
	ptr := int(data[7])
	if (ptr != 4 && ptr != 8) || t.quantum == 0 || t.quantum > 4 || data[4]|data[5] != 0 || len(data) < fixed+8*ptr {
		return nil, fmt.Errorf("%w: header % x", errPclntab, data[:fixed])
	}
	var word [8]uint64 // number of functions, of files, start of the text (until Go 1.25), offsets of parts
	for i := range word {
		word[i] = t.word(data[fixed+i*ptr:], ptr)
		if i > 3 && word[i] < word[i-1] || i >= 3 && word[i] > uint64(len(data)) {
			return nil, fmt.Errorf("%w: part %d begins at %d of %d", errPclntab, i, word[i], len(data))
		}
	}
	t.text = word[2]
	t.names, t.files = string(data[word[3]:word[4]]), string(data[word[5]:word[6]])
	t.cus, t.pcs, t.funcs = data[word[4]:word[5]], data[word[6]:word[7]], data[word[7]:]
	if word[0] > uint64(len(t.funcs))/8 || uint64(len(t.funcs)) < word[0]*8+4 {
		return nil, fmt.Errorf("%w: %d functions in %d bytes", errPclntab, word[0], len(t.funcs))
	}
	t.count = int(word[0])
	return t, nil
}

func (t *pclntab) word(b []byte, size int) uint64 {
	if size == 4 {
		return uint64(t.order.Uint32(b))
	}
	return t.order.Uint64(b)
}

// uint32 reads a number. It returns 0 beyond the end.
func (t *pclntab) uint32(b []byte, off uint64) uint32 {
	if off > uint64(len(b)) || len(b)-int(off) < 4 {
		return 0
	}
	return t.order.Uint32(b[off:])
}

// entry returns the address of a function. Index count gives the end of the last one.
func (t *pclntab) entry(i int) uint64 {
	return t.text + uint64(t.uint32(t.funcs, uint64(i)*8))
}

// header returns the header of a function, runtime._func.
func (t *pclntab) header(i int) (pclnFunc, bool) {
	off := uint64(t.uint32(t.funcs, uint64(i)*8+4))
	if off < uint64(t.count)*8+4 || off > uint64(len(t.funcs)) || len(t.funcs)-int(off) < pclnFuncSize {
		return pclnFunc{}, false
	}
	return pclnFunc{t, t.funcs[off:], t.entry(i), t.entry(i + 1)}, true
}

// cString returns the zero-terminated string at off.
func cString(s string, off uint32) string {
	if uint64(off) >= uint64(len(s)) {
		return ""
	}
	s, _, _ = strings.Cut(s[off:], "\x00")
	return s
}
