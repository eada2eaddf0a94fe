package build

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	gitcall "github.com/tarebench/tare/internal/base/git"
)

// addSubmodules fills in the submodules of a worktree, from what the repository has of them: nothing is fetched. git worktree leaves
// their directories empty.
func (w *Worktree) addSubmodules(ctx context.Context, commit string) error {
	text, err := git(ctx, w.top.Path, "config", "--file", ".gitmodules", "--get-regexp", `^submodule\..*\.path$`)
	if err != nil {
		return nil // there are none
	}
	common, err := git(ctx, w.repo.root, "rev-parse", "--path-format=absolute", "--git-common-dir")
	if err != nil {
		return err
	}
	for line := range strings.Lines(text) {
		key, path, ok := strings.Cut(strings.TrimSpace(line), " ")
		if !ok || !filepath.IsLocal(path) {
			continue
		}
		entry, err := git(ctx, w.repo.root, "ls-tree", commit, "--", path)
		fields := strings.Fields(entry)
		if err != nil || len(fields) < 3 || fields[1] != "commit" {
			continue
		}
		name := strings.TrimSuffix(strings.TrimPrefix(key, "submodule."), ".path")
		if !filepath.IsLocal(name) {
			continue
		}
		if err := w.addSubmodule(ctx, filepath.Join(strings.TrimSpace(common), "modules", name), path, fields[2]); err != nil {
			return &Error{Input: commit, Msg: fmt.Sprintf("its submodule %s at %.10s is not here: %v", path, fields[2], err), Hint: "git submodule update --init --recursive, with that commit checked out, gets it", Err: err}
		}
	}
	return nil
}

// addSubmodule writes the files of a commit of a submodule below the worktree, with an index of its own.
func (w *Worktree) addSubmodule(ctx context.Context, gitDir, path, commit string) error {
	target := filepath.Join(w.top.Path, path)
	if real, err := filepath.EvalSymlinks(filepath.Dir(target)); err != nil || real != filepath.Dir(target) {
		return fmt.Errorf("%s lies behind a symbolic link", path)
	}
	if st, err := os.Lstat(target); err == nil && !st.IsDir() {
		return fmt.Errorf("%s is no directory", path)
	}
	if err := os.MkdirAll(target, 0o755); err != nil {
		return err
	}
	index := filepath.Join(w.top.Path, ".tare-submodule-index")
	defer os.Remove(index)
	_, err := gitcall.Call{
		Dir: target, Env: []string{"GIT_INDEX_FILE=" + index, "GIT_DIR=" + gitDir, "GIT_WORK_TREE=" + target},
		Args: []string{"read-tree", "--reset", "-u", commit},
	}.Output(ctx)
	return err
}
