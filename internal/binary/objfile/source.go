package objfile

import (
	"cmp"
	"fmt"
	"slices"
)

// Source is the source information of a function.
type Source struct {
	File    string   // declaring file, as the compiler recorded it; "": unknown
	Line    int      // of the declaration; 0: unknown
	Lines   []Line   // in order of address, one for each change
	Inlines []Inline // outer before inner
}

// Line is the source line of code from Addr on, that of the innermost inlined function.
type Line struct {
	Addr uint64
	File string
	Line int // 0: unknown
}

// Inline is a function inlined into another.
type Inline struct {
	Name     string
	CallFile string // the call's position
	CallLine int
	Ranges   [][2]uint64 // addresses [from, to), in order
}

// At returns the source line of an address.
func (s Source) At(addr uint64) (l Line, ok bool) {
	i, found := slices.BinarySearchFunc(s.Lines, addr, func(l Line, addr uint64) int { return cmp.Compare(l.Addr, addr) })
	if !found {
		i--
	}
	if i < 0 {
		return Line{}, false
	}
	return s.Lines[i], true
}

// Chain returns the inlined functions that an address belongs to, outermost first.
func (s Source) Chain(addr uint64) (chain []Inline) {
	for _, in := range s.Inlines {
		for _, r := range in.Ranges {
			if addr >= r[0] && addr < r[1] {
				chain = append(chain, in)
				break
			}
		}
	}
	return chain
}

// Text returns the machine code of a function.
func (f *File) Text(fn Function) ([]byte, error) {
	if fn.End <= fn.Entry {
		return nil, fmt.Errorf("%s: code of %s: it ends at %#x, before it begins", f.path, fn.Name, fn.End)
	}
	code, err := f.read(fn.Entry, fn.End-fn.Entry)
	if err != nil {
		return nil, fmt.Errorf("%s: code of %s: %w", f.path, fn.Name, err)
	}
	return code, nil
}

// Source returns the lines of a function and the functions inlined into it. For Go functions it uses the
// pclntab, for others the debug data. It fails with [ErrNoDebugData] if that is missing.
func (f *File) Source(fn Function) (Source, error) {
	if t, _ := f.pclntab(); t != nil && fn.pcln > 0 && fn.pcln <= t.count {
		if h, ok := t.header(fn.pcln - 1); ok && fn.File != "" {
			return Source{fn.File, fn.Line, h.lines(), h.inlines()}, nil
		}
	}
	return f.debugSource(fn)
}
