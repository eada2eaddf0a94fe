package build

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// newRepository makes a repository of two commits with a package in a
// subdirectory that only the second has besides.
func newRepository(t *testing.T) string {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	dir := t.TempDir()
	run := func(args ...string) {
		t.Helper()
		if out, err := git(t.Context(), dir, append([]string{"-c", "user.name=t", "-c", "user.email=t@example.org"}, args...)...); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	write := func(name, text string) {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	run("init", "-q", "-b", "main")
	write("go.mod", "module example.org/m\n")
	write("a/a.txt", "one\n")
	run("add", "-A")
	run("commit", "-q", "-m", "one")
	run("tag", "v1")
	write("a/a.txt", "two\n")
	write("b/b.txt", "new\n")
	run("add", "-A")
	run("commit", "-q", "-m", "two")
	return dir
}

// state is what a user would see if something of theirs had been touched.
func state(t *testing.T, dir string) string {
	t.Helper()
	var all strings.Builder
	for _, args := range [][]string{{"status", "--porcelain"}, {"worktree", "list"}, {"stash", "list"}, {"rev-parse", "HEAD"}, {"branch", "-a"}} {
		out, err := git(t.Context(), dir, args...)
		if err != nil {
			t.Fatal(err, out)
		}
		all.WriteString(out)
	}
	return all.String()
}

func TestWorktree(t *testing.T) {
	dir := newRepository(t)
	if err := os.WriteFile(filepath.Join(dir, "a", "a.txt"), []byte("dirty\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	// A hook would run code of the user's at a time they did not choose.
	hook := filepath.Join(dir, ".git", "hooks", "post-checkout")
	os.MkdirAll(filepath.Dir(hook), 0o777)
	os.WriteFile(hook, []byte("#!/bin/sh\ntouch '"+dir+"/hooked'\n"), 0o777)
	before := state(t, dir)
	r, err := FindRepository(t.Context(), filepath.Join(dir, "a"))
	if err != nil {
		t.Fatal(err)
	}
	if dirty, err := r.Dirty(t.Context()); err != nil || !dirty {
		t.Errorf("Dirty = %v, %v", dirty, err)
	}
	commit, err := r.Resolve(t.Context(), "v1")
	if err != nil {
		t.Fatal(err)
	}
	w, err := r.Worktree(t.Context(), commit)
	if err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(filepath.Join(w.Dir, "a.txt")); err != nil || string(text) != "one\n" {
		t.Errorf("the worktree has %q, %v", text, err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if after := state(t, dir); after != before {
		t.Errorf("the repository was touched:\nbefore\n%s\nafter\n%s", before, after)
	}
	if _, err := os.Stat(filepath.Join(dir, "hooked")); err == nil {
		t.Error("a hook ran")
	}
	if _, err := os.Stat(w.top.Path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%s is still there", w.top.Path)
	}
}

// TestWorktreeWorkspace: a go.work that somebody puts beside the worktree does not apply in it, and its own does.
func TestWorktreeWorkspace(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	t.Setenv("GOWORK", "")
	if err := os.WriteFile(filepath.Join(os.TempDir(), "go.work"), []byte("go 1.26\nuse ./theirs\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	r, err := FindRepository(t.Context(), newRepository(t))
	if err != nil {
		t.Fatal(err)
	}
	w, err := r.Worktree(t.Context(), "HEAD")
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	work := func() string {
		cmd := exec.Command("go", "env", "GOWORK")
		cmd.Dir, cmd.Env = w.Dir, Options{Env: w.Env()}.environ(w.Dir, nil)
		out, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		return strings.TrimSpace(string(out))
	}
	if got := work(); got != "off" {
		t.Errorf("GOWORK=%s", got)
	}
	own := filepath.Join(w.Dir, "go.work")
	if err := os.WriteFile(own, []byte("go 1.26\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if got := work(); got != own {
		t.Errorf("GOWORK=%s, want %s", got, own)
	}
}

func TestWorktreeRefusals(t *testing.T) {
	dir := newRepository(t)
	r, err := FindRepository(t.Context(), filepath.Join(dir, "b"))
	if err != nil {
		t.Fatal(err)
	}
	for _, rev := range []string{"nosuch", "--help", "HEAD:a", ""} {
		_, err := r.Resolve(t.Context(), rev)
		if e := (*Error)(nil); !errors.As(err, &e) || e.Input != rev || e.Hint == "" {
			t.Errorf("Resolve(%q): %v", rev, err)
		}
	}
	before := state(t, dir)
	commit, err := r.Resolve(t.Context(), "v1")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Worktree(t.Context(), commit); err == nil || !strings.Contains(err.Error(), "has no directory b") {
		t.Errorf("a directory that the revision lacks: %v", err)
	}
	if after := state(t, dir); after != before {
		t.Errorf("a failure left something:\n%s", after)
	}
	if _, err := FindRepository(t.Context(), t.TempDir()); err == nil || !strings.Contains(err.Error(), "not in a git repository") {
		t.Errorf("no repository: %v", err)
	}
}

// TestWorktreeSweep plays a run that was killed, and one that is alive.
func TestWorktreeSweep(t *testing.T) {
	dir := newRepository(t)
	r, err := FindRepository(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	tmp := t.TempDir()
	left, err := os.MkdirTemp(tmp, "")
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(left)
	if err != nil {
		t.Fatal(err)
	}
	ino := reflect.ValueOf(info.Sys()).Elem().FieldByName("Ino")
	if !ino.IsValid() {
		t.Skip("files have no number by which a place is known")
	}
	named := filepath.Join(tmp, fmt.Sprintf("tare-run-side-1-inode%d", ino.Uint()))
	if err := os.Rename(left, named); err != nil {
		t.Fatal(err)
	}
	left = named
	swept := filepath.Join(tmp, "tare-run-side-2-inode3") // by a run in another repository
	theirs, away := filepath.Join(tmp, "tare-run-mine"), filepath.Join(tmp, "tare-run-away")
	for _, path := range []string{left, swept, theirs, away} {
		if out, err := git(t.Context(), dir, "worktree", "add", "--detach", path, "v1"); err != nil {
			t.Fatal(err, out)
		}
	}
	for _, path := range []string{swept, away} {
		if err := os.RemoveAll(path); err != nil {
			t.Fatal(err)
		}
	}
	alive, err := r.Worktree(t.Context(), "v1")
	if err != nil {
		t.Fatal(err)
	}
	defer alive.Close()
	w, err := r.Worktree(t.Context(), "v1")
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	for path, want := range map[string]bool{left: false, alive.top.Path: true, theirs: true, w.top.Path: true} {
		if _, err := os.Stat(path); (err == nil) != want {
			t.Errorf("%s: there %v, want %v", filepath.Base(path), err == nil, want)
		}
	}
	if s := state(t, dir); strings.Contains(s, left) || strings.Contains(s, swept) || !strings.Contains(s, away) {
		t.Errorf("git knows what is gone, or has forgotten what is the user's:\n%s", s)
	}
}

// TestIsResult: results beside the sources are no changes, new sources, data of tests, and new directories are.
func TestIsResult(t *testing.T) {
	for path, want := range map[string]bool{
		"new.jsonl": true, "with blank.html": true, "sub/flame.svg": true, "new.jsonl.partial": true,
		"sub/new_test.go": false, "testdata/x.csv": false, "a/testdata/b/x.csv": false, "notes.txt": false, "results/": false, "go.mod": false,
	} {
		if got := isResult(path); got != want {
			t.Errorf("%s: %v", path, got)
		}
	}
}
