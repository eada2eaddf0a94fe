package exit

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"regexp"
	"strings"
	"syscall"

	"github.com/tarebench/tare/internal/base/termtext"
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
	Message(w, "error", bounded(plain(termtext.OneLine(err.Error()))))
	if hint != "" {
		Message(w, "hint", hint)
	}
	return code
}

// What Go's packages say, in words that do not take Go to read.
var (
	goRegexp = regexp.MustCompile("error parsing regexp: ([^`]+): `[^`]*`")
	goOpen   = regexp.MustCompile(`(^|: )(?:open|stat|lstat) (.*): (no such file or directory|permission denied|is a directory)`)
)

// plain returns an error's text without the words of Go's packages.
func plain(text string) string {
	return goOpen.ReplaceAllString(goRegexp.ReplaceAllString(text, "not a regular expression: $1"), "$1$2: $3")
}

// longest is the most that is printed of an error, in bytes.
const longest = 2000

// bounded returns a text as people may see it, without its middle if it is long: errors quote what users typed and files hold. Their
// beginning names the input, and their end says what is wrong with it.
func bounded(text string) string {
	const mark, tail = " … ", 500
	text = Shown(text) // before it is cut: half of a secret is no longer known for one
	if len(text) <= longest {
		return text
	}
	head := text[:longest-len(mark)-tail]
	return strings.ToValidUTF8(head, "") + mark + strings.ToValidUTF8(text[len(text)-tail:], "")
}

// Message writes a line for people: "tare: error: …". kind is the word in the middle. The text goes through [Shown].
func Message(w io.Writer, kind, text string) {
	fmt.Fprintf(w, "tare: %s: %s\n", kind, Shown(text))
}

// OutputClosed reports whether err comes from writing to standard output or
// standard error after its reader has closed it, as in tare | head.
func OutputClosed(err error) bool {
	p := (*fs.PathError)(nil)
	return errors.As(err, &p) && errors.Is(p.Err, syscall.EPIPE) && (p.Path == os.Stdout.Name() || p.Path == os.Stderr.Name())
}
