package record

import (
	"errors"
	"fmt"
)

// AttachCompiler is the name of a binary's attachment with what the compiler said about its functions: JSON of a
// [Compiled].
const AttachCompiler = "compiler"

// Compiled is what the compiler said about the packages of a binary, and what it made of their functions.
type Compiled struct {
	Go       string            `json:"go"`              // version of the toolchain
	Deps     map[string]string `json:"deps,omitempty"`  // versions of the modules in the binary, by path
	Build    map[string]string `json:"build,omitempty"` // settings of the binary that change code, as in go version -m: -gcflags, -race, GOAMD64 …
	Packages []string          `json:"packages"`        // import paths of the packages that were compiled with notes

	// Functions are those of the packages' sources, closures included, in order of package, file and line.
	Functions []CompiledFunction `json:"functions"`

	// Code has the functions of the binary that benchmarks of the run reach by direct calls or by function values, with those of
	// the runtime that they call themselves, in order of address.
	Code []MachineCode `json:"code,omitempty"`
}

// MachineCode is a function of a binary, to be compared with that of another binary.
type MachineCode struct {
	Name   string   `json:"name"`             // symbol of the linker
	Digest string   `json:"digest,omitempty"` // of the instructions without addresses, hexadecimal; "": not known
	Calls  []string `json:"calls,omitempty"`  // symbols that it calls or takes the address of, in order of address; not of the runtime's
}

// CompiledFunction is a function of the sources.
type CompiledFunction struct {
	Pkg  string `json:"pkg"`  // import path; that of an external test package ends in _test
	Name string `json:"name"` // "F", "(*T).M", of closures "F.func1", numbered in the order of the source
	File string `json:"file"` // name without directory
	Line int    `json:"line"` // of the declaration
	End  int    `json:"end"`  // last line

	// Reached says that a benchmark of the run reaches the function by direct calls, by function values or by inlining.
	// Calls through interfaces are not followed.
	Reached bool `json:"reached,omitempty"`

	// Size is the machine code of the function itself, in bytes; Frame its deepest stack frame, in bytes. Of a function
	// with type parameters both are the largest of its Copies. Copies is how many functions of the binary have its
	// source; 0: the binary has none, because every call is inlined or there is no call.
	Size   int `json:"size,omitempty"`
	Frame  int `json:"frame,omitempty"`
	Copies int `json:"copies,omitempty"`

	// Source has a hash of each line from Line to End, of [SourceHash] bytes, little endian: of what the body has there,
	// without comments and white space; 0: nothing. Functions that were renamed and lines that were moved are found by it.
	Source []byte `json:"source,omitempty"`

	// Partial says that only the notes on inlining and leaks are known: the compiler wrote those on another file of the same
	// name over the others.
	Partial bool `json:"partial,omitempty"`

	Notes []CompilerNote `json:"notes,omitempty"` // in order of line
}

// The kinds of compiler notes.
const (
	NoteInlinable     = "inlinable"     // the function can be inlined; Text is empty
	NoteNotInlinable  = "not-inlinable" // the function cannot be inlined; Text is why
	NoteInlined       = "inlined"       // a call in the function is inlined; Text is the callee
	NoteCallKept      = "call-kept"     // a call of a function that can be inlined is not; Text is the callee and why
	NoteEscape        = "escape"        // a value is allocated on the heap; Text is what the compiler says of it
	NoteLeak          = "leak"          // what a parameter points to outlives the call; Text says which
	NoteBounds        = "bounds-check"  // a check of an index is left
	NoteSliceBounds   = "slice-check"   // a check of the limits of a slice expression is left
	NoteCopy          = "copy"          // a value is copied by a call; Text is its size
	NoteDevirtualized = "devirtualized" // a call through an interface is a direct one; Text says which
	NotePGO           = "pgo"           // a decision because of a profile; Text says which
)

// CompilerNote is something that the compiler said about a line of a function.
type CompilerNote struct {
	Kind   string `json:"kind"`             // NoteInlinable …
	Line   int    `json:"line"`             // in the file of the function; of inlined code, that of the call there
	Text   string `json:"text,omitempty"`   // without positions and without numbers of temporary variables
	Cost   int    `json:"cost,omitempty"`   // of inlining the function, in nodes of its syntax tree
	Budget int    `json:"budget,omitempty"` // that Cost exceeds

	Why     []string        `json:"why,omitempty"`     // the way by which a value escapes; not of tests that no benchmark reaches
	Inlined []CompilerPlace `json:"inlined,omitempty"` // if the code was inlined: where it is written, from the outermost callee to the innermost
}

// CompilerPlace is a line of source.
type CompilerPlace struct {
	File string `json:"file"` // name without directory
	Line int    `json:"line"`
}

// Limits of a Compiled that is read.
const (
	maxCompiledFunctions = 200_000
	maxCompilerNotes     = 2_000_000
)

// Validate returns an error for values that cannot be.
func (c *Compiled) Validate() error {
	if len(c.Functions) > maxCompiledFunctions {
		return fmt.Errorf("it lists %d functions", len(c.Functions))
	}
	if len(c.Code) > maxCompiledFunctions {
		return fmt.Errorf("it lists the code of %d functions", len(c.Code))
	}
	notes := 0
	for i := range c.Functions {
		f := &c.Functions[i]
		if f.Name == "" {
			return errors.New("a function has no name")
		}
		if f.Line < 0 || f.End < 0 || f.Size < 0 || f.Frame < 0 || f.Copies < 0 || len(f.Source)%SourceHash != 0 {
			return fmt.Errorf("%s has lines %d to %d, %d bytes of code, a frame of %d bytes and %d copies", f.Name, f.Line, f.End, f.Size, f.Frame, f.Copies)
		}
		if notes += len(f.Notes); notes > maxCompilerNotes {
			return fmt.Errorf("it lists more than %d notes", maxCompilerNotes)
		}
	}
	return nil
}

// SourceHash is the size of the hash of a line in [CompiledFunction.Source], in bytes.
const SourceHash = 4
