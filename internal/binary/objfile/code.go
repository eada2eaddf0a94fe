package objfile

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// ErrNoCode is wrapped by the error of Code for a file whose machine code cannot be read.
var ErrNoCode = errors.New("machine code cannot be read")

// Code is the machine code and the read-only data of a Go program for amd64 in ELF
// format, at the addresses for which it was linked.
type Code struct {
	segments []segment
	symbols  map[string]uint64
	names    map[uint64]string // of the symbols, of functions
	types    [2]uint64         // first address of the type descriptors, and the end
}

// segment is a loaded section.
type segment struct {
	addr uint64
	data []byte
	text bool
}

// Code reads the sections with machine code and constants. It fails for anything but an amd64 ELF file with
// Go's symbols.
func (f *File) Code() (*Code, error) {
	if _, ok := f.format.(elfFile); !ok || f.Arch() != "amd64" {
		return nil, fmt.Errorf("%s: %w: only amd64 in ELF format is supported", f.path, ErrNoCode)
	}
	c := &Code{symbols: map[string]uint64{}, names: map[uint64]string{}}
	if err := c.read(f); err != nil {
		return nil, fmt.Errorf("%s: %w", f.path, err)
	}
	return c, nil
}

func (c *Code) read(f *File) error {
	symbols, err := f.symbolTable()
	if err != nil {
		return fmt.Errorf("%w: symbol table: %w", ErrNoCode, err)
	}
	for _, s := range symbols {
		c.symbols[s.name] = s.addr
		if s.code {
			c.names[s.addr] = s.name
		}
	}
	c.types = [2]uint64{c.symbols["runtime.types"], c.symbols["runtime.etypes"]}
	if c.types[0] == 0 {
		return fmt.Errorf("%w: no symbol table of a Go program", ErrNoCode)
	}
	for _, s := range f.sections() {
		if s.write && s.name != ".data.rel.ro" && s.name != ".typelink" {
			continue
		}
		data, err := s.all()
		if err != nil {
			return fmt.Errorf("%w: %w", ErrNoCode, err)
		}
		c.segments = append(c.segments, segment{s.addr, data, s.code})
	}
	return nil
}

// Symbol returns the address of a symbol.
func (c *Code) Symbol(name string) (addr uint64, ok bool) {
	addr, ok = c.symbols[name]
	return addr, ok
}

// Callee returns the function that a direct call calls. ret is the address after the call.
func (c *Code) Callee(ret uint64) (name string, ok bool) {
	const call, length = 0xe8, 5 // CALL with a 32-bit distance
	code := c.at(ret-length, true)
	if len(code) < length || code[0] != call {
		return "", false
	}
	name, ok = c.names[ret+uint64(int64(int32(binary.LittleEndian.Uint32(code[1:]))))]
	return name, ok
}

// Constant returns n bytes of read-only data at an address, as the file has them: without relocations. It returns nil if
// they are not all in one section. The caller must not change them.
func (c *Code) Constant(addr uint64, n int) []byte {
	d := c.at(addr, false)
	if n < 0 || n > len(d) {
		return nil
	}
	return d[:n:n]
}

// at returns the loaded bytes from an address to the end of its section, or nil.
func (c *Code) at(addr uint64, text bool) []byte {
	for _, s := range c.segments {
		if s.text == text && addr >= s.addr && addr-s.addr < uint64(len(s.data)) {
			return s.data[addr-s.addr:]
		}
	}
	return nil
}
