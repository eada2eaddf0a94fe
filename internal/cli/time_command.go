package cli

import (
	"debug/buildinfo"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/tarebench/tare/internal/build"
	"github.com/tarebench/tare/internal/session"
	"github.com/tarebench/tare/internal/spawn"
	"github.com/tarebench/tare/internal/termtext"
	"github.com/tarebench/tare/record"
)

// program is a command to measure.
type program struct {
	name string     // of its side
	line string     // as one would type it, without secrets
	path string     // of its executable
	spec spawn.Spec // what is started; descriptor 3 is the file of --input

	warm     []float64 // ns of the warm-up runs
	odd      int       // runs that failed and count nevertheless
	oddly    string    // how the last of them ended
	peakless string    // why the peak of some run is not known
}

// starter turns command lines into what the launcher starts.
type starter struct {
	shell bool   // by sh -c
	input bool   // a file is standard input
	sh    string // where sh is, "" if nothing needs it
	dir   string
	env   []string
}

// Launched processes find nothing to read on descriptor 0. So a file is passed as
// descriptor 3, and sh moves it before it becomes the command: the same process,
// with the memory and the times of the command, and what sh took for it, of which
// the tare tells.
const (
	byShell     = `exec <&3 3<&-` + "\n"
	byShellExec = `exec "$@" <&3 3<&-`
)

func newStarter(f *timeFlags, env []string) (*starter, error) {
	s := &starter{shell: f.shell, input: f.input != "", dir: f.cwd, env: env}
	if !s.shell && !s.input {
		return s, nil
	}
	sh, err := exec.LookPath("sh")
	if err != nil {
		return nil, usageError(fmt.Errorf("--shell and --input need a shell: %w", err), "")
	}
	s.sh, err = filepath.Abs(sh)
	return s, err
}

// program prepares a command. What is wrong with it is found out before anything
// is measured.
func (s *starter) program(words []string) (*program, error) {
	if s.shell {
		line := words[0]
		if len(words) > 1 {
			line = joinWords(words)
		}
		return &program{line: session.MaskText(line), path: s.sh, spec: s.script(line)}, nil
	}
	path, err := executable(words[0])
	if err != nil {
		return nil, err
	}
	p := &program{line: joinWords(session.MaskArgs(words)), path: path}
	p.spec = s.spec(spawn.Spec{Path: words[0], Args: words[1:]}, path)
	return p, nil
}

// spec is that of a program, by way of sh if it is to read a file.
func (s *starter) spec(direct spawn.Spec, path string) spawn.Spec {
	direct.Dir, direct.Env = s.dir, s.env
	if s.input {
		direct.Args = append([]string{"-c", byShellExec, "sh", path}, direct.Args...)
		direct.Path = s.sh
	}
	return direct
}

func (s *starter) script(line string) spawn.Spec {
	if s.input {
		line = byShell + line
	}
	return spawn.Spec{Path: s.sh, Args: []string{"-c", line}, Dir: s.dir, Env: s.env}
}

// nothing is the start of a process that does nothing, in the same way. It reports
// false where there is no such program.
func (s *starter) nothing() (spawn.Spec, bool) {
	if s.shell {
		return s.script(":"), true
	}
	path, err := exec.LookPath("true")
	if err != nil {
		return spawn.Spec{}, false
	}
	if path, err = filepath.Abs(path); err != nil {
		return spawn.Spec{}, false
	}
	return s.spec(spawn.Spec{Path: path}, path), true
}

// executable finds a program as the launcher will.
func executable(name string) (string, error) {
	if name == "" {
		return "", usageError(errors.New("the command is an empty word"), "")
	}
	path, err := exec.LookPath(name)
	switch {
	case errors.Is(err, exec.ErrDot): // "prog" in the current directory
		return "", usageError(fmt.Errorf("there is no command %q in PATH", name), "the one in this directory is ./"+name)
	case errors.Is(err, fs.ErrPermission):
		return "", usageError(fmt.Errorf("%s: is not executable", name), "chmod +x "+name+", or name its interpreter: sh "+name)
	case errors.Is(err, exec.ErrNotFound):
		return "", usageError(fmt.Errorf("there is no command %q in PATH", session.MaskArg("", name)), missingHint(name))
	case errors.Is(err, fs.ErrNotExist):
		return "", usageError(fmt.Errorf("%s: there is no such file", name), "")
	case err != nil:
		return "", usageError(err, "")
	}
	return filepath.Abs(path)
}

// missingHint guesses what was meant by a command that is not in PATH.
func missingHint(name string) string {
	switch {
	case strings.ContainsAny(name, needsShell+" "):
		return "--shell runs a command line by sh -c"
	case fileExists(name):
		return "the one in this directory is ./" + name
	}
	return ""
}

func fileExists(name string) bool {
	st, err := os.Stat(name)
	return err == nil && st.Mode().IsRegular()
}

// binary is what the record says of a program. Its content has no part in it: the
// same file does other work with other arguments.
func (p *program) binary(id int, dir string) *binary {
	b := &binary{Bin: record.Bin{ID: id, Pkg: p.path, Side: p.name, Dir: dir}, side: &side{}}
	if st, err := os.Stat(p.path); err == nil {
		b.Size = st.Size()
	}
	if info, err := buildinfo.ReadFile(p.path); err == nil {
		b.built = build.Binary{Go: info.GoVersion}
	}
	return b
}

var assignment = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*=`)

// mostLabel is how many characters a name made of a command line has.
const mostLabel = 40

// nameSides gives the programs names that tell them apart: that of the file, if need be with
// the arguments.
func nameSides(ps []*program) {
	labels := []func(p *program) string{
		func(p *program) string {
			words, err := shellWords(p.line)
			for len(words) > 1 && assignment.MatchString(words[0]) { // of a variable, by a shell
				words = words[1:]
			}
			if err != nil || len(words) == 0 {
				return termtext.Clip(p.line, mostLabel)
			}
			return filepath.Base(words[0])
		},
		func(p *program) string { return termtext.Clip(p.line, mostLabel) },
	}
	for _, label := range labels {
		var names []string
		for _, p := range ps {
			p.name = label(p)
			names = append(names, p.name)
		}
		slices.Sort(names)
		if len(slices.Compact(names)) == len(ps) {
			return
		}
	}
	for i, p := range ps[1:] {
		p.name += fmt.Sprintf(" (%d)", i+2)
	}
}
