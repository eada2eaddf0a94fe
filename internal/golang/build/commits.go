package build

import (
	"context"
	"path"
	"path/filepath"
	"strings"

	gitcall "github.com/tarebench/tare/internal/base/git"
)

// Commit is a commit of a [Repository].
type Commit struct {
	Hash    string
	Subject string   // first line of its message
	Parents []string // hashes
	Files   []string // that differ from its first parent, with slashes, relative to the repository
}

// MergeBase returns the best common ancestor of two commits, or an *Error if there is none.
func (r *Repository) MergeBase(ctx context.Context, a, b string) (string, error) {
	out, err := git(ctx, r.root, "merge-base", a, b)
	if err != nil {
		return "", &Error{Input: a, Msg: "has no ancestor in common with " + b, Hint: "a shallow clone lacks them: git fetch --unshallow", Output: out, Err: err}
	}
	return strings.TrimSpace(out), nil
}

// Commits returns the commit old and those after it up to new, in order, each the first parent of the next. old must be
// an ancestor of new along first parents; else it is an *Error.
func (r *Repository) Commits(ctx context.Context, old, new string) ([]Commit, error) {
	list, err := r.log(ctx, old+".."+new)
	if err != nil {
		return nil, err
	}
	first, err := r.log(ctx, "-1", old)
	if err != nil {
		return nil, err
	}
	if len(list) > 0 && (len(list[0].Parents) == 0 || list[0].Parents[0] != old) {
		return nil, &Error{Input: old, Msg: "is not in the line of first parents of " + new, Hint: "name a commit of that line: git log --first-parent --oneline " + new}
	}
	return append(first, list...), nil
}

// log returns commits as git log selects them, the oldest first.
func (r *Repository) log(ctx context.Context, args ...string) ([]Commit, error) {
	args = append([]string{"log", "--first-parent", "--reverse", "-m", "--name-only", "--no-renames", "-z", "--format=%x01%H%x02%P%x02%s%x02"}, args...)
	out, err := git(ctx, r.root, append(args, "--")...)
	if err != nil {
		return nil, &Error{Input: args[len(args)-1], Msg: "git log: " + gitcall.LastLine(out), Output: out, Err: err}
	}
	var list []Commit
	for text := range strings.SplitSeq(out, "\x01") {
		parts := strings.SplitN(text, "\x02", 4)
		if len(parts) < 4 {
			continue
		}
		c := Commit{Hash: parts[0], Parents: strings.Fields(parts[1]), Subject: parts[2]}
		for name := range strings.SplitSeq(parts[3], "\x00") {
			if name = strings.TrimLeft(name, "\n"); name != "" {
				c.Files = append(c.Files, name)
			}
		}
		list = append(list, c)
	}
	return list, nil
}

// Dependencies are the directories below a repository whose packages a test binary contains, with slashes.
type Dependencies struct {
	dirs map[string]bool
}

// DependenciesOf returns those of a package that Resolve found in a worktree.
func DependenciesOf(ctx context.Context, opt Options, p Package, w *Worktree) (*Dependencies, error) {
	at, err := p.buildPlace(opt)
	if err != nil {
		return nil, err
	}
	args := append([]string{"list", "-deps", "-test", "-f", "{{if not .Standard}}{{.Dir}}{{end}}"}, opt.flags(at.flags)...)
	out, _, err := opt.capture(ctx, at, append(args, p.ImportPath)...)
	if err != nil {
		return nil, explainFailure(p.ImportPath, err)
	}
	d := &Dependencies{dirs: map[string]bool{}}
	for line := range strings.Lines(string(out)) {
		if dir := w.inside(strings.TrimSpace(line)); dir != "" {
			d.dirs[dir] = true
		}
	}
	return d, nil
}

// inside returns a directory of the worktree relative to it: "." for the top, "" for one outside.
func (w *Worktree) inside(dir string) string {
	top, err := filepath.EvalSymlinks(w.top.Path)
	if err != nil {
		top = w.top.Path
	}
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	rel, err := filepath.Rel(top, dir)
	if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return ""
	}
	return filepath.ToSlash(rel)
}

// Contain reports whether a file may change the test binary or what it does: a Go file of a package that it contains, any
// other file below such a package, which may be embedded or read, a file of test data, or one that says which modules are used.
func (d *Dependencies) Contain(file string) bool {
	dir, name := path.Dir(file), path.Base(file)
	switch name {
	case "go.mod", "go.sum", "go.work", "go.work.sum", "modules.txt":
		return true
	}
	if underTestdata(dir) {
		return true
	}
	if strings.HasSuffix(name, ".go") {
		return d.dirs[dir]
	}
	for ; ; dir = path.Dir(dir) {
		if d.dirs[dir] {
			return true
		}
		if dir == "." {
			return false
		}
	}
}

func underTestdata(dir string) bool { return strings.Contains("/"+dir+"/", "/testdata/") }
