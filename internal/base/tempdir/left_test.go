//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package tempdir_test

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/tarebench/tare/internal/base/tempdir"
)

// childVar makes of the test a process that has places and waits to be killed.
const childVar = "SCRATCH_TEST_CHILD"

func TestMain(m *testing.M) {
	if what := os.Getenv(childVar); what != "" {
		child(what)
	}
	os.Exit(m.Run())
}

func child(what string) {
	if what == "full" {
		full()
		os.Exit(0)
	}
	d, err := tempdir.Named("dir")
	if err == nil {
		err = os.WriteFile(filepath.Join(d.Path, "in"), []byte("text"), 0o400)
	}
	var f *tempdir.Place
	if err == nil {
		f, err = tempdir.File("file", []byte("head"), 1<<20, os.TempDir())
	}
	var in, beside *tempdir.Place
	if err == nil {
		in, err = tempdir.DirIn(os.TempDir(), "in")
	}
	if err == nil {
		beside, err = tempdir.Beside(filepath.Join(os.TempDir(), "report.html"))
	}
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	for _, p := range []*tempdir.Place{d, f, in, beside} {
		fmt.Println(p.Path)
	}
	time.Sleep(time.Minute)
	os.Exit(1)
}

// TestKilled: what a process has is left alone as long as it lives, and removed by the next
// that makes a place when it was killed.
func TestKilled(t *testing.T) {
	temp := inTemp(t)
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childVar+"=places")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var places []string
	const all = 4
	for lines := bufio.NewScanner(out); len(places) < all && lines.Scan(); {
		places = append(places, lines.Text())
	}
	next := func() (path string) {
		t.Helper()
		p, err := tempdir.Named("dir")
		if err != nil {
			t.Fatal(err)
		}
		if err := p.Remove(); err != nil {
			t.Error(err)
		}
		return p.Path
	}
	next()
	for _, path := range places {
		if !exists(path) {
			t.Errorf("%s: it is in use", path)
		}
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	cmd.Wait()
	if left, err := os.ReadDir(temp); err != nil || len(places) != all || len(left) != all {
		t.Fatalf("it has not left what it had: %q, %v, %v", places, left, err)
	}
	if path := next(); path != places[0] {
		t.Errorf("%s, and the name of what was left is free: %s", path, places[0])
	}
	empty(t, temp)
}

// TestNotOurs: what only looks like a place that was left stays.
func TestNotOurs(t *testing.T) {
	temp := inTemp(t)
	precious := filepath.Join(t.TempDir(), "precious")
	link, pipe, other := filepath.Join(temp, "tare-run-link"), filepath.Join(temp, "tare-run-pipe"), filepath.Join(temp, "tare-walk")
	for _, err := range []error{os.Mkdir(precious, 0o777), os.Symlink(precious, link), syscall.Mkfifo(pipe, 0o666), os.Mkdir(other, 0o777)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	left := leftPlace(t, temp, 0)
	stranger := leftPlace(t, temp, os.ModeDir)
	if os.Geteuid() == 0 {
		if err := os.Chown(stranger, 12345, 12345); err != nil {
			t.Fatal(err)
		}
	}
	p, err := tempdir.Dir("next")
	if err != nil {
		t.Fatal(err)
	}
	defer p.Remove()
	if !exists(precious) || !exists(link) || !exists(pipe) || !exists(other) || os.Geteuid() == 0 && !exists(stranger) {
		t.Error("what is not ours was removed")
	}
	if exists(left) {
		t.Error("what was left is still there")
	}
}

// TestLeft: only a place without a process is removed, and only a place that is gone is reported.
func TestLeft(t *testing.T) {
	dir := t.TempDir()
	p, err := tempdir.DirIn(dir, "used")
	if err != nil {
		t.Fatal(err)
	}
	defer p.Remove()
	left, other, monday := leftPlace(t, dir, os.ModeDir), filepath.Join(dir, "other"), filepath.Join(dir, "tare-run-monday")
	for _, path := range []string{other, monday} {
		if err := os.Mkdir(path, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	for path, want := range map[string]bool{
		p.Path: false, left: true, filepath.Join(dir, "tare-run-gone-1-inode2"): true, monday: false, other: false,
		filepath.Join(dir, "tare-run-tuesday"): false, filepath.Join(dir, "gone"): false,
	} {
		if got := tempdir.Left(path); got != want {
			t.Errorf("%s: %v", path, got)
		}
	}
	if !exists(p.Path) || !exists(other) || !exists(monday) || exists(left) {
		t.Error("what was in use is gone, or what was left is still there")
	}
}

// leftPlace makes what a run that was killed has left in a directory: an empty file or directory with the name of a place.
func leftPlace(t *testing.T, dir string, kind os.FileMode) string {
	t.Helper()
	path := filepath.Join(dir, "new")
	err := os.Mkdir(path, 0o777)
	if !kind.IsDir() {
		err = errors.Join(err, os.Remove(path), os.WriteFile(path, nil, 0o666))
	}
	var st syscall.Stat_t
	if err := errors.Join(err, syscall.Lstat(path, &st)); err != nil {
		t.Fatal(err)
	}
	left := filepath.Join(dir, fmt.Sprintf("tare-run-left-1-inode%d", st.Ino))
	if err := os.Rename(path, left); err != nil {
		t.Fatal(err)
	}
	return left
}

// TestNamesOfUsers: files and directories of the user stay, whatever their names have of those of places.
func TestNamesOfUsers(t *testing.T) {
	dir := inTemp(t)
	killed := leftPlace(t, t.TempDir(), 0)
	kept := []string{
		"tare-run-notes.md", ".tare-run-notes.md", "tare-run-monday/x", "tare-run-20261128/x", "tare-run-side-123/x", ".tare-run-page.html-3141592653",
		"tare-run-mem-0123456789abcdef/x", "tare-run-left-1-inode2", ".tare-run-a-1-inode3/x",
		filepath.Base(killed), // a copy of what a run has left
	}
	for _, name := range kept {
		path := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte("precious"), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	for what, create := range map[string]func() (*tempdir.Place, error){
		"Beside": func() (*tempdir.Place, error) { return tempdir.Beside(filepath.Join(dir, "page.html")) },
		"DirIn":  func() (*tempdir.Place, error) { return tempdir.DirIn(dir, "made") },
		"Dir":    func() (*tempdir.Place, error) { return tempdir.Dir("made") },
		"Named":  func() (*tempdir.Place, error) { return tempdir.Named("monday") },
		"File":   func() (*tempdir.Place, error) { return tempdir.File("made", nil, 1, dir) },
	} {
		p, err := create()
		if err != nil {
			t.Fatal(err)
		}
		if err := p.Remove(); err != nil {
			t.Error(err)
		}
		for _, name := range kept {
			if text, err := os.ReadFile(filepath.Join(dir, name)); string(text) != "precious" {
				t.Fatalf("%s has removed %s: %v", what, name, err)
			}
		}
	}
}
