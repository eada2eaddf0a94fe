package build

import (
	"context"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// branches makes a repository with a merge:
//
//	one – two – merge – last      (main)
//	   \– side ––/
//
// and a directory of packages a, b and c, of which a imports b.
func branches(t *testing.T) (dir string, hash func(rev string) string) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	dir = t.TempDir()
	run := func(args ...string) string {
		t.Helper()
		out, err := git(t.Context(), dir, append([]string{"-c", "user.name=t", "-c", "user.email=t@example.org"}, args...)...)
		if err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
		return strings.TrimSpace(out)
	}
	commit := func(subject string, files ...string) {
		t.Helper()
		for i := 0; i < len(files); i += 2 {
			put(t, filepath.Join(dir, filepath.FromSlash(files[i])), files[i+1])
		}
		run("add", "-A")
		run("commit", "-q", "-m", subject)
		run("tag", strings.Trim(strings.Fields(subject)[0], ":"))
	}
	run("init", "-q", "-b", "main")
	commit("one", "go.mod", "module example.org/m\n\ngo 1.24\n", "a/a.go", "package a\n\nimport _ \"example.org/m/b\"\n",
		"a/a_test.go", "package a\n\nimport \"testing\"\n\nfunc BenchmarkX(b *testing.B) {}\n", "b/b.go", "package b\n", "c/c.go", "package c\n")
	run("checkout", "-q", "-b", "side")
	commit("side: a \x02 strange\tsubject – with \"quotes\"", "c/a name with spaces.go", "package c\n", "b/data/ä\nö.txt", "x")
	run("checkout", "-q", "main")
	commit("two", "c/c.go", "package c\n\n// changed\n")
	run("merge", "-q", "--no-ff", "-m", "merge branch", "side")
	run("tag", "merge")
	commit("last", "README.md", "text\n")
	return dir, func(rev string) string { return run("rev-parse", rev+"^{commit}") }
}

func TestCommits(t *testing.T) {
	dir, hash := branches(t)
	repo, err := FindRepository(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	got, err := repo.Commits(t.Context(), hash("one"), hash("last"))
	if err != nil {
		t.Fatal(err)
	}
	var subjects []string
	for _, c := range got {
		subjects = append(subjects, c.Subject)
	}
	if want := []string{"one", "two", "merge branch", "last"}; !reflect.DeepEqual(subjects, want) {
		t.Fatalf("%q", subjects)
	}
	if m := got[2]; !reflect.DeepEqual(m.Parents, []string{hash("two"), hash("refs/tags/side")}) || !reflect.DeepEqual(m.Files, []string{"b/data/ä\nö.txt", "c/a name with spaces.go"}) {
		t.Errorf("%+q", m)
	}
	if got[1].Hash != hash("two") || !reflect.DeepEqual(got[1].Files, []string{"c/c.go"}) {
		t.Errorf("%+q", got[1])
	}
	if base, err := repo.MergeBase(t.Context(), hash("two"), hash("refs/tags/side")); err != nil || base != hash("one") {
		t.Errorf("%q, %v", base, err)
	}
	if _, err := repo.Commits(t.Context(), hash("refs/tags/side"), hash("last")); err == nil || !strings.Contains(err.Error(), "first parents") {
		t.Errorf("an ancestor by a second parent: %v", err)
	}
	if none, err := repo.Commits(t.Context(), hash("last"), hash("last")); err != nil || len(none) != 1 {
		t.Errorf("%v, %v", none, err)
	}
}

func TestDependencies(t *testing.T) {
	dir, hash := branches(t)
	repo, err := FindRepository(context.Background(), dir)
	if err != nil {
		t.Fatal(err)
	}
	w, err := repo.Worktree(t.Context(), hash("last"))
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	opt := offline(t, w.Dir)
	d, err := DependenciesOf(t.Context(), opt, one(t, opt, "./a"), w)
	if err != nil {
		t.Fatal(err)
	}
	for file, want := range map[string]bool{
		"a/a.go": true, "a/a_test.go": true, "a/testdata/x.json": true, "a/testdata/p/x.go": true, "b/b.go": true, "b/data/x.txt": true,
		"c/testdata/x.json": true, "testdata/x/y.go": true, "go.mod": true, "go.sum": true, "vendor/modules.txt": true,
		"c/c.go": false, "c/x.txt": false, "README.md": false, "b/inner/x.go": false, "ab/x.txt": false,
	} {
		if got := d.Contain(file); got != want {
			t.Errorf("%s: %v", file, got)
		}
	}
}
