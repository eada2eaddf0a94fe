package objfile

import (
	"bytes"
	"debug/elf"
	"debug/pe"
	"fmt"
	"io"
	"math"
)

// section is a loaded section whose bytes are in the file.
type section struct {
	name  string
	addr  uint64
	size  uint64
	code  bool
	write bool
	data  io.ReaderAt
	kind  elf.SectionType // in ELF
}

// maxSection limits how much of a section is read, in bytes, as protection against damaged files.
const maxSection = 1 << 30

// contains reports whether an address is in the section.
func (s section) contains(addr uint64) bool { return addr >= s.addr && addr-s.addr < s.size }

// read reads n bytes from an address on. Memory grows with the data read, not with the stated size.
func (s section) read(addr, n uint64) ([]byte, error) {
	if !s.contains(addr) || n > s.size-(addr-s.addr) || n > maxSection {
		return nil, fmt.Errorf("section %s: cannot read %d bytes at %#x", s.name, n, addr)
	}
	var b bytes.Buffer
	b.Grow(int(min(n, 8<<20)) + bytes.MinRead)
	got, err := b.ReadFrom(io.NewSectionReader(s.data, int64(addr-s.addr), int64(n)))
	if err == nil && uint64(got) < n {
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		return nil, fmt.Errorf("section %s: %w", s.name, err)
	}
	return b.Bytes(), nil
}

// all reads the whole section.
func (s section) all() ([]byte, error) { return s.read(s.addr, s.size) }

// valid reports whether the section's sizes are plausible.
func (s section) valid() bool {
	return s.size > 0 && s.size <= maxSection && s.addr <= math.MaxUint64-s.size && s.data != nil
}

func (f elfFile) sections() []section {
	var list []section
	for _, s := range f.Sections {
		if s.Type == elf.SHT_NOBITS || s.Type == elf.SHT_NULL || s.Flags&elf.SHF_ALLOC == 0 || s.Flags&elf.SHF_COMPRESSED != 0 {
			continue
		}
		of := section{s.Name, s.Addr, s.Size, s.Flags&elf.SHF_EXECINSTR != 0, s.Flags&elf.SHF_WRITE != 0, s.ReaderAt, s.Type}
		if of.valid() {
			list = append(list, of)
		}
	}
	return list
}

// Flags of Mach-O sections, from mach-o/loader.h.
const (
	machoZero = 1           // S_ZEROFILL, a type: the lowest byte
	machoCode = 0x8000_0400 // S_ATTR_PURE_INSTRUCTIONS, S_ATTR_SOME_INSTRUCTIONS
)

func (f machoFile) sections() []section {
	var list []section
	for _, s := range f.Sections {
		of := section{s.Name, s.Addr, s.Size, s.Flags&machoCode != 0, s.Seg == "__DATA", s.ReaderAt, 0}
		if s.Flags&0xff != machoZero && s.Seg != "__DWARF" && of.valid() {
			list = append(list, of)
		}
	}
	return list
}

func (f peFile) sections() []section {
	base := f.base()
	var list []section
	for _, s := range f.Sections {
		if s.Characteristics&pe.IMAGE_SCN_MEM_DISCARDABLE != 0 {
			continue // debug data
		}
		of := section{
			s.Name, base + uint64(s.VirtualAddress), uint64(min(s.Size, s.VirtualSize)),
			s.Characteristics&pe.IMAGE_SCN_MEM_EXECUTE != 0, s.Characteristics&pe.IMAGE_SCN_MEM_WRITE != 0, s.ReaderAt, 0,
		}
		if of.valid() {
			list = append(list, of)
		}
	}
	return list
}

// base returns the address for which the file was linked.
func (f peFile) base() uint64 {
	switch h := f.OptionalHeader.(type) {
	case *pe.OptionalHeader32:
		return uint64(h.ImageBase)
	case *pe.OptionalHeader64:
		return h.ImageBase
	}
	return 0
}

// section returns the section with the first of names that exists.
func (f *File) section(names ...string) (section, bool) {
	for _, name := range names {
		for _, s := range f.sections() {
			if s.name == name {
				return s, true
			}
		}
	}
	return section{}, false
}

// read reads n loaded bytes from an address on.
func (f *File) read(addr, n uint64) ([]byte, error) {
	for _, s := range f.sections() {
		if s.contains(addr) {
			return s.read(addr, n)
		}
	}
	return nil, fmt.Errorf("nothing is loaded at %#x", addr)
}
