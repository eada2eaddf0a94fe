package compiled

import (
	"path"
	"slices"
	"strings"

	"github.com/tarebench/tare/internal/binary/gofunc"
	"github.com/tarebench/tare/record"
)

// Executed is where a program was seen: by the rows of an instruction count, or by samples. The zero value has seen
// nothing. It is for one goroutine.
type Executed struct {
	places  map[executedAt]bool
	symbols map[string]bool
	ranges  map[string][]int // lines by file, of any function
}

// executedAt is a line of code that was inlined into a function of the binary, or is its own.
type executedAt struct {
	symbol, file string
	line         int
}

// Add adds a line that was executed. symbol is the function of the binary whose machine code it was, with its package's
// path; file and line are where the code is written, in another function if that was inlined. Of file only the last
// element counts.
func (e *Executed) Add(symbol, file string, line int) {
	if e.places == nil {
		e.places, e.symbols, e.ranges = map[executedAt]bool{}, map[string]bool{}, map[string][]int{}
	}
	symbol, file = gofunc.WithoutTypeArgs(symbol), path.Base(strings.ReplaceAll(file, `\`, "/"))
	if at := (executedAt{symbol, file, line}); !e.places[at] {
		e.places[at] = true
		e.ranges[file] = append(e.ranges[file], line)
	}
	e.symbols[symbol] = true
}

// Has reports whether the copy of the code that a note is about was executed. A nil Executed knows nothing, so all count.
//
// Notes on a whole function count if a line of it was executed in any copy. Those on a call that is inlined, or not,
// count if the function around it was executed.
func (e *Executed) Has(f *record.CompiledFunction, n *record.CompilerNote) bool {
	if e == nil {
		return true
	}
	symbol := gofunc.LinkName(f.Pkg, f.Name)
	switch n.Kind {
	case record.NoteInlinable, record.NoteNotInlinable, record.NoteLeak, record.NotePGO:
		return e.anywhere(f)
	case record.NoteInlined, record.NoteCallKept, record.NoteDevirtualized:
		return e.symbols[symbol]
	}
	at := executedAt{symbol, f.File, n.Line}
	if k := len(n.Inlined); k > 0 {
		at.file, at.line = n.Inlined[k-1].File, n.Inlined[k-1].Line
	}
	return e.places[at]
}

// function reports whether the function's own code was executed.
func (e *Executed) function(f *record.CompiledFunction) bool {
	return e == nil || e.symbols[gofunc.LinkName(f.Pkg, f.Name)]
}

// anywhere reports whether a line of a function was executed, in any copy.
func (e *Executed) anywhere(f *record.CompiledFunction) bool {
	return e.symbols[gofunc.LinkName(f.Pkg, f.Name)] || slices.ContainsFunc(e.ranges[f.File], func(line int) bool { return line >= f.Line && line <= f.End })
}
