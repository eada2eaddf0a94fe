package layout

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"strings"

	"github.com/tarebench/tare/internal/toolchain"
)

// listed is what go list says of a package, as far as it matters here.
type listed struct {
	ImportPath      string
	Name            string
	Dir             string
	Export          string // file with its types
	CompiledGoFiles []string
	ImportMap       map[string]string
	DepOnly         bool
	Deps            []string
	Module          *struct{ GoVersion string }
	Error           *struct{ Pos, Err string }
}

// list asks the go command for packages and all that they import, compiled as far
// as is needed to know the types.
func list(ctx context.Context, q Query) (roots []*listed, all map[string]*listed, err error) {
	args := []string{"list", "-e", "-export", "-compiled", "-deps",
		"-json=ImportPath,Name,Dir,Export,CompiledGoFiles,ImportMap,DepOnly,Deps,Module,Error"}
	if q.Tags != "" {
		args = append(args, "-tags="+q.Tags)
	}
	out, err := runGo(ctx, q, append(append(args, "--"), q.patterns()...))
	if err != nil {
		return nil, nil, err
	}
	all = map[string]*listed{}
	for in := json.NewDecoder(bytes.NewReader(out)); ; {
		p := new(listed)
		if err := in.Decode(p); err == io.EOF {
			break
		} else if err != nil {
			return nil, nil, fmt.Errorf("go list: %w", err)
		}
		all[p.ImportPath] = p
		if !p.DepOnly {
			roots = append(roots, p)
		}
	}
	if len(roots) == 0 {
		return nil, nil, &Error{Msg: strings.Join(q.patterns(), " ") + ": no package matches"}
	}
	return roots, all, nil
}

// broken is what keeps a package from being read: an error of its own, or of one
// that it imports.
func (p *listed) broken(all map[string]*listed) error {
	if p.Error != nil {
		return listError(p)
	}
	for _, path := range p.Deps {
		if dep := all[path]; dep != nil && dep.Error != nil {
			return listError(dep)
		}
	}
	return nil
}

// runGo runs the go command for the machine that is asked for.
func runGo(ctx context.Context, q Query, args []string) ([]byte, error) {
	for _, pattern := range q.patterns() {
		if missing := toolchain.Missing(q.Dir, pattern); missing != "" {
			return nil, &Error{Msg: pattern + ": no such " + missing, Absent: true}
		}
	}
	path, err := exec.LookPath("go")
	if err != nil {
		return nil, &Error{Msg: "the go command was not found in PATH", Hint: "tare layout --binary FILE TYPE needs none", Err: err}
	}
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.Dir = q.Dir
	cmd.Env = os.Environ()
	if q.arch() != runtime.GOARCH {
		cmd.Env = append(cmd.Env, "GOARCH="+q.arch(), "CGO_ENABLED=0")
	}
	out, said, err := toolchain.Capture(ctx, cmd)
	if signal := (*toolchain.SignalError)(nil); errors.As(err, &signal) {
		return nil, err
	}
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		return nil, firstError("", said)
	}
	return []byte(out), err
}

// listError is what is wrong with a package.
func listError(p *listed) error {
	text := p.Error.Err
	if p.Error.Pos != "" && !strings.HasPrefix(text, "#") {
		text = p.Error.Pos + ": " + text
	}
	return firstError(p.ImportPath, text)
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
	for _, c := range complaints {
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

// complaints of the go command that can be said better. In msg, which replaces
// what matches, and in hint $1 is the submatch.
var complaints = []struct {
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
