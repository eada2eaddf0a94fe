package layout

import (
	"fmt"
	"strings"
)

// Error is an error with advice on what to do next.
type Error struct {
	Msg  string // one line
	Hint string // what to type next; "" if Msg says it all
	Err  error  // cause; may be nil

	Absent bool // there is no package or directory of that name
}

func (e *Error) Error() string { return e.Msg }
func (e *Error) Unwrap() error { return e.Err }

// NotFoundError is the error for a type that does not exist.
type NotFoundError struct {
	Type string
	In   string   // where it was looked for
	Near []string // names that are like it, the nearest first
}

func (e *NotFoundError) Error() string { return fmt.Sprintf("%s: no type %s", e.In, e.Type) }

// Hint returns advice that names similar types; "" if there are none.
func (e *NotFoundError) Hint() string {
	if len(e.Near) == 0 {
		return ""
	}
	return "there is " + strings.Join(e.Near, ", ")
}
