package objfile

import (
	"encoding/binary"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Offsets in a type descriptor (internal/abi.Type) for 64 bits. They are unchanged since Go 1.7. An
// implausible descriptor has no name.
const (
	typeFlags = 20
	typeKind  = 23
	typeStr   = 40
	typeSize  = 48

	flagExtraStar = 1 << 1 // the stored name is that of the pointer type
	kindMask      = 1<<5 - 1
	kindLast      = 26 // unsafe.Pointer

	maxTypeName = 4 << 10
)

// TypeName returns the name of the type whose descriptor is at addr, as package reflect prints it: with the package's
// name, not its path.
func (c *Code) TypeName(addr uint64) (name string, ok bool) {
	if addr < c.types[0] || addr >= c.types[1] {
		return "", false
	}
	d := c.at(addr, false)
	if len(d) < typeSize {
		return "", false
	}
	if kind := d[typeKind] & kindMask; kind == 0 || kind > kindLast {
		return "", false
	}
	off := int32(binary.LittleEndian.Uint32(d[typeStr:]))
	if off < 0 {
		return "", false
	}
	name, ok = c.name(c.types[0] + uint64(off))
	if d[typeFlags]&flagExtraStar != 0 {
		name = strings.TrimPrefix(name, "*")
	}
	return name, ok && name != ""
}

// name reads an internal/abi.Name: a byte of flags, the length and the text.
func (c *Code) name(addr uint64) (string, bool) {
	d := c.at(addr, false)
	if len(d) < 2 {
		return "", false
	}
	n, width := binary.Uvarint(d[1:])
	if width <= 0 || n > maxTypeName || n > uint64(len(d)-1-width) {
		return "", false
	}
	text := string(d[1+width : 1+width+int(n)])
	odd := func(r rune) bool { return r == utf8.RuneError || !unicode.IsPrint(r) }
	return text, strings.IndexFunc(text, odd) < 0
}
