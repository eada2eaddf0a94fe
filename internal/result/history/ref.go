package history

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/tarebench/tare/internal/base/git"
	"github.com/tarebench/tare/internal/base/tempdir"
)

// DefaultRef is the ref that keeps a repository's history.
const DefaultRef = "refs/tare/history"

// Ref is a store in a git repository: the trees of the commits that a ref of its own names. It touches neither the working
// tree nor the index nor any branch. Clones and fetches do not bring the ref unless it is named: see [Ref.Fetch].
type Ref struct {
	dir  string // of the repository, or in it
	name string
}

// OpenRef returns the store of the repository that dir is in.
func OpenRef(ctx context.Context, dir string) (*Ref, error) {
	s := &Ref{dir: dir, name: DefaultRef}
	_, err := s.git(ctx, nil, "rev-parse", "--git-dir")
	return s, err
}

// Clean returns true: what a working tree with changes was is not known from its commit.
func (s *Ref) Clean() bool { return true }

func (s *Ref) String() string { return s.name }

// git runs git in the repository.
func (s *Ref) git(ctx context.Context, env []string, args ...string) (string, error) {
	return git.Call{Dir: s.dir, Args: args, Env: env}.Output(ctx)
}

// tip returns the commit that a ref names; "" if there is no such ref. It fails for a ref whose file names no commit, of which git
// says nothing.
func (s *Ref) tip(ctx context.Context, ref string) (string, error) {
	tip, err := s.named(ctx, ref)
	if tip != "" || err != nil {
		return tip, err
	}
	path, err := s.git(ctx, nil, "rev-parse", "--path-format=absolute", "--git-path", ref)
	if err != nil {
		return "", nil // an old git
	}
	path = strings.TrimSpace(path)
	if st, err := os.Stat(path); err != nil || !st.Mode().IsRegular() {
		return "", nil
	}
	if tip, err = s.named(ctx, ref); tip == "" && err == nil { // otherwise another process has made the ref since
		err = fmt.Errorf("%s is damaged: %s names no commit; remove that file, and get the history back from a remote repository: --fetch", ref, path)
	}
	return tip, err
}

// named returns the commit that git says a ref names; "" if there is no such ref or its file is damaged.
func (s *Ref) named(ctx context.Context, ref string) (string, error) {
	out, err := s.git(ctx, nil, "for-each-ref", "--format=%(objectname)", ref)
	return strings.TrimSpace(out), err
}

// tries is how often a change is tried while others change the ref meanwhile.
const tries = 30

// change moves the ref from its tip to the commit that next creates on it. It tries again if another process moved the ref
// meanwhile. If no process did and git still refuses, it fails at once. next returns "" if there is nothing to change.
func (s *Ref) change(ctx context.Context, next func(old string) (string, error)) error {
	const patience = 8 // tries while another process holds the ref's lock
	var last error
	unmoved, before := 0, ""
	for try := range tries {
		old, err := s.tip(ctx, s.name)
		if err != nil {
			return err
		}
		if unmoved++; old != before {
			unmoved, before = 0, old
		}
		if unmoved > patience {
			return fmt.Errorf("%s cannot be moved: %w", s.name, last)
		}
		commit, err := next(old)
		if err != nil || commit == "" || commit == old {
			return err
		}
		if old == "" {
			old = strings.Repeat("0", len(commit)) // there must be none
		}
		if _, last = s.git(ctx, nil, "update-ref", "-m", "tare history", s.name, commit, old); last == nil {
			return nil
		}
		if err := waitRandom(ctx, try); err != nil {
			return err
		}
	}
	return fmt.Errorf("%s: others changed it %d times meanwhile: %w", s.name, tries, last)
}

// Add makes one commit with all entries that are new.
func (s *Ref) Add(ctx context.Context, entries []*Entry) (added int, err error) {
	for _, e := range entries {
		if e.Dirty {
			return 0, &DirtyError{e.Commit}
		}
	}
	files, err := encodeAll(entries)
	if err != nil || len(files) == 0 {
		return 0, err
	}
	err = s.change(ctx, func(old string) (string, error) {
		there, err := s.paths(ctx, old)
		if err != nil {
			return "", err
		}
		fresh := slices.DeleteFunc(slices.Clone(files), func(f encoded) bool { return there[f.Path()] != "" || there[f.tombstone()] != "" })
		if added = len(fresh); added == 0 {
			return "", nil
		}
		message := fmt.Sprintf("add %d", added)
		if added >= manyEntries {
			return s.importEntries(ctx, old, fresh, message)
		}
		lines, err := s.writeBlobs(ctx, fresh)
		if err != nil {
			return "", err
		}
		return s.commit(ctx, old, lines, parents(old), message)
	})
	return added, err
}

// DirtyError says that an entry is of a working tree with changes, whose content no commit tells.
type DirtyError struct{ Commit string }

func (e *DirtyError) Error() string {
	return fmt.Sprintf("commit %.10s was measured with changes that are not committed", e.Commit)
}

func parents(commit string) []string {
	if commit == "" {
		return nil
	}
	return []string{commit}
}

