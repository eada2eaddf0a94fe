// Package exit has the exit codes of the command, and errors that carry one.
//
// A runner returns such an error where it knows more than what went wrong: what to do
// next, and whether the user's input or the work failed. The command prints it:
//
//	return exit.Usage(err, "give --format: hlog, csv, json or hgrm")
package exit

import (
	"errors"
	"fmt"
)

// The exit codes.
const (
	Done      = 0
	Failure   = 1 // something failed
	Misuse    = 2 // wrong flags or arguments
	Missed    = 3 // an objective was missed, or a regression was found
	Untrusted = 4 // measured, but not trustworthy: a gate is not decided, or --strict
	Hangup    = 129
	Interrupt = 130
	Pipe      = 141 // the reader of the output has closed it
	Terminate = 143
)

// Error is an error with the exit code it calls for.
type Error struct {
	Err     error
	Hint    string // what to do or type next; may be empty
	Code    int
	Printed bool // the error was printed already, on stderr or in the result
}

func (e *Error) Error() string { return e.Err.Error() }
func (e *Error) Unwrap() error { return e.Err }

// Usage returns an error for wrong flags or arguments.
//
//go:noinline
func Usage(err error, hint string) error { return &Error{Err: err, Hint: hint, Code: Misuse} }

// Failed returns an error for work that failed.
//
//go:noinline
func Failed(err error, hint string) error { return &Error{Err: err, Hint: hint, Code: Failure} }

// Silent ends the command with a code when everything has been printed.
func Silent(code int) error {
	return &Error{Err: fmt.Errorf("exit %d", code), Code: code, Printed: true}
}

// OfGates returns the error with which a command ends some of whose gates or objectives were missed, or not decided; nil if all
// passed. A miss comes first.
func OfGates(missed, notDecided bool) error {
	switch {
	case missed:
		return Silent(Missed)
	case notDecided:
		return Silent(Untrusted)
	}
	return nil
}

// As returns the Error in err's chain, or nil.
func As(err error) *Error {
	if e := (*Error)(nil); errors.As(err, &e) {
		return e
	}
	return nil
}
