package objfile

import (
	"bytes"
	"slices"
)

// Sections with the tables of Go's linker.
var (
	pclntabSections = []string{".gopclntab", ".data.rel.ro.gopclntab", "__gopclntab"}
	moduleSections  = []string{".go.module", "__go_module", ".noptrdata", "__noptrdata", ".data", "__data"}
	textSections    = []string{".text", "__text"}
)

// Marker symbols of Go's linker.
const (
	symText    = "runtime.text"
	symInlined = "go:func.*" // inlining trees, among others
)

// Indices of addresses in runtime.moduledata, in words, since Go 1.20.
const (
	moduleText    = 22
	moduleInlined = 40
	moduleWords   = 42
)

// pclntab returns the table of Go's functions, or nil if there is none.
func (f *File) pclntab() (*pclntab, error) { return f.table.get(f.readPclntab) }

func (f *File) readPclntab() (*pclntab, error) {
	at, data, err := f.findPclntab()
	if data == nil || err != nil {
		return nil, err
	}
	t, err := parsePclntab(data)
	if err != nil {
		return nil, err
	}
	t.text, t.inl = f.textAndTrees(at, t)
	return t, nil
}

// findPclntab returns the table and its address. PE files have no section for it, so it searches them.
func (f *File) findPclntab() (at uint64, data []byte, err error) {
	if s, ok := f.section(pclntabSections...); ok {
		data, err = s.all()
		return s.addr, data, err
	}
	p, ok := f.format.(peFile)
	if !ok {
		return 0, nil, nil
	}
	for _, s := range p.sections() {
		if s.code || s.write {
			continue
		}
		data, err := s.all()
		if err != nil {
			return 0, nil, err
		}
		const word = 8
		for off := 0; ; off += word {
			i := bytes.Index(data[off:], []byte{0xf1, 0xff, 0xff, 0xff, 0, 0})
			if i < 0 {
				break
			}
			off += i &^ (word - 1)
			if t, err := parsePclntab(data[off:]); err == nil && t.count > 0 {
				return s.addr + uint64(off), data[off:], nil
			}
		}
	}
	return 0, nil, nil
}

// textAndTrees returns what the table lacks: the address that function addresses are relative to, and a reader of
// inlining trees. They come from the symbol table or runtime.moduledata.
func (f *File) textAndTrees(at uint64, t *pclntab) (text uint64, inlined func(off, n uint64) []byte) {
	symbols, _ := f.symbolTable()
	var trees uint64
	for _, s := range symbols {
		switch s.name {
		case symText:
			text = s.addr
		case symInlined:
			trees = s.addr
		}
	}
	if text == 0 || trees == 0 {
		if words := f.moduledata(at, t); words != nil {
			text, trees = words[moduleText], words[moduleInlined]
		}
	}
	if text == 0 {
		text = t.text // until Go 1.25
	}
	if s, ok := f.section(textSections...); ok && text == 0 {
		text = s.addr
	}
	return text, f.inlineTrees(trees, at, t)
}

// inlineTrees returns a reader of inlining trees. These are in the pclntab since Go 1.26, and in another section
// before.
func (f *File) inlineTrees(base, at uint64, t *pclntab) func(off, n uint64) []byte {
	if base == 0 {
		return nil
	}
	data := t.data
	if base < at || base-at >= uint64(len(data)) {
		i := slices.IndexFunc(f.sections(), func(s section) bool { return s.contains(base) })
		if i < 0 {
			return nil
		}
		s := f.sections()[i]
		var err error
		if data, err = s.all(); err != nil {
			return nil
		}
		at = s.addr
	}
	data = data[base-at:]
	return func(off, n uint64) []byte {
		if off > uint64(len(data)) || n > uint64(len(data))-off {
			return nil
		}
		return data[off : off+n]
	}
}

// moduledata returns the words of runtime.firstmoduledata, which begins with the address of the pclntab. It
// returns nil if it is not found.
func (f *File) moduledata(at uint64, t *pclntab) []uint64 {
	ptr := uint64(t.data[7])
	for _, name := range moduleSections {
		s, ok := f.section(name)
		if !ok {
			continue
		}
		data, err := s.all()
		if err != nil {
			continue
		}
		if e, ok := f.format.(elfFile); ok {
			e.relocate(s, data)
		}
		for ; uint64(len(data)) >= moduleWords*ptr; data = data[ptr:] {
			if t.word(data, int(ptr)) != at {
				continue
			}
			words := make([]uint64, moduleWords)
			for i := range words {
				words[i] = t.word(data[uint64(i)*ptr:], int(ptr))
			}
			if words[moduleText] <= words[moduleText+1] && f.isCode(words[moduleText]) {
				return words
			}
		}
	}
	return nil
}

func (f *File) isCode(addr uint64) bool {
	return slices.ContainsFunc(f.sections(), func(s section) bool { return s.code && s.contains(addr) })
}

// symbolTable returns the symbol table. It is empty for a stripped file.
func (f *File) symbolTable() ([]symbol, error) { return f.names.get(f.symbols) }
