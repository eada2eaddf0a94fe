package command

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

	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/base/redact"
	"github.com/tarebench/tare/internal/base/shellwords"
	"github.com/tarebench/tare/internal/base/termtext"
	"github.com/tarebench/tare/internal/process/spawn"
	"github.com/tarebench/tare/record"
)

// Program is a command that can be started.
type Program struct {
	Name string     // of its side, set by [NameSides]
	Line string     // as one would type it, without secrets
	Path string     // of its executable
	Spec spawn.Spec // with the file of standard input as descriptor 3, if there is one
}

// Starter turns command lines into programs.
type Starter struct {
	Shell bool     // commands are run by sh -c
	Input bool     // a file is standard input
	Dir   string   // where they run; "" is here
	Env   []string // all of their environment

	sh string // path of sh; "" if nothing needs it
}

// A started process finds nothing to read on descriptor 0. So a file is passed as descriptor 3,
// and sh moves it before it becomes the command. It is the same process, with the memory and
// times of the command; what sh takes is part of the cost of starting a process.
const (
	inputScript = `exec <&3 3<&-` + "\n"
	inputExec   = `exec "$@" <&3 3<&-`
)

// Init finds sh if it is needed. It fails if there is none.
func (s *Starter) Init() error {
	if !s.Shell && !s.Input {
		return nil
	}
	sh, err := exec.LookPath("sh")
	if err != nil {
		return exit.Usage(fmt.Errorf("--shell and --input need a shell: %w", err), "")
	}
	s.sh, err = filepath.Abs(sh)
	return err
}

// Program returns the program of a command line. It fails if there is no such executable.
func (s *Starter) Program(words []string) (*Program, error) {
	if s.Shell {
		line := words[0]
		if len(words) > 1 {
			line = shellwords.Join(words)
		}
		return &Program{Line: redact.Command(line), Path: s.sh, Spec: s.script(line)}, nil
	}
	path, err := executable(words[0])
	if err != nil {
		return nil, err
	}
	p := &Program{Line: shellwords.Join(redact.Args(words)), Path: path}
	p.Spec = s.spec(spawn.Spec{Path: words[0], Args: words[1:]}, path)
	return p, nil
}

// spec is that of a program, through sh if it reads a file.
func (s *Starter) spec(direct spawn.Spec, path string) spawn.Spec {
	direct.Dir, direct.Env = s.Dir, s.Env
	if s.Input {
		direct.Args = append([]string{"-c", inputExec, "sh", path}, direct.Args...)
		direct.Path = s.sh
	}
	return direct
}

func (s *Starter) script(line string) spawn.Spec {
	if s.Input {
		line = inputScript + line
	}
	return spawn.Spec{Path: s.sh, Args: []string{"-c", line}, Dir: s.Dir, Env: s.Env}
}

// Empty returns a process that does nothing, started in the same way. It reports false where
// there is no such program.
func (s *Starter) Empty() (spawn.Spec, bool) {
	if s.Shell {
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

// executable finds a program in the way in which it will be started.
func executable(name string) (string, error) {
	if name == "" {
		return "", exit.Usage(errors.New("the command is an empty word"), "")
	}
	path, err := exec.LookPath(name)
	switch {
	case errors.Is(err, exec.ErrDot): // "prog" in the current directory
		return "", exit.Usage(fmt.Errorf("there is no command %q in PATH", name), "the one in this directory is ./"+name)
	case errors.Is(err, fs.ErrPermission):
		return "", exit.Usage(fmt.Errorf("%s: is not executable", name), "chmod +x "+name+", or name its interpreter: sh "+name)
	case errors.Is(err, exec.ErrNotFound):
		return "", exit.Usage(fmt.Errorf("there is no command %q in PATH", redact.Arg(name)), missingHint(name))
	case errors.Is(err, fs.ErrNotExist):
		return "", exit.Usage(fmt.Errorf("%s: there is no such file", name), "")
	case err != nil:
		return "", exit.Usage(err, "")
	}
	return filepath.Abs(path)
}

// missingHint guesses what was meant by a command that is not in PATH.
func missingHint(name string) string {
	switch {
	case strings.ContainsAny(name, shellwords.Special+" "):
		return "tare time --against 'A …' -- B … compares two commands; --shell runs a command line by sh -c"
	case isRegular(name):
		return "the one in this directory is ./" + name
	}
	return ""
}

func isRegular(name string) bool {
	st, err := os.Stat(name)
	return err == nil && st.Mode().IsRegular()
}

// Bin returns what the record says of the program's file. The checksum of its content is not
// part of it: the same file does other work with other arguments.
func (p *Program) Bin(id int, dir string) *record.Bin {
	b := &record.Bin{ID: id, Pkg: p.Path, Side: p.Name, Dir: dir}
	if st, err := os.Stat(p.Path); err == nil {
		b.Size = st.Size()
	}
	return b
}

// GoVersion returns the version of Go that built a program, "" if Go did not.
func GoVersion(path string) string {
	info, err := buildinfo.ReadFile(path)
	if err != nil {
		return ""
	}
	return info.GoVersion
}

var assignment = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*=`)

// mostLabel is the length in characters of a name that is made of a command line.
const mostLabel = 40

// NameSides gives the programs without a name different names: those of their files, or their command
// lines if the files have the same name.
func NameSides(ps []*Program) {
	taken := map[string]bool{}
	ps = slices.DeleteFunc(slices.Clone(ps), func(p *Program) bool {
		taken[p.Name] = true
		return p.Name != ""
	})
	labels := []func(p *Program) string{
		func(p *Program) string {
			words, err := shellwords.Split(p.Line)
			for len(words) > 1 && assignment.MatchString(words[0]) { // of a variable, by a shell
				words = words[1:]
			}
			if err != nil || len(words) == 0 {
				return termtext.Clip(p.Line, mostLabel)
			}
			return filepath.Base(words[0])
		},
		func(p *Program) string { return termtext.Clip(p.Line, mostLabel) },
		func(p *Program) string { return fromDifference(p.Line, ps) },
	}
	programs := map[string]bool{}
	for _, p := range ps {
		programs[p.Line] = true
	}
	if len(programs) < len(ps) {
		labels = labels[:2] // no part of a line differs
	}
	for _, label := range labels {
		var names []string
		for _, p := range ps {
			p.Name = label(p)
			names = append(names, p.Name)
		}
		slices.Sort(names)
		if len(slices.Compact(names)) == len(ps) && !slices.ContainsFunc(names, func(n string) bool { return taken[n] }) {
			return
		}
	}
	for _, p := range ps {
		name := p.Name
		for n := 2; taken[p.Name]; n++ {
			p.Name = fmt.Sprintf("%s (%d)", name, n)
		}
		taken[p.Name] = true
	}
}

// fromDifference returns a command line from shortly before where it differs from the others.
func fromDifference(line string, ps []*Program) string {
	const before = 12 // characters that are alike
	all := []rune(line)
	alike := len(all)
	for _, p := range ps {
		other, i := []rune(p.Line), 0
		for i < min(alike, len(other)) && all[i] == other[i] {
			i++
		}
		if p.Line != line {
			alike = min(alike, i)
		}
	}
	if alike <= before {
		return termtext.Clip(line, mostLabel)
	}
	return termtext.Clip("…"+string(all[alike-before:]), mostLabel)
}
