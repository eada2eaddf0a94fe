package target

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/base/redact"
	"github.com/tarebench/tare/internal/base/shellwords"
)

// Target is what tare builds and runs: a program, or the tests of a package.
type Target struct {
	Test  bool
	Dir   string   // where the go command runs; "": here
	Flags []string // of the build
	Pkgs  []string // one package, or .go files of one
	Args  []string // of the program

	// From Builder.Resolve.
	Path string // import path
	Home string // directory of the package

	Env    []string // settings of the go command besides those of this process
	goPath string   // the go command; "": the one in PATH
	goEnv  []string // what that needs
}

// FromPackage returns the target of PACKAGE [-- ARGS]: that of the current directory if none
// is named. tags are build tags, comma-separated.
func FromPackage(pkgs, args []string, tags string) *Target {
	t := &Target{Pkgs: pkgs, Args: args}
	if len(pkgs) == 0 {
		t.Pkgs = []string{"."}
	}
	if tags != "" {
		t.Flags = []string{"-tags=" + tags}
	}
	return t
}

// Flags of the go command that are passed on, without their dash.
var (
	buildSwitches = []string{"a", "v", "x", "race", "msan", "asan", "trimpath", "linkshared", "modcacherw", "work"}
	buildValues   = []string{"p", "tags", "mod", "modfile", "overlay", "ldflags", "gcflags", "asmflags", "pgo", "buildmode", "buildvcs", "compiler", "gccgoflags", "installsuffix", "pkgdir", "toolexec"}
	testSwitches  = []string{"v", "short", "failfast", "benchmem", "fullpath"}
	testValues    = []string{
		"bench", "benchtime", "blockprofile", "blockprofilerate", "count", "cpu", "cpuprofile", "list", "memprofile", "memprofilerate",
		"mutexprofile", "mutexprofilefraction", "outputdir", "parallel", "run", "shuffle", "skip", "timeout", "trace",
	}
)

// IsGo reports whether a command line is one of the go command that runs something.
func IsGo(words []string) bool {
	return len(words) > 1 && strings.TrimSuffix(filepath.Base(words[0]), ".exe") == "go" && (words[1] == "run" || words[1] == "test")
}

// IsRun reports whether a command line is go run.
func IsRun(words []string) bool { return IsGo(words) && words[1] == "run" }

// FromCommand returns the target of a command line `go run …` or `go test …`. It fails for
// flags that cannot be passed on.
func FromCommand(words []string) (*Target, error) {
	t := &Target{Test: words[1] == "test"}
	words = words[2:]
	var tests []string
	for len(words) > 0 {
		word := words[0]
		words = words[1:]
		if t.Test && (word == "-args" || word == "--args") {
			t.Args, words = words, nil
			break
		}
		if len(word) < 2 || word[0] != '-' {
			t.Pkgs = append(t.Pkgs, word)
			if !t.Test && (!strings.HasSuffix(word, ".go") || len(words) == 0 || !strings.HasSuffix(words[0], ".go")) {
				t.Args, words = words, nil
			}
			continue
		}
		name, value, joined := strings.Cut(strings.TrimPrefix(word[1:], "-"), "=")
		of, known := t.kind(name)
		if !known {
			return nil, t.refuse(word)
		}
		if !joined && of.valued {
			if len(words) == 0 {
				return nil, exit.Usage(fmt.Errorf("go %s: flag %s needs a value", t.verb(), word), "")
			}
			value, words, joined = words[0], words[1:], true
		}
		switch {
		case name == "C":
			t.Dir = value
		case of.test && joined:
			tests = append(tests, "-test."+name+"="+value)
		case of.test:
			tests = append(tests, "-test."+name)
		case joined:
			t.Flags = append(t.Flags, "-"+name+"="+value)
		default:
			t.Flags = append(t.Flags, "-"+name)
		}
	}
	if t.Test {
		t.Args = append(t.testing(tests), t.Args...)
	}
	if len(t.Pkgs) == 0 {
		if !t.Test {
			return nil, exit.Usage(errors.New("go run: no package"), "-- go run PACKAGE [ARG...]")
		}
		t.Pkgs = []string{"."}
	}
	return t, nil
}

// goFlag describes a flag of the go command: whether it is one of go test, and whether it has a value.
type goFlag struct{ test, valued bool }

func (t *Target) kind(name string) (f goFlag, known bool) {
	switch {
	case t.Test && slices.Contains(testSwitches, name):
		return goFlag{test: true}, true
	case t.Test && slices.Contains(testValues, name):
		return goFlag{test: true, valued: true}, true
	case slices.Contains(buildSwitches, name):
		return goFlag{}, true
	case name == "C", slices.Contains(buildValues, name):
		return goFlag{valued: true}, true
	}
	return goFlag{}, false
}

func (t *Target) verb() string {
	if t.Test {
		return "test"
	}
	return "run"
}

// refuse explains a flag that is not passed on.
func (t *Target) refuse(word string) error {
	hint := "flags of the program come behind its package"
	if t.Test {
		hint = "flags of the test's own come behind -args"
	}
	name, _, _ := strings.Cut(strings.TrimLeft(word, "-"), "=")
	switch {
	case name == "exec" || name == "o" || name == "c":
		hint = "tare needs it for itself"
	case strings.HasPrefix(name, "cover"):
		hint = "coverage would count, too: leave it out"
	}
	return exit.Usage(fmt.Errorf("go %s %s: not with tare", t.verb(), redact.Arg(word)), hint)
}

// testing returns the arguments of a test program, as go test gives them.
func (t *Target) testing(asked []string) []string {
	has := func(name string) bool {
		return slices.ContainsFunc(asked, func(a string) bool { return strings.HasPrefix(a, "-test."+name) })
	}
	out := []string{"-test.paniconexit0"}
	if !has("timeout") {
		out = append(out, "-test.timeout=10m0s")
	}
	files := has("blockprofile=") || has("cpuprofile") || has("memprofile=") || has("mutexprofile=") || has("trace")
	if here, err := os.Getwd(); err == nil && files && !has("outputdir") {
		out = append(out, "-test.outputdir="+here)
	}
	return append(out, asked...)
}

// WorkDir returns where the program runs: as go run and go test have it.
func (t *Target) WorkDir() string {
	if t.Test {
		return t.Home
	}
	return t.Dir
}

// Line returns the target as one would type it, without secrets. A program in a directory without a
// name, such as . or .., is named by its import path, once that is known.
func (t *Target) Line() string {
	words := slices.Clone(t.Pkgs)
	for i, w := range words {
		if w = filepath.ToSlash(filepath.Clean(w)); !t.Test && t.Path != "" && (w == "." || w == ".." || strings.HasSuffix(w, "/..")) {
			words[i] = t.Path
		}
	}
	if t.Test {
		words = append([]string{"go", "test"}, words...)
		for _, a := range t.Args {
			if a != "-test.paniconexit0" && a != "-test.timeout=10m0s" {
				words = append(words, strings.Replace(a, "-test.", "-", 1))
			}
		}
		return shellwords.Join(redact.Args(words))
	}
	return shellwords.Join(redact.Args(append(words, t.Args...)))
}

// File returns where the program is built for a purpose: the name is that which go gives it.
func (t *Target) File(work, purpose string) string {
	dir := filepath.Join(work, "bin", purpose)
	name := filepath.Base(t.Path)
	if name == "command-line-arguments" {
		name = strings.TrimSuffix(filepath.Base(t.Pkgs[0]), ".go")
	}
	if t.Test {
		name += ".test"
	}
	return filepath.Join(dir, name)
}
