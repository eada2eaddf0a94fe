package objfile

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Datum is a variable or a constant, at the addresses for which the file was linked.
type Datum struct {
	Name string // as the linker has it
	Addr uint64 // of its first byte
	End  uint64 // of the first byte behind it
}

// Data are what has a name in a file and is no code, in the order of addresses. They do
// not overlap.
type Data struct {
	list []Datum
}

// Find finds the datum at an address.
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

// Data finds the variables and constants in the symbol table; there are none in a file
// that was stripped. What Go's linker puts together under one name, as all strings, is
// not among them.
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
		return slices.ContainsFunc(sections, func(s section) bool { return s.code && s.holds(addr) })
	}
	_, sized := f.format.(elfFile)
	d := &Data{}
	for i, s := range symbols {
		if s.code || sized && s.size == 0 || isEdge(s.name) || strings.HasSuffix(s.name, "*") || inCode(s.addr) {
			continue
		}
		next := slices.IndexFunc(symbols[i:], func(x symbol) bool { return x.addr > s.addr })
		end := s.addr + s.size
		switch {
		case !sized && next < 0:
			end = s.addr + 1 // of the last of all not more is known
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

// edges are where Go's linker marks the beginning and the end of what it puts together.
const edges = " text etext rodata erodata noptrdata enoptrdata data edata bss ebss noptrbss enoptrbss covctrs ecovctrs end types etypes" +
	" pclntab epclntab symtab esymtab itablink "

func isEdge(name string) bool {
	edge, ok := strings.CutPrefix(name, "runtime.")
	return ok && strings.Contains(edges, " "+edge+" ")
}
