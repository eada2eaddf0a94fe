package benchrun

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/base/termtext"
	"github.com/tarebench/tare/internal/golang/build"
	"github.com/tarebench/tare/internal/numbers/plan"
	"github.com/tarebench/tare/record"
)

// builtSide is one of the things a run builds and measures. A run that compares
// nothing has one, without a name.
type builtSide struct {
	*record.Side
	dir  string // where go runs
	tree *build.Worktree
	with string // digest of the files that were added to tree; "" for none
}

func (s *builtSide) close() {
	if s.tree != nil {
		s.tree.Close()
	}
}

// options say how the side is built. without names variables that go does not get.
func (s *builtSide) options(tags, temp string, without []string) build.Options {
	return build.Options{Temp: temp, Without: without, Dir: s.dir, Revision: s.cacheName(), Toolchain: s.Toolchain, Env: append(s.tree.Env(), s.Setenv...), Flags: s.Flags, Tags: tags}
}

// cacheName lets a commit find its binaries in the cache although it is checked
// out in another directory each time.
func (s *builtSide) cacheName() string {
	if s.tree == nil {
		return ""
	}
	return s.Revision + s.with
}

// openSides finds the directory of each side, checking revisions out where
// there are any.
func (b *Built) openSides(ctx context.Context) error {
	repo, repoErr := build.FindRepository(ctx, b.Run.Dir)
	if len(b.Run.Sides) == 0 {
		b.sides = []*builtSide{{Side: &record.Side{}, dir: b.Run.Dir}}
		if b.repo = repo; repoErr == nil {
			b.Run.Revision, b.Run.Dirty = build.StateOf(ctx, b.Run.Dir)
		}
		return nil
	}
	for i := range b.Run.Sides {
		spec := &b.Run.Sides[i]
		x := &builtSide{Side: spec, dir: b.Run.Dir}
		b.sides = append(b.sides, x)
		if spec.Dir == "" && spec.Revision != "" {
			err := b.checkOut(ctx, x, repo, repoErr)
			if err != nil && !b.leaveOut(x, err) {
				return err
			}
			continue
		}
		if spec.Dir == "" {
			spec.Dir = b.Run.Dir
		}
		x.dir = spec.Dir
		spec.Revision, spec.Dirty = build.StateOf(ctx, spec.Dir)
	}
	return nil
}

// checkOut gives a side a worktree of its own.
func (b *Built) checkOut(ctx context.Context, x *builtSide, repo *build.Repository, repoErr error) error {
	if repoErr != nil {
		return buildError(repoErr)
	}
	if i := slices.IndexFunc(b.Run.Config.Packages, func(p string) bool { return strings.Contains(p, "@") }); i >= 0 {
		return exit.Usage(fmt.Errorf("%s is not a package of this repository: revision %s says nothing about it", b.Run.Config.Packages[i], x.Revision),
			"compare its versions from within a module that requires it: --side NAME=DIR")
	}
	commit, err := repo.Resolve(ctx, x.Revision)
	if err != nil {
		return buildError(err)
	}
	b.Progress.Phase("checking out %s", x.Revision)
	if x.tree, err = repo.Worktree(ctx, commit); err != nil {
		return b.interrupted(exit.Failed(err, ""))
	}
	if x.Ref == "" { // else the run is resumed
		x.Ref = x.Revision
	}
	x.Revision, x.dir = commit, x.tree.Dir
	return b.addFiles(x)
}

// leaveOut reports whether the run goes on without a side that cannot be had, and notes why it cannot. After a signal
// it does not.
func (b *Built) leaveOut(x *builtSide, err error) bool {
	if b.Series == nil || errors.Is(err, plan.ErrInterrupted) || b.Signals.Caught() || ofMachine(err) {
		return false
	}
	if b.Without[x.Name] == "" { // else it is known from a package
		b.leaveOutFor(x, err)
	}
	return true
}

// machineErrors are texts of errors that say nothing about the code: of the go command and git, which print them.
var machineErrors = []string{"no space left on device", "read-only file system", "input/output error", "cannot allocate memory", "too many open files", "disk quota exceeded", "permission denied", "signal: killed"}

// ofMachine reports whether an error is the machine's or the network's, and would not be there on another one.
func ofMachine(err error) bool {
	if e := (*build.Error)(nil); errors.As(err, &e) && e.Server {
		return true
	}
	text := strings.ToLower(err.Error())
	return slices.ContainsFunc(machineErrors, func(s string) bool { return strings.Contains(text, s) })
}

// leaveOutFor notes why a side or a package of it has no figures.
func (b *Built) leaveOutFor(x *builtSide, err error) {
	why := termtext.OneLine(err.Error())
	b.Progress.Note("%s is left out: %s", x.Name, why)
	if b.Without == nil {
		b.Without = map[string]string{}
	}
	if b.Without[x.Name] == "" { // of several packages the first
		b.Without[x.Name] = why
	}
}

// isBase reports whether a side is the one that others are compared with.
func (b *Built) isBase(side string) bool { return side == b.sides[0].Name }
