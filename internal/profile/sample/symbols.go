package sample

import (
	"fmt"
	"slices"

	"github.com/tarebench/tare/internal/binary/objfile"
)

// frame is an element of a call stack.
type frame struct {
	name  string
	file  string
	line  int
	first int // line of the function's declaration; 0: unknown
}

// symbols resolves addresses of a program.
type symbols struct {
	file    *objfile.File
	table   *objfile.Functions
	bias    uint64 // addresses in the process minus those in the file
	sources map[uint64]objfile.Source
	known   map[place][]frame
}

// place is an address. whole means that it stands for all functions inlined there.
type place struct {
	addr  uint64
	whole bool
}

func openSymbols(path string) (*symbols, error) {
	f, err := objfile.Open(path)
	if err != nil {
		return nil, fmt.Errorf("sample: %w", err)
	}
	t, err := f.Functions()
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("sample: %w", err)
	}
	return &symbols{file: f, table: t, sources: map[uint64]objfile.Source{}, known: map[place][]frame{}}, nil
}

func (s *symbols) close() error { return s.file.Close() }

// hasSampler reports whether the program was built with the sampler.
func (s *symbols) hasSampler() bool { return len(s.table.Named(anchorName)) > 0 }

// setBias sets bias by the address of anchorName in the process.
func (s *symbols) setBias(anchor uint64) error {
	at := s.table.Named(anchorName)
	if len(at) == 0 {
		return fmt.Errorf("sample: %s has no %s: it is not the program that ran", s.file.Path(), anchorName)
	}
	s.bias = anchor - at[0].Entry
	return nil
}

// frames returns the frames of a stack, innermost first.
func (s *symbols) frames(x stack) []frame {
	var out []frame
	exact := false
	for i, pc := range x.pcs {
		frames := s.at(pc, exact, i == 0, !x.logical)
		exact = !x.logical && len(frames) > 0 && frames[0].name == "runtime.asyncPreempt" // its caller was interrupted and did not call it
		out = append(out, frames...)
	}
	return out
}

// at returns the frames at the return address of a call, or if exact at the address itself.
func (s *symbols) at(pc uint64, exact, leaf, whole bool) []frame {
	addr := pc - s.bias
	if !exact {
		if fn, ok := s.table.Find(addr); !leaf || !ok || fn.Entry != addr { // except a goroutine that has not run yet
			addr--
		}
	}
	key := place{addr, whole}
	if f, ok := s.known[key]; ok {
		return f
	}
	f := s.resolve(addr, whole)
	s.known[key] = f
	return f
}

func (s *symbols) resolve(addr uint64, whole bool) []frame {
	fn, ok := s.table.Find(addr)
	if !ok {
		return []frame{{name: unknownFunction}}
	}
	src, ok := s.sources[fn.Entry]
	if !ok {
		src, _ = s.file.Source(fn) // without source information there are functions but no lines
		s.sources[fn.Entry] = src
	}
	at, _ := src.At(addr)
	here := frame{file: at.File, line: at.Line}
	var out []frame
	for _, in := range slices.Backward(src.Chain(addr)) {
		here.name = in.Name
		out = append(out, here)
		here = frame{file: in.CallFile, line: in.CallLine}
	}
	if !whole && len(out) > 0 {
		return out[:1]
	}
	here.name, here.first = fn.Name, fn.Line
	if here.file == "" {
		here.file = fn.File
	}
	return append(out, here)
}
