package disasm

import (
	"cmp"
	"debug/dwarf"
	"debug/elf"
	"debug/gosym"
	"errors"
	"io"
	"maps"
	"slices"
	"testing"
)

// program is an executable file whose functions are disassembled.
type program struct {
	path  string
	arch  string
	funcs []function
	lines []uint64 // addresses of the line table, sorted; nil if there is none
}

type function struct {
	name string
	addr uint64
	code []byte
}

// open reads the functions of an ELF file: those of Go's table, or of the symbols.
func open(t testing.TB, path string) *program {
	t.Helper()
	e, err := elf.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	b := &program{path: path, arch: map[elf.Machine]string{elf.EM_X86_64: "amd64", elf.EM_386: "386", elf.EM_AARCH64: "arm64"}[e.Machine]}
	if table := e.Section(".gopclntab"); table != nil {
		b.goFuncs(t, e, table)
	} else {
		b.symbols(t, e)
	}
	b.readLines(t, e)
	if sample > 1 {
		i := 0
		b.funcs = slices.DeleteFunc(b.funcs, func(function) bool { i++; return i%sample != 0 })
	}
	if len(b.funcs) == 0 {
		t.Fatalf("%s: no functions", path)
	}
	return b
}

func (b *program) goFuncs(t testing.TB, e *elf.File, table *elf.Section) {
	text := e.Section(".text")
	code, err := text.Data()
	if err != nil {
		t.Fatal(err)
	}
	data, err := table.Data()
	if err != nil {
		t.Fatal(err)
	}
	all, err := gosym.NewTable(nil, gosym.NewLineTable(data, start(e, text)))
	if err != nil {
		t.Fatal(err)
	}
	end := text.Addr + uint64(len(code))
	for _, f := range all.Funcs {
		if f.Name == "go:textfipsend" || f.Name == "go:textfipsstart" {
			continue // no functions, but the ends of a part
		}
		if f.Entry >= text.Addr && f.Entry < f.End && f.End <= end {
			b.funcs = append(b.funcs, function{f.Name, f.Entry, code[f.Entry-text.Addr : f.End-text.Addr]})
		}
	}
}

// start is where Go's code begins: not with the section, if there is C in it.
func start(e *elf.File, text *elf.Section) uint64 {
	symbols, _ := e.Symbols()
	for _, s := range symbols {
		if s.Name == "runtime.text" {
			return s.Value
		}
	}
	return text.Addr
}

// symbols reads the functions of a program in C, each once.
func (b *program) symbols(t testing.TB, e *elf.File) {
	table, err := e.Symbols()
	if errors.Is(err, elf.ErrNoSymbols) {
		table, err = e.DynamicSymbols()
	}
	if err != nil {
		t.Fatal(err)
	}
	byAddr := map[uint64]function{}
	sections := map[elf.SectionIndex][]byte{}
	for _, s := range table {
		if elf.ST_TYPE(s.Info) != elf.STT_FUNC || s.Size == 0 || int(s.Section) >= len(e.Sections) {
			continue
		}
		in := e.Sections[s.Section]
		if sections[s.Section] == nil {
			sections[s.Section], _ = in.Data()
		}
		if code := sections[s.Section]; s.Value >= in.Addr && s.Value-in.Addr+s.Size <= uint64(len(code)) {
			byAddr[s.Value] = function{s.Name, s.Value, code[s.Value-in.Addr:][:s.Size]}
		}
	}
	b.funcs = slices.SortedFunc(maps.Values(byAddr), func(x, y function) int { return cmp.Compare(x.addr, y.addr) })
}

func (b *program) readLines(t testing.TB, e *elf.File) {
	d, err := e.DWARF()
	if err != nil {
		return // it was stripped
	}
	for r := d.Reader(); ; r.SkipChildren() {
		unit, err := r.Next()
		if err != nil {
			t.Fatal(err)
		}
		if unit == nil {
			break
		}
		lines, err := d.LineReader(unit)
		if err != nil {
			t.Fatal(err)
		}
		if lines != nil {
			b.readUnit(t, lines)
		}
	}
	slices.Sort(b.lines)
	b.lines = slices.Compact(b.lines)
}

func (b *program) readUnit(t testing.TB, lines *dwarf.LineReader) {
	for {
		var entry dwarf.LineEntry
		if err := lines.Next(&entry); errors.Is(err, io.EOF) {
			return
		} else if err != nil {
			t.Fatal(err)
		}
		if !entry.EndSequence {
			b.lines = append(b.lines, entry.Address)
		}
	}
}

// of are the addresses of a sorted list that are in a function.
func (f *function) of(sorted []uint64) []uint64 {
	from, _ := slices.BinarySearch(sorted, f.addr)
	to, _ := slices.BinarySearch(sorted, f.addr+uint64(len(f.code)))
	return sorted[from:to]
}
