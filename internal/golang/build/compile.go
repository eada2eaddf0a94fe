package build

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// compilerLine matches an error with a position: "a/b.go:4:9: undefined: x".
var compilerLine = regexp.MustCompile(`^\S[^\n]*?\.\w+:\d+(:\d+)?: .`)

// compileError converts the output of go test -c to an *Error. Its message is the first error with a position, or
// else the first non-empty line.
func compileError(pkg string, err error) error {
	var f *goFailure
	if !errors.As(err, &f) {
		return err
	}
	e := &Error{
		Input: pkg, Output: f.output, Err: fmt.Errorf("%w: %w", ErrCompile, f.err),
	}
	if !strings.Contains(f.output, "[build failed]") {
		x := explain(pkg, f.output) // nothing was compiled
		if e.Hint = x.Hint; x.Server {
			e.Server, e.Msg = true, x.Msg
			return e
		}
	}
	e.Msg, e.More = FirstError(f.output)
	return e
}

// FirstError returns the first error with a position in what a go command printed, or else its first line, and how many
// errors with a position follow.
func FirstError(output string) (msg string, more int) {
	for line := range strings.Lines(output) {
		line = strings.TrimRight(line, "\r\n")
		switch {
		case noise.MatchString(line) || !compilerLine.MatchString(line):
		case msg == "":
			msg = strings.TrimPrefix(line, "./")
		default:
			more++
		}
	}
	return cmp.Or(msg, firstLine(output)), more
}
