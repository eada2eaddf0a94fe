package compiler

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tarebench/tare/record"
)

// Notes compiles the packages of a side with notes and returns them with what the binary has of each function. It takes
// about as long as compiling the packages and linking their test: 1 s. Nothing is measured meanwhile, or it would be
// disturbed. It fails if go does, with go's message. Goroutines may call it at the same time.
func Notes(ctx context.Context, s Site) (*record.Compiled, error) {
	c, err := s.compile(ctx)
	if err != nil {
		return nil, fmt.Errorf("compiler notes of %s: %w", s.Pkg, err)
	}
	defer c.work.Remove()
	out, err := s.collect(c)
	if err != nil {
		return nil, fmt.Errorf("compiler notes of %s: %w", s.Pkg, err)
	}
	return out, nil
}

func (s *Site) collect(c *output) (*record.Compiled, error) {
	notes, taken, err := readJSON(c.json)
	if err != nil {
		return nil, err
	}
	notes = append(notes, parseText(c.text)...)
	src := &sources{files: map[[2]string][]*function{}, globs: map[string]int{}}
	noted := map[[2]string]bool{}
	for _, n := range notes {
		noted[[2]string{n.pkg, n.file}] = true
	}
	for _, pkg := range slices.Sorted(maps.Keys(c.dirs)) {
		if err := src.read(pkg, c.dirs[pkg], c.over, func(pkg, file string) bool { return noted[[2]string{pkg, file}] }); err != nil {
			return nil, err
		}
	}
	src.give(notes)
	out := &record.Compiled{Packages: slices.Sorted(maps.Keys(c.dirs))}
	if err := s.addBinary(out, src, cmp.Or(s.Binary, c.binary), c.gcflags); err != nil {
		return nil, err
	}
	for _, f := range src.list {
		f.order()
		if !f.Reached && strings.HasSuffix(f.File, "_test.go") { // tests, which are most of what is said
			for i := range f.Notes {
				f.Notes[i].Why = nil
			}
		}
		f.Partial = taken[[2]string{f.Pkg, f.File}]
		out.Functions = append(out.Functions, f.CompiledFunction)
	}
	slices.SortStableFunc(out.Functions, func(a, b record.CompiledFunction) int {
		return cmp.Or(cmp.Compare(a.Pkg, b.Pkg), cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line))
	})
	return out, nil
}

// give gives each note to the function at its place. Those at no function, such as of variables of a package, are
// dropped.
func (s *sources) give(notes []rawNote) {
	byName := map[string]*function{}
	for _, f := range s.list {
		byName[f.Pkg+"."+f.Name] = f
	}
	for _, n := range notes {
		f := byName[n.function]
		if n.function == "" {
			f = s.at(&n)
		} else if f != nil {
			n.Line = f.Line
		}
		if f == nil || f.generic && f.has(&n.CompilerNote) {
			continue // of a function with type parameters, each copy has the same notes
		}
		f.Notes = append(f.Notes, n.CompilerNote)
	}
}

// has reports whether a function has a note already.
func (f *function) has(n *record.CompilerNote) bool {
	return slices.ContainsFunc(f.Notes, func(o record.CompilerNote) bool {
		return o.Kind == n.Kind && o.Line == n.Line && o.Text == n.Text && o.Cost == n.Cost && slices.Equal(o.Inlined, n.Inlined)
	})
}

// order sorts the notes of a function and drops repetitions of what is said of the whole function, and of parameters.
func (f *function) order() {
	slices.SortStableFunc(f.Notes, func(a, b record.CompilerNote) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Text, b.Text), cmp.Compare(a.Cost, b.Cost))
	})
	f.Notes = slices.CompactFunc(f.Notes, func(a, b record.CompilerNote) bool {
		switch a.Kind {
		case record.NoteInlinable, record.NoteNotInlinable, record.NoteLeak, record.NotePGO:
			return a.Kind == b.Kind && a.Line == b.Line && a.Text == b.Text
		}
		return false
	})
}
