package target

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/golang/toolchain"
	"github.com/tarebench/tare/internal/measure/session"
	"github.com/tarebench/tare/internal/numbers/plan"
)

// Builder builds targets.
type Builder struct {
	Context  context.Context // ends what the go command does
	Work     string          // directory for what is built
	Signals  *session.Signals
	Progress *session.Progress
	Stderr   io.Writer // gets what the go command says of programs that it does not build
}

// Interrupted returns the error of a step: that of the signal which cut it off, if one did.
func (b *Builder) Interrupted(err error) error {
	if b.Signals.Caught() {
		return plan.ErrInterrupted
	}
	return err
}

// Command returns how the go command builds the target.
func (t *Target) Command() toolchain.Command {
	return toolchain.Command{Go: t.goPath, Dir: t.Dir, Env: t.goEnviron(nil)}
}

// goEnviron returns the environment of the go command: with the directory it runs in, as a
// shell would have it.
func (t *Target) goEnviron(more []string) []string {
	env := os.Environ()
	if t.Dir != "" {
		if dir, err := filepath.Abs(t.Dir); err == nil {
			env = append(env, "PWD="+dir)
		}
	}
	return session.LastOfEach(slices.Concat(env, t.Env, t.goEnv, more))
}

// goRun runs the go command. Its messages about the sources are for people as they are.
func (t *Target) goRun(ctx context.Context, env []string, args ...string) (stdout, stderr string, err error) {
	name := "go"
	if t.goPath != "" {
		name = t.goPath
	}
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir, cmd.Env = t.Dir, t.goEnviron(env)
	return toolchain.Capture(ctx, cmd)
}

