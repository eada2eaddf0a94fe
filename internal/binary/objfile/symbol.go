package objfile

import (
	"debug/elf"
	"errors"
	"strings"
)

// symbol is an entry of the symbol table.
type symbol struct {
	name string
	addr uint64
	size uint64 // 0: unknown
	code bool   // a function
}

func (f elfFile) symbols() ([]symbol, error) {
	table, err := f.Symbols()
	if errors.Is(err, elf.ErrNoSymbols) {
		table, err = f.DynamicSymbols()
	}
	if errors.Is(err, elf.ErrNoSymbols) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	list := make([]symbol, 0, len(table))
	for _, s := range table {
		if s.Section == elf.SHN_UNDEF || s.Section == elf.SHN_ABS || s.Name == "" {
			continue
		}
		kind := elf.ST_TYPE(s.Info)
		if kind == elf.STT_SECTION || kind == elf.STT_FILE || kind == elf.STT_TLS {
			continue
		}
		list = append(list, symbol{s.Name, s.Value, s.Size, kind == elf.STT_FUNC || kind == elf.STT_GNU_IFUNC})
	}
	return list, nil
}

func (f machoFile) symbols() ([]symbol, error) {
	if f.Symtab == nil {
		return nil, nil
	}
	const debugging, kind, inSection = 0xe0, 0x0e, 0x0e // N_STAB, N_TYPE, N_SECT of mach-o/nlist.h
	var list []symbol
	for _, s := range f.Symtab.Syms {
		if s.Type&debugging != 0 || s.Type&kind != inSection || s.Sect == 0 || int(s.Sect) > len(f.Sections) || s.Name == "" {
			continue
		}
		list = append(list, symbol{strings.TrimPrefix(s.Name, "_"), s.Value, 0, f.Sections[s.Sect-1].Flags&machoCode != 0})
	}
	return list, nil
}

func (f peFile) symbols() ([]symbol, error) {
	const function = 0x20 // IMAGE_SYM_DTYPE_FUNCTION
	base := f.base()
	var list []symbol
	for _, s := range f.Symbols {
		if s.SectionNumber <= 0 || int(s.SectionNumber) > len(f.Sections) || s.Name == "" {
			continue
		}
		in := f.Sections[s.SectionNumber-1]
		list = append(list, symbol{s.Name, base + uint64(in.VirtualAddress) + uint64(s.Value), 0, s.Type&0xf0 == function})
	}
	return list, nil
}