// writeBlobs stores contents as objects and returns their lines for [Ref.commit].
func (s *Ref) writeBlobs(ctx context.Context, files []encoded) (lines []string, err error) {
	for _, f := range files {
		blob, err := git.Call{Dir: s.dir, Args: []string{"hash-object", "-w", "--stdin"}, Stdin: bytes.NewReader(f.content)}.Output(ctx)
		if err != nil {
			return nil, err
		}
		lines = append(lines, indexLine(strings.TrimSpace(blob), f.Path()))
	}
	return lines, nil
}

// indexLine is a line for git update-index --index-info.
func indexLine(blob, path string) string { return "100644 " + blob + "\t" + path + "\n" }

// author has the author and the committer of tare's commits. The user's own are left out, so that the history does not name
// them.
var author = []string{"GIT_AUTHOR_NAME=tare", "GIT_AUTHOR_EMAIL=tare@localhost", "GIT_COMMITTER_NAME=tare", "GIT_COMMITTER_EMAIL=tare@localhost"}

// commit makes a commit of the tree of base, if any, with lines for update-index.
func (s *Ref) commit(ctx context.Context, base string, lines, parents []string, message string) (string, error) {
	place, err := tempdir.Dir("history")
	if err != nil {
		return "", err
	}
	defer place.Remove()
	index := []string{"GIT_INDEX_FILE=" + place.Path + string(os.PathSeparator) + "index"}
	read := []string{"read-tree", "--empty"}
	if base != "" {
		read = []string{"read-tree", base}
	}
	if _, err := s.git(ctx, index, read...); err != nil {
		return "", err
	}
	update := git.Call{Dir: s.dir, Args: []string{"update-index", "--index-info"}, Env: index, Stdin: strings.NewReader(strings.Join(lines, ""))}
	if _, err := update.Output(ctx); err != nil {
		return "", err
	}
	tree, err := s.git(ctx, index, "write-tree")
	if err != nil {
		return "", err
	}
	args := []string{"commit-tree", strings.TrimSpace(tree), "-m", "tare history: " + message}
	for _, p := range parents {
		args = append(args, "-p", p)
	}
	out, err := s.git(ctx, author, args...)
	return strings.TrimSpace(out), err
}

// paths returns the blobs of a commit by their paths. No commit has none.
func (s *Ref) paths(ctx context.Context, commit string) (map[string]string, error) {
	out := map[string]string{}
	if commit == "" {
		return out, nil
	}
	text, err := s.git(ctx, nil, "ls-tree", "-r", "-z", commit)
	if err != nil {
		return nil, err
	}
	for line := range strings.SplitSeq(text, "\x00") {
		about, path, ok := strings.Cut(line, "\t")
		if ok && !strings.HasPrefix(path, top+"/") {
			return nil, fmt.Errorf("%s is no history: commit %.10s has a file %q", s.name, commit, path)
		}
		fields := strings.Fields(about)
		if ok && len(fields) == 3 && fields[1] == "blob" {
			out[path] = fields[2]
		}
	}
	return out, nil
}

// Prune makes a commit without the entries and with their tombstones.
func (s *Ref) Prune(ctx context.Context, files []File) error {
	if len(files) == 0 {
		return nil
	}
	empty, err := git.Call{Dir: s.dir, Args: []string{"hash-object", "-w", "--stdin"}, Stdin: strings.NewReader("")}.Output(ctx)
	if err != nil {
		return err
	}
	var lines []string
	for _, f := range files {
		lines = append(lines, removeLine(f.Path(), len(strings.TrimSpace(empty))), indexLine(strings.TrimSpace(empty), f.tombstone()))
	}
	return s.change(ctx, func(old string) (string, error) {
		return s.commit(ctx, old, lines, parents(old), fmt.Sprintf("prune %d", len(files)))
	})
}

// removeLine is a line for git update-index --index-info that removes a path.
// The name of no object is as long as that of one.
func removeLine(path string, digits int) string {
	return "0 " + strings.Repeat("0", digits) + "\t" + path + "\n"
}

// List reads the names in the tree of the ref. If that tree is missing, those of the newest commit before it whose tree is
// there.
func (s *Ref) List(ctx context.Context) ([]File, []Damage, error) {
	tip, err := s.tip(ctx, s.name)
	if err != nil || tip == "" {
		return nil, nil, err
	}
	files, err := s.list(ctx, tip)
	if err == nil {
		return files, nil, nil
	}
	damage := []Damage{{s.name, err.Error()}}
	const farthest = 100
	for n := 1; n <= farthest; n++ {
		commit, e := s.git(ctx, nil, "rev-parse", "--verify", "--quiet", fmt.Sprintf("%s~%d^{commit}", tip, n))
		if e != nil {
			break
		}
		if files, e := s.list(ctx, strings.TrimSpace(commit)); e == nil {
			damage = append(damage, Damage{s.name, fmt.Sprintf("the list is that of %d commits before its tip", n)})
			return files, damage, nil
		}
	}
	return nil, damage, errors.Join(ctx.Err(), fmt.Errorf("%s cannot be read: %w", s.name, err))
}

func (s *Ref) list(ctx context.Context, commit string) ([]File, error) {
	paths, err := s.paths(ctx, commit)
	if err != nil {
		return nil, err
	}
	var files []File
	gone := map[File]bool{}
	for p, blob := range paths {
		f, isGone, ok := parsePath(p)
		switch {
		case ok && isGone:
			gone[f] = true
		case ok:
			f.blob = blob
			files = append(files, f)
		}
	}
	return without(files, gone), nil
}
