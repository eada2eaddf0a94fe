package structs

import (
	"fmt"
	"regexp"
	"strings"

	"golang.org/x/tools/go/packages"
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
	In   string   // where it was searched for
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

// broken returns what keeps a package from being read, nil if nothing does: the first error of what it imports, or of
// its own.
func broken(p *packages.Package) (err error) {
	packages.Visit([]*packages.Package{p}, nil, func(p *packages.Package) {
		if err != nil || len(p.Errors) == 0 {
			return
		}
		e := p.Errors[0]
		if e.Pos != "" && e.Pos != "-" && !strings.HasPrefix(e.Msg, "#") {
			e.Msg = e.Pos + ": " + e.Msg
		}
		err = firstError(p.PkgPath, e.Msg)
	})
	return err
}

// firstError returns the go command's first error as one line, with the number of further errors.
func firstError(pkg, text string) error {
	var lines []string
	for line := range strings.Lines(text) {
		line = strings.TrimPrefix(strings.TrimSpace(line), "go: ")
		if line != "" && !strings.HasPrefix(line, "#") && !strings.HasPrefix(line, "downloading ") && line != "too many errors" {
			lines = append(lines, line)
		}
	}
	e := &Error{Msg: "go failed and did not say why"}
	if len(lines) > 0 {
		e.Msg = strings.Join(strings.Fields(lines[0]), " ")
	}
	if pkg != "" && !strings.Contains(e.Msg, pkg) {
		e.Msg = pkg + ": " + e.Msg
	}
	e.Msg = strings.TrimSuffix(e.Msg, ";")
	if more := countErrors(lines) - 1; more > 0 {
		e.Msg += fmt.Sprintf(" (and %d more)", more)
	}
	for _, c := range explanations {
		if m := c.re.FindStringSubmatch(e.Msg); m != nil {
			e.Hint, e.Absent = strings.ReplaceAll(c.hint, "$1", m[len(m)-1]), c.absent
			if c.msg != "" {
				e.Msg = c.re.ReplaceAllString(e.Msg, c.msg)
			}
			break
		}
	}
	return e
}

// explanations replaces errors of the go command by clearer ones. msg replaces the
// match of re, hint says what to do, and $1 in both is the submatch.
var explanations = []struct {
	re        *regexp.Regexp
	msg, hint string
	absent    bool
}{
	{regexp.MustCompile(`package (\S+) is not in std.*`), "there is no package $1",
		"a directory is written ./$1; a type of this directory has a capital or a dot in front, as in Queue or .queue", true},
	{regexp.MustCompile(`no required module provides package (\S+); to add it:`), "no module that this one requires provides the package $1", "go get $1", false},
	{regexp.MustCompile(`stat (\S+): directory not found`), "no such directory", "", true},
	{regexp.MustCompile(`go\.mod file not found.*|cannot find main module.*`), "no go.mod in this directory or above",
		"cd into a module, or name a package of the standard library", false},
	{regexp.MustCompile(`no Go files in \S+`), "no Go files in this directory", "", false},
	{regexp.MustCompile(`build constraints exclude all Go files.*`), "", "--arch and --tags decide which files take part", false},
}

// countErrors counts lines that begin with a place: file.go:line.
func countErrors(lines []string) int {
	n := 0
	for _, l := range lines {
		if file, rest, ok := strings.Cut(l, ".go:"); ok && !strings.Contains(file, " ") && rest != "" {
			n++
		}
	}
	return n
}
