package hunks

import (
	"context"
	"errors"
	"os/exec"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/tarebench/tare/internal/base/git"
	"github.com/tarebench/tare/internal/binary/gofunc"
	"github.com/tarebench/tare/internal/result/why"
	"github.com/tarebench/tare/record"
)

// longest is how long git may take.
const longest = 20 * time.Second

// options are those of git diff, whatever its settings say: nothing runs but git, and paths are whole and without prefix.
var options = []string{
	"-c", "core.quotePath=false", "-c", "core.fsmonitor=false", "diff", "--no-color", "--no-ext-diff", "--no-textconv", "--no-prefix", "--no-relative",
	"--ignore-submodules", "--unified=2",
}

// commit is the name of a commit in a record. A name may not be an option of git.
var commit = regexp.MustCompile(`^[0-9a-f]{7,64}$`)

// plain are names of files and folders that have no meaning in a pattern.
var plain = regexp.MustCompile(`^[\pL\p{Nd}_.+-]+$`)

// betweenSides returns what differs between two sides of a run in packages: as they are now, where a side is a directory. It returns
// nothing if there is no repository, or git fails.
func betweenSides(ctx context.Context, run *record.Run, base, side string, packages []string) []File {
	old, new := sideOf(run, base), sideOf(run, side)
	packages = slices.DeleteFunc(slices.Clone(packages), isOdd)
	if old == nil || new == nil || len(packages) == 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, longest)
	defer cancel()
	switch {
	case old.Dir == "" && new.Dir == "":
		return diff(ctx, run.Dir, packages, old.Revision, new.Revision)
	case old.Dir == "":
		return diffTree(ctx, new, packages, old.Revision, false)
	case new.Dir == "":
		return diffTree(ctx, old, packages, new.Revision, true)
	case old.Dir == new.Dir:
		return nil
	}
	return folders(ctx, old.Dir, new.Dir, packages)
}

func sideOf(run *record.Run, name string) *record.Side {
	if run == nil {
		return nil
	}
	i := slices.IndexFunc(run.Sides, func(s record.Side) bool { return s.Name == name })
	if i < 0 {
		return nil
	}
	return &run.Sides[i]
}

// isOdd reports whether an import path has elements that mean something to git, or to a file system.
func isOdd(pkg string) bool {
	return slices.ContainsFunc(strings.Split(pkg, "/"), func(s string) bool { return !plain.MatchString(s) || s == ".." })
}

// packagesOf returns the package of a benchmark and those that causes are in, but those of the standard library.
func packagesOf(pkg string, causes []why.Cause) (out []string) {
	add := func(pkg string) {
		if pkg != "" && !gofunc.IsStd(pkg) && !slices.Contains(out, pkg) {
			out = append(out, pkg)
		}
	}
	add(pkg)
	for _, c := range causes {
		for _, symbol := range []string{c.Func, c.Place[0].Func, c.Place[1].Func} {
			add(gofunc.Package(symbol))
		}
	}
	return out
}

// diffTree compares a revision with the working tree of a side, if it is still that of the run.
func diffTree(ctx context.Context, tree *record.Side, packages []string, revision string, reverse bool) []File {
	if !tree.Dirty {
		revisions := []string{revision, tree.Revision}
		if reverse {
			slices.Reverse(revisions)
		}
		return diff(ctx, tree.Dir, packages, revisions...)
	}
	head, err := git.Call{Dir: tree.Dir, Args: []string{"rev-parse", "HEAD"}}.Output(ctx)
	if err != nil || strings.TrimSpace(head) != tree.Revision {
		return nil
	}
	if reverse {
		return diff(ctx, tree.Dir, packages, "-R", revision)
	}
	return diff(ctx, tree.Dir, packages, revision)
}

// diff compares revisions of the repository of a directory, or one with the working tree.
func diff(ctx context.Context, dir string, packages []string, args ...string) []File {
	for _, a := range args {
		if a != "-R" && !commit.MatchString(a) {
			return nil
		}
	}
	all := slices.Concat(options, []string{"--find-renames"}, args, []string{"--"})
	for _, suffix := range suffixes {
		all = append(all, ":(top,glob)*"+suffix) // the package at the top may have any name
		for _, pkg := range packages {
			all = append(all, ":(top,glob)**/"+path.Base(pkg)+"/*"+suffix)
		}
	}
	out, err := git.Call{Dir: dir, Args: all}.Output(ctx)
	if err != nil {
		return nil
	}
	return Parse(out)
}

// suffixes are those of files with functions.
var suffixes = []string{".go", ".s"}

// differ runs git diff on two files. That it found a difference is no error.
func differ(ctx context.Context, dir, old, new string) (string, bool) {
	out, err := git.Call{Dir: dir, Args: slices.Concat(options, []string{"--no-index", "--", old, new})}.Output(ctx)
	exit := (*exec.ExitError)(nil)
	return out, err == nil || errors.As(err, &exit) && exit.ExitCode() == 1
}
