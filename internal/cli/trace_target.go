package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/tarebench/tare/internal/command"
	"github.com/tarebench/tare/internal/session"
	"github.com/tarebench/tare/internal/toolchain"
)

// goTarget is what tare builds to watch it: a program, or the tests of a package.
type goTarget struct {
	test  bool
	dir   string   // where the go command runs; "": here
	flags []string // of the build
	pkgs  []string // one package, or .go files of one
	args  []string // of the program

	// From the go command.
	path string // import path
	home string // directory of the package

	goPath string   // the go command; "": the one in PATH
	goEnv  []string // what that needs
}

// packageTarget is the target of PACKAGE [-- ARGS].
func packageTarget(pkgs, args []string, tags string) *goTarget {
	t := &goTarget{pkgs: pkgs, args: args}
	if len(pkgs) == 0 {
		t.pkgs = []string{"."}
	}
	if tags != "" {
		t.flags = []string{"-tags=" + tags}
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

// isGo reports whether a command line is one of the go command that runs something.
func isGo(words []string) bool {
	return len(words) > 1 && strings.TrimSuffix(filepath.Base(words[0]), ".exe") == "go" && (words[1] == "run" || words[1] == "test")
}

// commandTarget understands `go run …` and `go test …`.
func commandTarget(words []string) (*goTarget, error) {
	t := &goTarget{test: words[1] == "test"}
	words = words[2:]
	var tests []string
	for len(words) > 0 {
		word := words[0]
		words = words[1:]
		if t.test && (word == "-args" || word == "--args") {
			t.args, words = words, nil
			break
		}
		if len(word) < 2 || word[0] != '-' {
			t.pkgs = append(t.pkgs, word)
			if !t.test && (!strings.HasSuffix(word, ".go") || len(words) == 0 || !strings.HasSuffix(words[0], ".go")) {
				t.args, words = words, nil
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
				return nil, usageError(fmt.Errorf("go %s: flag %s needs a value", t.verb(), word), "")
			}
			value, words, joined = words[0], words[1:], true
		}
		switch {
		case name == "C":
			t.dir = value
		case of.test && joined:
			tests = append(tests, "-test."+name+"="+value)
		case of.test:
			tests = append(tests, "-test."+name)
		case joined:
			t.flags = append(t.flags, "-"+name+"="+value)
		default:
			t.flags = append(t.flags, "-"+name)
		}
	}
	if t.test {
		t.args = append(t.testing(tests), t.args...)
	}
	if len(t.pkgs) == 0 {
		if !t.test {
			return nil, usageError(errors.New("go run: no package"), "-- go run PACKAGE [ARG...]")
		}
		t.pkgs = []string{"."}
	}
	return t, nil
}

// goFlag is what a flag of the go command is for.
type goFlag struct{ test, valued bool }

func (t *goTarget) kind(name string) (f goFlag, known bool) {
	switch {
	case t.test && slices.Contains(testSwitches, name):
		return goFlag{test: true}, true
	case t.test && slices.Contains(testValues, name):
		return goFlag{test: true, valued: true}, true
	case slices.Contains(buildSwitches, name):
		return goFlag{}, true
	case name == "C", slices.Contains(buildValues, name):
		return goFlag{valued: true}, true
	}
	return goFlag{}, false
}

func (t *goTarget) verb() string {
	if t.test {
		return "test"
	}
	return "run"
}

// refuse explains a flag that is not passed on.
func (t *goTarget) refuse(word string) error {
	hint := "flags of the program come behind its package"
	if t.test {
		hint = "flags of the test's own come behind -args"
	}
	name, _, _ := strings.Cut(strings.TrimLeft(word, "-"), "=")
	switch {
	case name == "exec" || name == "o" || name == "c":
		hint = "tare needs it for itself"
	case strings.HasPrefix(name, "cover"):
		hint = "coverage would count, too: leave it out"
	}
	return usageError(fmt.Errorf("go %s %s: not with tare", t.verb(), session.MaskArg("", word)), hint)
}

// testing are the arguments of a test program, as go test gives them.
func (t *goTarget) testing(asked []string) []string {
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

// goEnviron is the environment of the go command: with the directory it runs in, as a
// shell would have it.
func (t *goTarget) goEnviron(more []string) []string {
	env := os.Environ()
	if t.dir != "" {
		if dir, err := filepath.Abs(t.dir); err == nil {
			env = append(env, "PWD="+dir)
		}
	}
	return session.LastOfEach(slices.Concat(env, t.goEnv, more))
}

// goRun runs the go command. What it says against the sources is for people as it is.
func (t *goTarget) goRun(ctx context.Context, env []string, args ...string) (stdout, stderr string, err error) {
	name := "go"
	if t.goPath != "" {
		name = t.goPath
	}
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir, cmd.Env = t.dir, t.goEnviron(env)
	return toolchain.Capture(ctx, cmd)
}

// settings finds the toolchain that builds the target. From then on its go command is one whose
// files an overlay can replace: those of a toolchain that go has downloaded have a second name.
func (t *goTarget) settings(ctx context.Context, work string) (*toolchain.Toolchain, error) {
	c := toolchain.Command{Go: t.goPath, Dir: t.dir, Env: t.goEnviron(nil)}
	e, err := toolchain.Find(ctx, c, t.flags...)
	if err != nil {
		return nil, err
	}
	if cache, err := os.UserCacheDir(); err == nil {
		work = filepath.Join(cache, "tare", "overlay")
	}
	root, err := toolchain.ReplaceableRoot(work, e.Root, e.ModCache)
	if err != nil {
		return nil, err
	}
	if root != e.Root {
		e.Overlay = e.Overlay.Rerooted(e.Root, root)
		e.Root, t.goPath, t.goEnv = root, toolchain.GoCommand(root), append(t.goEnv, toolchain.GoEnv(root)...)
	}
	return e, nil
}

// resolve has go write what it needs while it builds into the directory of the run: what it
// leaves there when it is killed is removed with that. See benchSession.resolve.
func (w *watch) resolve(ctx context.Context, t *goTarget) error {
	if t.mayMove(ctx) {
		t.goEnv = append(t.goEnv, "GOTMPDIR="+w.work)
	}
	return w.benchSession.resolve(ctx, t)
}

// mayMove reports whether nobody has said where go writes while it builds, or wants it kept.
func (t *goTarget) mayMove(ctx context.Context) bool {
	out, _, err := t.goRun(ctx, nil, "env", "GOTMPDIR", "GOFLAGS")
	own, flags, _ := strings.Cut(out, "\n")
	kept := toolchain.ParseFlags(strings.TrimSpace(flags), t.flags...).Switched(func(name string) bool { return name == "work" })
	return err == nil && strings.TrimSpace(own) == "" && kept == ""
}

// resolve compiles the target as it is, so that what is wrong with it is told as go
// tells it, and finds out where it is.
func (s *benchSession) resolve(ctx context.Context, t *goTarget) error {
	args := []string{"list", "-export", "-f", "{{.ImportPath}}\t{{.Name}}\t{{.Dir}}\t{{.ForTest}}"}
	if t.test {
		args = append(args, "-test")
	}
	args = append(append(append(args, t.flags...), "--"), t.pkgs...)
	out, said, err := t.goRun(ctx, nil, args...)
	if err != nil {
		return s.unbuilt(ctx, t, said, err)
	}
	var found [][]string
	for line := range strings.Lines(out) {
		f := strings.Split(strings.TrimRight(line, "\r\n"), "\t")
		if len(f) == 4 && f[3] == "" && !(t.test && strings.HasSuffix(f[0], ".test")) {
			found = append(found, f)
		}
	}
	what := strings.Join(t.pkgs, " ")
	switch {
	case len(found) == 0:
		return failed(fmt.Errorf("%s: no package", what), "")
	case len(found) > 1:
		return usageError(fmt.Errorf("%s: %d packages, and one program is watched at a time", what, len(found)), "name one of them: "+found[0][0])
	case !t.test && found[0][1] != "main":
		return usageError(fmt.Errorf("%s: package %s is no program", what, found[0][1]), "its tests and benchmarks run by: -- go test -bench . "+what)
	}
	t.path, t.home = found[0][0], found[0][2]
	return nil
}

// unbuilt is the error of what go refuses to build: it says why itself.
func (s *benchSession) unbuilt(ctx context.Context, t *goTarget, said string, err error) error {
	if s.signals.Caught() || ctx.Err() != nil {
		return s.interrupted(err)
	}
	if errors.Is(err, exec.ErrNotFound) {
		return failed(err, "tare builds with the go command: https://go.dev/dl")
	}
	s.progress.Clear()
	fmt.Fprint(s.err, said)
	if said == "" {
		return failed(fmt.Errorf("%s: %w", strings.Join(t.pkgs, " "), err), "")
	}
	return failed(fmt.Errorf("%s: does not build", strings.Join(t.pkgs, " ")), "what go said is above")
}

// buildTarget links the program into a file. What it is built with is named in the error
// of a build that only that breaks.
func (s *benchSession) buildTarget(ctx context.Context, t *goTarget, file, with string, flags, env []string) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		return failed(err, "")
	}
	said, err := t.link(ctx, file, flags, env)
	switch {
	case err != nil && ctx.Err() == nil && full(said):
		s.progress.Clear()
		fmt.Fprint(s.err, said)
		return failed(fmt.Errorf("%s: there is no room to build it", strings.Join(t.pkgs, " ")), "make room for temporary files (TMPDIR) and go's build cache (go env GOCACHE); what go said is above")
	case err != nil && with != "" && ctx.Err() == nil:
		return s.brokenBy(ctx, t, file, with, said, err)
	case err != nil:
		return s.unbuilt(ctx, t, said, err)
	}
	if _, err := os.Stat(file); err != nil && t.test {
		return failed(fmt.Errorf("%s: has no tests", strings.Join(t.pkgs, " ")), "")
	}
	return nil
}

// link makes the program, and returns what go said.
func (t *goTarget) link(ctx context.Context, file string, flags, env []string) (said string, err error) {
	args := []string{"build"}
	if t.test {
		args = []string{"test", "-c", "-vet=off"}
	}
	args = append(append(args, t.flags...), flags...)
	args = append(append(args, "-o", file), t.pkgs...)
	_, said, err = t.goRun(ctx, env, args...)
	return said, err
}

// brokenBy is the error of a build with something that failed, for reasons that go has said:
// resolve has compiled the target, but linked nothing, so that it may be broken anyway.
func (s *benchSession) brokenBy(ctx context.Context, t *goTarget, file, with, said string, err error) error {
	s.progress.Phase("building without %s, which may be in the way", with)
	plain := file + ".plain"
	defer os.Remove(plain)
	if said, err := t.link(ctx, plain, nil, nil); err != nil {
		return s.unbuilt(ctx, t, said, err)
	}
	s.progress.Clear()
	fmt.Fprint(s.err, said)
	return failed(fmt.Errorf("%s: does not build with %s: %w", strings.Join(t.pkgs, " "), with, err), "without them it builds; what go said is above")
}

// full reports whether go says that a disk is.
func full(said string) bool {
	return strings.Contains(said, syscall.ENOSPC.Error()) || strings.Contains(said, syscall.EDQUOT.Error())
}

// workDir is where the program runs: as go run and go test have it.
func (t *goTarget) workDir() string {
	if t.test {
		return t.home
	}
	return t.dir
}

// line is the target as one would type it, without secrets: of a program in the directory
// that one is in, its import path, once it is known.
func (t *goTarget) line() string {
	words := slices.Clone(t.pkgs)
	for i, w := range words {
		if w = filepath.ToSlash(filepath.Clean(w)); !t.test && t.path != "" && (w == "." || w == ".." || strings.HasSuffix(w, "/..")) {
			words[i] = t.path
		}
	}
	if t.test {
		words = append([]string{"go", "test"}, words...)
		for _, a := range t.args {
			if a != "-test.paniconexit0" && a != "-test.timeout=10m0s" {
				words = append(words, strings.Replace(a, "-test.", "-", 1))
			}
		}
		return command.Join(session.MaskArgs(words))
	}
	return command.Join(session.MaskArgs(append(words, t.args...)))
}

// file is where the program is built for a purpose: the name is that which go gives it.
func (t *goTarget) file(work, purpose string) string {
	dir := filepath.Join(work, "bin", purpose)
	name := filepath.Base(t.path)
	if name == "command-line-arguments" {
		name = strings.TrimSuffix(filepath.Base(t.pkgs[0]), ".go")
	}
	if t.test {
		name += ".test"
	}
	return filepath.Join(dir, name)
}
