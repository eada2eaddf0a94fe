package objfile

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Datum is a variable or a constant, at its linked address.
type Datum struct {
	Name string // the linker's name
	Addr uint64 // first byte
	End  uint64 // after the last byte
}

// Data lists the named variables and constants of a file, in order of address and without overlap.
type Data struct {
	list []Datum
}

// Find returns the datum that contains an address.
func (d *Data) Find(addr uint64) (x Datum, ok bool) {
	i, found := slices.BinarySearchFunc(d.list, addr, func(x Datum, addr uint64) int { return cmp.Compare(x.Addr, addr) })
	if !found {
		i--
	}
	if i < 0 || addr >= d.list[i].End {
		return Datum{}, false
	}
	return d.list[i], true
}

// Data returns the variables and constants of the symbol table. A stripped file has none. It does not
// contain what Go's linker combines under one name, such as all strings.
func (f *File) Data() (*Data, error) { return f.data.get(f.readData) }

func (f *File) readData() (*Data, error) {
	symbols, err := f.symbolTable()
	if err != nil {
		return nil, fmt.Errorf("%s: symbol table: %w", f.path, err)
	}
	symbols = slices.Clone(symbols)
	slices.SortStableFunc(symbols, func(a, b symbol) int { return cmp.Compare(a.addr, b.addr) })
	sections := f.sections()
	inCode := func(addr uint64) bool {
		return slices.ContainsFunc(sections, func(s section) bool { return s.code && s.contains(addr) })
	}
	_, sized := f.format.(elfFile)
	d := &Data{}
	for i, s := range symbols {
		if s.code || sized && s.size == 0 || isGroupMark(s.name) || strings.HasSuffix(s.name, "*") || inCode(s.addr) {
			continue
		}
		next := slices.IndexFunc(symbols[i:], func(x symbol) bool { return x.addr > s.addr })
		end := s.addr + s.size
		switch {
		case !sized && next < 0:
			end = s.addr + 1 // the size of the last symbol is unknown
		case !sized:
			end = symbols[i+next].addr
		}
		if last := len(d.list) - 1; last >= 0 && s.addr < d.list[last].End {
			if s.addr == d.list[last].Addr {
				continue
			}
			d.list[last].End = s.addr
		}
		d.list = append(d.list, Datum{s.name, s.addr, end})
	}
	return d, nil
}

// groupMarks are the symbols with which Go's linker marks the beginning and end of a group.
const groupMarks = " text etext rodata erodata noptrdata enoptrdata data edata bss ebss noptrbss enoptrbss covctrs ecovctrs end types etypes" +
	" pclntab epclntab symtab esymtab itablink "

func isGroupMark(name string) bool {
	edge, ok := strings.CutPrefix(name, "runtime.")
	return ok && strings.Contains(groupMarks, " "+edge+" ")
}
