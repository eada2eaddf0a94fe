package exit

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"

	"github.com/tarebench/tare/internal/termtext"
)

// Adviser is an error of another package that knows what to do about it.
type Adviser interface {
	error
	Advice() string // one line, or "" for none
}

// Print writes an error and its hint for people, and returns the exit code.
// usageHint is the hint of wrong usage that has no better one.
func Print(w io.Writer, err error, usageHint string) int {
	if OutputClosed(err) {
		return Pipe // quietly, as others end by SIGPIPE
	}
	code, hint := Failure, ""
	if a := Adviser(nil); errors.As(err, &a) {
		hint = a.Advice()
	}
	if e := As(err); e != nil {
		if e.Printed {
			return e.Code
		}
		code = e.Code
		if e.Hint != "" {
			hint = e.Hint
		}
	}
	if hint == "" && code == Misuse {
		hint = usageHint
	}
	Message(w, "error", termtext.OneLine(err.Error()))
	if hint != "" {
		Message(w, "hint", hint)
	}
	return code
}

// Message writes a line for people: "tare: error: …". kind is the word in the middle. The text goes through [Shown].
func Message(w io.Writer, kind, text string) {
	fmt.Fprintf(w, "tare: %s: %s\n", kind, Shown(text))
}

// OutputClosed reports whether err comes from writing to standard output or
// standard error, and nobody reads it any more, as of tare | head.
func OutputClosed(err error) bool {
	p := (*fs.PathError)(nil)
	return errors.As(err, &p) && errors.Is(p.Err, syscall.EPIPE) && (p.Path == os.Stdout.Name() || p.Path == os.Stderr.Name())
}
