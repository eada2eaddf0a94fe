package hunks

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/tarebench/tare/internal/base/git"
	"github.com/tarebench/tare/internal/result/why"
	"github.com/tarebench/tare/record"
)

func head(old, new int) string { return fmt.Sprintf("@@ -1,%d +1,%d @@", old, new) }

// write writes files below a directory: their paths and texts in turn.
func write(t *testing.T, dir string, files ...string) {
	t.Helper()
	for i := 0; i < len(files); i += 2 {
		p := filepath.Join(dir, files[i])
		if err := os.MkdirAll(filepath.Dir(p), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(files[i+1]), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// needGit skips without git, and has it read no settings of whoever runs the test.
func needGit(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	t.Setenv("GIT_CONFIG_GLOBAL", filepath.Join(t.TempDir(), "config"))
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
}

func run(t *testing.T, dir string, args ...string) string {
	t.Helper()
	out, err := git.Call{Dir: dir, Args: append([]string{"-c", "user.name=t", "-c", "user.email=t@example.org"}, args...)}.Output(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(out)
}

// commit adds all files and returns the commit.
func commitAll(t *testing.T, dir string) string {
	t.Helper()
	run(t, dir, "add", "-A")
	run(t, dir, "commit", "-q", "-m", "x")
	return run(t, dir, "rev-parse", "HEAD")
}

// names returns the paths of files on both sides, and the lines that differ.
func names(files []File) (out []string) {
	for _, f := range files {
		text := f.Path[0] + " " + f.Path[1]
		for _, h := range f.Hunks {
			h.changes(func(at int, _ [2]int) { text += " " + h.Lines[at] })
		}
		out = append(out, text)
	}
	return out
}

var packages = packagesOf("", []why.Cause{{Func: "example.org/m/csv.Read"}, {Func: "runtime.mallocgc"}})

func TestBetweenRevisions(t *testing.T) {
	needGit(t)
	dir := t.TempDir()
	run(t, dir, "init", "-q")
	write(t, dir, "sub/csv/csv.go", "a\n", "sub/tsv/tsv.go", "a\n", "go.go", "a\n", "csv/secret.txt", "a\n")
	one := commitAll(t, dir)
	write(t, dir, "sub/csv/csv.go", "b\n", "sub/tsv/tsv.go", "b\n", "go.go", "b\n", "csv/secret.txt", "b\n", ".gitattributes", "*.go diff=evil\n")
	run(t, dir, "config", "diff.evil.textconv", "false")
	run(t, dir, "config", "diff.noprefix", "false")
	two := commitAll(t, dir)
	between := func(a, b record.Side) []string {
		a.Name, b.Name = "old", "new"
		return names(betweenSides(t.Context(), &record.Run{Dir: dir, Sides: []record.Side{a, b}}, "old", "new", packages))
	}
	want := func(old, new string) []string {
		return []string{"go.go go.go -" + old + " +" + new, "sub/csv/csv.go sub/csv/csv.go -" + old + " +" + new}
	}
	tree := record.Side{Dir: filepath.Join(dir, "sub"), Revision: two}
	dirty := tree
	dirty.Dirty = true
	for _, c := range []struct {
		name string
		got  []string
		want []string
	}{
		{"two revisions", between(record.Side{Revision: one}, record.Side{Revision: two}), want("a", "b")},
		{"a clean tree", between(record.Side{Revision: one}, tree), want("a", "b")},
		{"a clean tree as the base", between(tree, record.Side{Revision: one}), want("b", "a")},
		{"nothing differs", between(record.Side{Revision: two}, tree), nil},
		{"an option", between(record.Side{Revision: "--output=" + filepath.Join(dir, "x")}, tree), nil},
		{"a branch", between(record.Side{Revision: "HEAD"}, tree), nil},
		{"no such commit", between(record.Side{Revision: strings.Repeat("0", 40)}, tree), nil},
		{"no such directory", between(record.Side{Revision: one}, record.Side{Dir: filepath.Join(dir, "nosuch"), Revision: two}), nil},
		{"no such side", names(betweenSides(t.Context(), &record.Run{}, "old", "new", packages)), nil},
	} {
		if !reflect.DeepEqual(c.got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, c.got, c.want)
		}
	}
	write(t, dir, "sub/csv/csv.go", "c\n", "go.go", "c\n")
	if got := between(record.Side{Revision: one}, dirty); !reflect.DeepEqual(got, want("a", "c")) {
		t.Errorf("working tree: %q", got)
	}
	if got := between(dirty, record.Side{Revision: one}); !reflect.DeepEqual(got, want("c", "a")) {
		t.Errorf("working tree as the base: %q", got)
	}
	commitAll(t, dir)
	if got := between(record.Side{Revision: one}, dirty); got != nil {
		t.Errorf("the working tree is at another commit, and was read: %q", got)
	}
}

func TestBetweenFolders(t *testing.T) {
	needGit(t)
	top := t.TempDir()
	write(t, top, "a/csv/csv.go", "a\n", "b/csv/csv.go", "b\n", "a/csv/same.go", "a\n", "b/csv/same.go", "a\n", "a/csv/gone.s", "a\n", "b/csv/new.go", "b\n",
		"a/csv/x.txt", "a\n", "b/csv/x.txt", "b\n", "a/tsv/t.go", "a\n", "b/tsv/t.go", "b\n", "outside/o.go", "o\n", "b/csv/link.go", "b\n")
	link := func(to, at string) {
		if err := os.Symlink(to, filepath.Join(top, at)); err != nil {
			t.Skip(err)
		}
	}
	link(filepath.Join(top, "outside/o.go"), "a/csv/link.go")
	link(filepath.Join(top, "outside"), "a/linked")
	write(t, top, "b/linked/o.go", "b\n")
	between := func(a, b string, packages ...string) []string {
		sides := []record.Side{{Name: "old", Dir: filepath.Join(top, a)}, {Name: "new", Dir: filepath.Join(top, b)}}
		return names(betweenSides(t.Context(), &record.Run{Sides: sides}, "old", "new", packages))
	}
	want := []string{"csv/csv.go csv/csv.go -a +b", "csv/gone.s  -a", " csv/new.go +b"}
	if got := between("a", "b", packages...); !reflect.DeepEqual(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	for _, f := range []string{"example.org/m/linked", "../outside", "example.org/../csv", "example.org/m/nosuch", "csv/*"} {
		if got := between("a", "b", f); got != nil {
			t.Errorf("%s: %q", f, got)
		}
	}
	if got := between("a", "a", packages...); got != nil {
		t.Errorf("the same directory: %q", got)
	}
	t.Setenv("PATH", "")
	if got := between("a", "b", packages...); got != nil {
		t.Errorf("without git: %q", got)
	}
}
