package build

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	gitcall "github.com/tarebench/tare/internal/base/git"
	"github.com/tarebench/tare/internal/base/tempdir"
)

// Repository is the git repository around a directory.
type Repository struct {
	root string // of the working tree
	sub  string // the directory, relative to root
}

// FindRepository returns the repository that dir is in, or an *Error.
func FindRepository(ctx context.Context, dir string) (*Repository, error) {
	out, err := git(ctx, dir, "rev-parse", "--show-toplevel", "--show-prefix")
	if errors.Is(err, exec.ErrNotFound) {
		return nil, &Error{Input: dir, Msg: "comparing revisions needs git, which is not in PATH", Err: err}
	}
	if err != nil {
		return nil, &Error{Input: dir, Msg: "not in a git repository", Hint: "compare directories instead: --side old=DIR --side new=.", Output: out, Err: err}
	}
	root, sub, _ := strings.Cut(strings.TrimRight(out, "\n"), "\n")
	return &Repository{root: root, sub: filepath.FromSlash(sub)}, nil
}

// Has reports whether a directory is in the working tree.
func (r *Repository) Has(dir string) bool {
	real := func(path string) string {
		if x, err := filepath.EvalSymlinks(path); err == nil {
			return x
		}
		return path
	}
	rel, err := filepath.Rel(real(filepath.FromSlash(r.root)), real(dir))
	return err == nil && filepath.IsLocal(rel)
}

// Resolve returns the commit that a revision names, or an *Error.
func (r *Repository) Resolve(ctx context.Context, rev string) (string, error) {
	// Git would take a revision that begins with a dash for a flag.
	out, err := git(ctx, r.root, "rev-parse", "--verify", "--quiet", "--end-of-options", rev+"^{commit}")
	if err != nil {
		return "", &Error{Input: rev, Msg: "no such revision in " + r.root, Hint: "name a branch, a tag or a commit; git log --oneline lists some", Output: out, Err: err}
	}
	return strings.TrimSpace(out), nil
}

// Root returns the directory of the working tree.
func (r *Repository) Root() string { return r.root }

// Git runs git in the repository and returns its standard output without the line break at the end. Hooks do not run. The
// error has what git wrote last.
func (r *Repository) Git(ctx context.Context, args ...string) (string, error) {
	out, err := git(ctx, r.root, args...)
	if err != nil {
		return "", fmt.Errorf("git %s: %s: %w", strings.Join(args, " "), gitcall.LastLine(out), err)
	}
	return strings.TrimSuffix(out, "\n"), nil
}

// Dirty reports whether the working tree has changes that are not committed. It ignores new files that look like results
// and not like test data: otherwise the record of one run would make the next one dirty.
func (r *Repository) Dirty(ctx context.Context) (bool, error) {
	out, err := git(ctx, r.root, "status", "--porcelain", "-z")
	if err != nil {
		return false, fmt.Errorf("git status in %s: %w", r.root, err)
	}
	for entry := range strings.SplitSeq(out, "\x00") {
		if path, isNew := strings.CutPrefix(entry, "?? "); entry != "" && !(isNew && isResult(path)) {
			return true, nil
		}
	}
	return false, nil
}

// isResult reports whether a file looks like a result of measuring.
func isResult(path string) bool {
	known := []string{".jsonl", ".csv", ".html", ".svg", ".hlog", ".pprof", ".prof", ".test", ".partial"}
	return slices.Contains(known, filepath.Ext(path)) && !strings.Contains("/"+path, "/testdata/")
}

// StateOf returns the commit that is checked out in a directory, and whether there are changes that are not committed; "" where
// there is no repository.
func StateOf(ctx context.Context, dir string) (commit string, dirty bool) {
	repo, err := FindRepository(ctx, dir)
	if err != nil {
		return "", false
	}
	if commit, err = repo.Resolve(ctx, "HEAD"); err != nil {
		commit = ""
	}
	dirty, _ = repo.Dirty(ctx)
	return commit, dirty
}

// Worktree is a commit that is checked out in a temporary directory.
type Worktree struct {
	Dir  string // corresponds to the directory of FindRepository
	repo *Repository
	top  *tempdir.Place
}

// Worktree checks out a commit in a temporary directory. It changes no other working tree and runs no hooks. It first
// removes worktrees of earlier runs that were killed.
func (r *Repository) Worktree(ctx context.Context, commit string) (*Worktree, error) {
	r.removeStale(ctx)
	top, err := tempdir.Dir("side")
	if err != nil {
		return nil, fmt.Errorf("a directory for %s: %w", commit, err)
	}
	w := &Worktree{Dir: filepath.Join(top.Path, r.sub), repo: r, top: top}
	if out, err := git(ctx, r.root, "worktree", "add", "--detach", "--force", top.Path, commit); err != nil {
		w.Close()
		return nil, &Error{Input: commit, Msg: "git worktree add: " + gitcall.LastLine(out), Output: out, Err: err}
	}
	if err := w.addSubmodules(ctx, commit); err != nil {
		w.Close()
		return nil, err
	}
	if st, err := os.Stat(w.Dir); err != nil || !st.IsDir() {
		w.Close()
		return nil, &Error{Input: commit, Msg: "has no directory " + r.sub, Hint: "run in a directory that both revisions have"}
	}
	return w, nil
}

// Env returns the environment of go commands in the worktree, as K=V. They would take a go.work from the directories around
// it, and anybody can put one into the directory of temporary files. A worktree without one has none, unless the user names one. It may be
// called with nil.
func (w *Worktree) Env() []string {
	if w == nil || os.Getenv("GOWORK") != "" {
		return nil
	}
	for dir := w.Dir; ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.work")); err == nil {
			return nil
		}
		if dir == w.top.Path || dir == filepath.Dir(dir) {
			return []string{"GOWORK=off"}
		}
	}
}

// Close removes the worktree, also after an interrupted run: it takes no context.
func (w *Worktree) Close() error {
	_, err := git(context.Background(), w.repo.root, "worktree", "remove", "--force", w.top.Path)
	if e := w.top.Remove(); e != nil {
		return e
	}
	if err != nil {
		_, err = git(context.Background(), w.repo.root, "worktree", "prune")
	}
	return err
}

// removeStale removes worktrees whose process no longer exists, and what git knows of them.
func (r *Repository) removeStale(ctx context.Context) {
	out, err := git(ctx, r.root, "worktree", "list", "--porcelain")
	if err != nil {
		return
	}
	for line := range strings.Lines(out) {
		path, ok := strings.CutPrefix(strings.TrimSpace(line), "worktree ")
		if !ok {
			continue
		}
		path = filepath.FromSlash(path)
		if tempdir.Left(path) {
			git(ctx, r.root, "worktree", "remove", "--force", path)
		}
	}
}

// git runs git in dir and returns its standard output, or its standard error if it fails.
func git(ctx context.Context, dir string, args ...string) (string, error) {
	out, err := gitcall.Call{Dir: dir, Args: args}.Output(ctx)
	if failed := (*gitcall.Error)(nil); errors.As(err, &failed) {
		return failed.Stderr, failed.Err
	}
	return out, err
}