// Settings returns the toolchain that builds the target. An overlay must be able to replace files of that
// toolchain, which go does not allow in its module cache. If the toolchain was downloaded there, later go
// commands for the target use another path to it.
func (b *Builder) Settings(t *Target) (*toolchain.Toolchain, error) {
	e, err := toolchain.Find(b.Context, t.Command(), t.Flags...)
	if err != nil {
		return nil, err
	}
	work, err := toolchain.CacheDir()
	if err != nil {
		work = b.Work
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

// Resolve finds the package of the target. What the go command writes while it builds goes into
// the directory of the run, so that it is removed with that also if the command is killed.
func (b *Builder) Resolve(t *Target) error {
	if t.mayMove(b.Context) {
		t.goEnv = append(t.goEnv, "GOTMPDIR="+b.Work)
	}
	return b.findPackage(t)
}

// mayMove reports whether the place where go writes while it builds may be chosen: nothing
// else names one, and nothing keeps it.
func (t *Target) mayMove(ctx context.Context) bool {
	out, _, err := t.goRun(ctx, nil, "env", "GOTMPDIR", "GOFLAGS")
	own, flags, _ := strings.Cut(out, "\n")
	kept := toolchain.ParseFlags(strings.TrimSpace(flags), t.Flags...).Switched(func(name string) bool { return name == "work" })
	return err == nil && strings.TrimSpace(own) == "" && kept == ""
}

// findPackage compiles the target as it is, so that the go command says what is wrong with it,
// and finds out where it is.
func (b *Builder) findPackage(t *Target) error {
	for _, pattern := range t.Pkgs {
		if missing := toolchain.Missing(t.Dir, pattern); missing != "" {
			return exit.Usage(fmt.Errorf("%s: no such %s", pattern, missing), "")
		}
	}
	args := []string{"list", "-export", "-f", "{{.ImportPath}}\t{{.Name}}\t{{.Dir}}\t{{.ForTest}}"}
	if t.Test {
		args = append(args, "-test")
	}
	args = append(append(append(args, t.Flags...), "--"), t.Pkgs...)
	out, said, err := t.goRun(b.Context, nil, args...)
	if err != nil {
		return b.unbuilt(t, said, err)
	}
	var found [][]string
	for line := range strings.Lines(out) {
		f := strings.Split(strings.TrimRight(line, "\r\n"), "\t")
		if len(f) == 4 && f[3] == "" && !(t.Test && strings.HasSuffix(f[0], ".test")) {
			found = append(found, f)
		}
	}
	what := strings.Join(t.Pkgs, " ")
	switch {
	case len(found) == 0:
		return exit.Usage(fmt.Errorf("%s: no package", what), "")
	case len(found) > 1:
		return exit.Usage(fmt.Errorf("%s: %d packages, and one program is run at a time", what, len(found)), "name one of them: "+found[0][0])
	case !t.Test && found[0][1] != "main":
		return exit.Usage(fmt.Errorf("%s: package %s is no program", what, found[0][1]), "its tests and benchmarks run by: -- go test -bench . "+what)
	}
	t.Path, t.Home = found[0][0], found[0][2]
	return nil
}

// unbuilt returns the error of what the go command does not build: it says why itself.
func (b *Builder) unbuilt(t *Target, said string, err error) error {
	if b.Signals.Caught() || b.Context.Err() != nil {
		return b.Interrupted(err)
	}
	if errors.Is(err, exec.ErrNotFound) {
		return exit.Failed(err, "tare builds with the go command: https://go.dev/dl")
	}
	b.quote(said)
	if toolchain.SaysAbsent(said) {
		return exit.Usage(fmt.Errorf("%s: there is no such package", strings.Join(t.Pkgs, " ")), "what go said is above")
	}
	if said == "" {
		return exit.Failed(fmt.Errorf("%s: %w", strings.Join(t.Pkgs, " "), err), "")
	}
	return exit.Failed(fmt.Errorf("%s: does not build", strings.Join(t.Pkgs, " ")), "what go said is above")
}

// quote repeats what the go command said.
func (b *Builder) quote(said string) {
	b.Progress.Clear()
	fmt.Fprint(b.Stderr, exit.Shown(said))
}

// Build links the program into a file. What it is built with is named in the error
// of a build that only that breaks.
func (b *Builder) Build(t *Target, file, with string, flags, env []string) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		return exit.Failed(err, "")
	}
	said, err := t.link(b.Context, file, flags, env)
	switch {
	case err != nil && b.Context.Err() == nil && full(said):
		b.quote(said)
		return exit.Failed(fmt.Errorf("%s: there is no room to build it", strings.Join(t.Pkgs, " ")), "make room for temporary files (TMPDIR) and go's build cache (go env GOCACHE); what go said is above")
	case err != nil && with != "" && b.Context.Err() == nil:
		return b.brokenBy(t, file, with, said, err)
	case err != nil:
		return b.unbuilt(t, said, err)
	}
	if _, err := os.Stat(file); err != nil && t.Test {
		return exit.Failed(fmt.Errorf("%s: has no tests", strings.Join(t.Pkgs, " ")), "")
	}
	return nil
}

// link makes the program, and returns what go said.
func (t *Target) link(ctx context.Context, file string, flags, env []string) (said string, err error) {
	args := []string{"build"}
	if t.Test {
		args = []string{"test", "-c", "-vet=off"}
	}
	args = append(append(args, t.Flags...), flags...)
	args = append(append(args, "-o", file), t.Pkgs...)
	_, said, err = t.goRun(ctx, env, args...)
	return said, err
}

// brokenBy returns the error of a build that failed with something added. findPackage has compiled the
// target but not linked it, so that it may be broken without the addition, too.
func (b *Builder) brokenBy(t *Target, file, with, said string, err error) error {
	b.Progress.Phase("building without %s, which may be in the way", with)
	plain := file + ".plain"
	defer os.Remove(plain)
	if said, err := t.link(b.Context, plain, nil, nil); err != nil {
		return b.unbuilt(t, said, err)
	}
	b.quote(said)
	return exit.Failed(fmt.Errorf("%s: does not build with %s: %w", strings.Join(t.Pkgs, " "), with, err), "without them it builds; what go said is above")
}

// full reports whether the go command says that a disk is full.
func full(said string) bool {
	return strings.Contains(said, syscall.ENOSPC.Error()) || strings.Contains(said, syscall.EDQUOT.Error())
}
