package objfile

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// ErrNoCode is wrapped by the errors about files whose machine code cannot be read here.
var ErrNoCode = errors.New("machine code cannot be read")

// Code is the machine code and the read-only data of a Go program for amd64 in ELF
// format, at the addresses for which it was linked.
type Code struct {
	segments []segment
	symbols  map[string]uint64
	names    map[uint64]string // of the symbols, of functions
	types    [2]uint64         // first address of the type descriptors, and the end
}

// segment is what is loaded at an address.
type segment struct {
	addr uint64
	data []byte
	text bool
}

// Code reads the sections with machine code and constants.
func (f *File) Code() (*Code, error) {
	if _, ok := f.format.(elfFile); !ok || f.Arch() != "amd64" {
		return nil, fmt.Errorf("%s: %w: only that of amd64 in ELF format", f.path, ErrNoCode)
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

// Symbol is the address of a symbol.
func (c *Code) Symbol(name string) (addr uint64, ok bool) {
	addr, ok = c.symbols[name]
	return addr, ok
}

// Callee is the function that is called directly by the call that ends at an address.
func (c *Code) Callee(ret uint64) (name string, ok bool) {
	const call, length = 0xe8, 5 // CALL with a distance of 32 bits
	code := c.at(ret-length, true)
	if len(code) < length || code[0] != call {
		return "", false
	}
	name, ok = c.names[ret+uint64(int64(int32(binary.LittleEndian.Uint32(code[1:]))))]
	return name, ok
}

// at returns what is loaded from an address to the end of its section, nil if
// nothing is.
func (c *Code) at(addr uint64, text bool) []byte {
	for _, s := range c.segments {
		if s.text == text && addr >= s.addr && addr-s.addr < uint64(len(s.data)) {
			return s.data[addr-s.addr:]
		}
	}
	return nil
}
