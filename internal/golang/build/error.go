package build

import (
	"errors"
	"fmt"
)

var (
	// ErrCompile is wrapped by the error of a package that does not build.
	ErrCompile = errors.New("does not build")
	// ErrNoTests is wrapped by the error of a package without test files.
	ErrNoTests = errors.New("no test files")
)

// Error is an error of the go command, in one line.
type Error struct {
	Input  string // the pattern or import path that it is about
	Msg    string // one line that does not repeat Input
	More   int    // further errors in Output after the one in Msg
	Hint   string // what to do or type next, or ""
	Output string // all output of go
	Server bool   // the network or the module proxy failed, which says nothing about the code
	Absent bool   // there is nothing by the name of Input: it was mistyped, and no build failed
	Err    error  // cause, such as ErrCompile, ErrNoTests or exec.ErrNotFound; may be nil
}

func (e *Error) Error() string {
	s := e.Input + ": " + e.Msg
	if e.More > 0 {
		s += fmt.Sprintf(" (and %d more)", e.More)
	}
	return s
}

func (e *Error) Unwrap() error { return e.Err }

// Advice returns Hint.
func (e *Error) Advice() string { return e.Hint }
