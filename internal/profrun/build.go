package profrun

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

	"github.com/tarebench/tare/internal/exit"
	"github.com/tarebench/tare/internal/session"
	"github.com/tarebench/tare/internal/toolchain"
)

// goEnviron returns the environment of the go command: with the directory it runs in, as a
// shell would have it.
func (t *Target) goEnviron(more []string) []string {
	env := os.Environ()
	if t.dir != "" {
		if dir, err := filepath.Abs(t.dir); err == nil {
			env = append(env, "PWD="+dir)
		}
	}
	return session.LastOfEach(slices.Concat(env, t.goEnv, more))
}

// goRun runs the go command. Its messages about the sources are for people as they are.
func (t *Target) goRun(ctx context.Context, env []string, args ...string) (stdout, stderr string, err error) {
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
func (t *Target) settings(ctx context.Context, work string) (*toolchain.Toolchain, error) {
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

// resolve finds the package of the target. What the go command writes while it builds goes into
// the directory of the run, so that it is removed with that also if the command is killed.
func (r *Runner) resolve(t *Target) error {
	if t.mayMove(r.ctx) {
		t.goEnv = append(t.goEnv, "GOTMPDIR="+r.work)
	}
	return r.findPackage(t)
}

// mayMove reports whether the place where go writes while it builds may be chosen: nothing
// else names one, and nothing keeps it.
func (t *Target) mayMove(ctx context.Context) bool {
	out, _, err := t.goRun(ctx, nil, "env", "GOTMPDIR", "GOFLAGS")
	own, flags, _ := strings.Cut(out, "\n")
	kept := toolchain.ParseFlags(strings.TrimSpace(flags), t.flags...).Switched(func(name string) bool { return name == "work" })
	return err == nil && strings.TrimSpace(own) == "" && kept == ""
}

// findPackage compiles the target as it is, so that the go command says what is wrong with it,
// and finds out where it is.
func (r *Runner) findPackage(t *Target) error {
	for _, pattern := range t.pkgs {
		if missing := toolchain.Missing(t.dir, pattern); missing != "" {
			return exit.Usage(fmt.Errorf("%s: no such %s", pattern, missing), "")
		}
	}
	args := []string{"list", "-export", "-f", "{{.ImportPath}}\t{{.Name}}\t{{.Dir}}\t{{.ForTest}}"}
	if t.test {
		args = append(args, "-test")
	}
	args = append(append(append(args, t.flags...), "--"), t.pkgs...)
	out, said, err := t.goRun(r.ctx, nil, args...)
	if err != nil {
		return r.unbuilt(t, said, err)
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
		return exit.Usage(fmt.Errorf("%s: no package", what), "")
	case len(found) > 1:
		return exit.Usage(fmt.Errorf("%s: %d packages, and one program is run at a time", what, len(found)), "name one of them: "+found[0][0])
	case !t.test && found[0][1] != "main":
		return exit.Usage(fmt.Errorf("%s: package %s is no program", what, found[0][1]), "its tests and benchmarks run by: -- go test -bench . "+what)
	}
	t.path, t.home = found[0][0], found[0][2]
	return nil
}

// unbuilt returns the error of what the go command does not build: it says why itself.
func (r *Runner) unbuilt(t *Target, said string, err error) error {
	if r.Signals.Caught() || r.ctx.Err() != nil {
		return r.interrupted(err)
	}
	if errors.Is(err, exec.ErrNotFound) {
		return exit.Failed(err, "tare builds with the go command: https://go.dev/dl")
	}
	r.quote(said)
	if toolchain.SaysAbsent(said) {
		return exit.Usage(fmt.Errorf("%s: there is no such package", strings.Join(t.pkgs, " ")), "what go said is above")
	}
	if said == "" {
		return exit.Failed(fmt.Errorf("%s: %w", strings.Join(t.pkgs, " "), err), "")
	}
	return exit.Failed(fmt.Errorf("%s: does not build", strings.Join(t.pkgs, " ")), "what go said is above")
}

// quote repeats what the go command said.
func (r *Runner) quote(said string) {
	r.Progress.Clear()
	fmt.Fprint(r.Stderr, exit.Shown(r.Redactor.Mask(said)))
}

// buildTarget links the program into a file. What it is built with is named in the error
// of a build that only that breaks.
func (r *Runner) buildTarget(t *Target, file, with string, flags, env []string) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		return exit.Failed(err, "")
	}
	said, err := t.link(r.ctx, file, flags, env)
	switch {
	case err != nil && r.ctx.Err() == nil && full(said):
		r.quote(said)
		return exit.Failed(fmt.Errorf("%s: there is no room to build it", strings.Join(t.pkgs, " ")), "make room for temporary files (TMPDIR) and go's build cache (go env GOCACHE); what go said is above")
	case err != nil && with != "" && r.ctx.Err() == nil:
		return r.brokenBy(t, file, with, said, err)
	case err != nil:
		return r.unbuilt(t, said, err)
	}
	if _, err := os.Stat(file); err != nil && t.test {
		return exit.Failed(fmt.Errorf("%s: has no tests", strings.Join(t.pkgs, " ")), "")
	}
	return nil
}

// link makes the program, and returns what go said.
func (t *Target) link(ctx context.Context, file string, flags, env []string) (said string, err error) {
	args := []string{"build"}
	if t.test {
		args = []string{"test", "-c", "-vet=off"}
	}
	args = append(append(args, t.flags...), flags...)
	args = append(append(args, "-o", file), t.pkgs...)
	_, said, err = t.goRun(ctx, env, args...)
	return said, err
}

// brokenBy returns the error of a build that failed with something added. findPackage has compiled the
// target but not linked it, so that it may be broken without the addition, too.
func (r *Runner) brokenBy(t *Target, file, with, said string, err error) error {
	r.Progress.Phase("building without %s, which may be in the way", with)
	plain := file + ".plain"
	defer os.Remove(plain)
	if said, err := t.link(r.ctx, plain, nil, nil); err != nil {
		return r.unbuilt(t, said, err)
	}
	r.quote(said)
	return exit.Failed(fmt.Errorf("%s: does not build with %s: %w", strings.Join(t.pkgs, " "), with, err), "without them it builds; what go said is above")
}

// full reports whether the go command says that a disk is full.
func full(said string) bool {
	return strings.Contains(said, syscall.ENOSPC.Error()) || strings.Contains(said, syscall.EDQUOT.Error())
}
