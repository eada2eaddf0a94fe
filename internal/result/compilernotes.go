package result

import (
	"maps"
	"slices"

	"github.com/tarebench/tare/internal/base/diagnosis"
	"github.com/tarebench/tare/internal/result/compiled"
	"github.com/tarebench/tare/record"
	"strconv"
)

// Compiled is what the compiler said about the packages of a binary.
type Compiled struct {
	Pkg, Side string
	*record.Compiled
}

// CompilerDifference is what differs of the compiler's notes, of code sizes and of frames between two sides.
type CompilerDifference struct {
	Pkg  string `json:"pkg"`
	Base string `json:"base"` // side of what is old
	Side string `json:"side"` // side of what is new
	*compiled.Difference
}

// addCompiled takes an attachment of a binary. One that cannot be read is a warning about the run.
func (b *Builder) addCompiled(l *record.Attach) {
	if l.Name != record.AttachCompiler {
		return
	}
	c, err := decodeAttachment(l, (*record.Compiled).Validate)
	if err != nil {
		b.warnRun(diagnosis.WarnForm(diagnosis.DamagedAttached, "binary", diagnosis.Facts{"name": strconv.Quote(l.Name), "bin": l.Bin, "why": err}))
		return
	}
	b.compiled[l.Bin] = c
}

// addCompilerNotes adds what compilers said, and compares the sides.
func (b *Builder) addCompilerNotes(s *Result) {
	for _, id := range slices.Sorted(maps.Keys(b.compiled)) {
		if x := b.bins[id]; x != nil {
			s.Compiled = append(s.Compiled, Compiled{x.Pkg, x.Side, b.compiled[id]})
		}
	}
	sides := b.sides()
	if len(sides) < 2 {
		return
	}
	if b.compared == len(b.compiled) { // a progress line asks for results often
		s.CompilerNotes = b.compilerNotes
		return
	}
	for _, new := range s.Compiled {
		i := slices.IndexFunc(s.Compiled, func(x Compiled) bool { return x.Pkg == new.Pkg && x.Side == sides[0] })
		if i < 0 || new.Side == sides[0] {
			continue
		}
		d := compiled.Diff(s.Compiled[i].Compiled, new.Compiled, compiled.Options{})
		s.CompilerNotes = append(s.CompilerNotes, CompilerDifference{new.Pkg, sides[0], new.Side, d})
	}
	b.compilerNotes, b.compared = s.CompilerNotes, len(b.compiled)
}
