package build

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// run runs git in a directory.
func run(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-C", dir, "-c", "protocol.file.allow=always", "-c", "user.name=a", "-c", "user.email=a@example.com"}, args...)...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %s: %v: %s", strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(string(out))
}

// TestSubmodules: the worktree of a revision has the files of its submodules, each at the commit of that revision. A submodule that is
// not here is named.
func TestSubmodules(t *testing.T) {
	place, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	sub, dir := filepath.Join(place, "sub"), filepath.Join(place, "main")
	commit := func(in, name, text string) {
		if err := os.WriteFile(filepath.Join(in, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		run(t, in, "add", "-A")
		run(t, in, "commit", "-qm", text)
	}
	for _, d := range []string{sub, dir} {
		run(t, place, "init", "-q", "-b", "main", d)
	}
	commit(sub, "x.txt", "one")
	commit(dir, "a.txt", "one")
	run(t, dir, "submodule", "--quiet", "add", sub, "deep/mod")
	run(t, dir, "commit", "-qm", "submodule")
	old := run(t, dir, "rev-parse", "HEAD")
	commit(sub, "x.txt", "two")
	run(t, filepath.Join(dir, "deep", "mod"), "pull", "-q")
	run(t, dir, "commit", "-qam", "newer submodule")
	r, err := FindRepository(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	for rev, want := range map[string]string{old: "one", "HEAD": "two"} {
		c, err := r.Resolve(t.Context(), rev)
		if err != nil {
			t.Fatal(err)
		}
		w, err := r.Worktree(t.Context(), c)
		if err != nil {
			t.Fatal(err)
		}
		if text, err := os.ReadFile(filepath.Join(w.Dir, "deep", "mod", "x.txt")); err != nil || string(text) != want {
			t.Errorf("%s: %q, %v", rev, text, err)
		}
		if err := w.Close(); err != nil {
			t.Error(err)
		}
	}
	if err := os.RemoveAll(filepath.Join(dir, ".git", "modules")); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Worktree(t.Context(), old); err == nil || !strings.Contains(err.Error(), "submodule deep/mod") {
		t.Errorf("without the submodule: %v", err)
	}
}
