package objfile

import (
	"cmp"
	"fmt"
	"slices"
)

// Source says which sources the code of a function is from.
type Source struct {
	File    string   // where it is declared, as the compiler had it; "": not known
	Line    int      // likewise; 0: not known
	Lines   []Line   // in the order of addresses, where the place changes
	Inlines []Inline // what was inlined into it, the outer before the inner: those that cover an address are its chain
}

// Line says that code from an address on is from a line of a file: with inlining,
// that of the innermost function.
type Line struct {
	Addr uint64
	File string
	Line int // 0: not known
}

// Inline is a function whose code was put into another.
type Inline struct {
	Name     string
	CallFile string // where it is called
	CallLine int
	Ranges   [][2]uint64 // addresses [from, to), in their order
}

// At is the place of an address: the last element of Lines that is not behind it.
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

// Chain are the functions that the code at an address was inlined from, the
// outermost first.
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

// Text reads the code of a function.
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

// Source reads the lines of a function and what was inlined into it. For Go's
// functions it takes what the runtime takes for its stack traces, for others the
// debug data. Without that it is an [ErrNoDebugData].
func (f *File) Source(fn Function) (Source, error) {
	if t, _ := f.pclntab(); t != nil && fn.pcln > 0 && fn.pcln <= t.count {
		if h, ok := t.header(fn.pcln - 1); ok && fn.File != "" {
			return Source{fn.File, fn.Line, h.lines(), h.inlines()}, nil
		}
	}
	return f.debugSource(fn)
}
