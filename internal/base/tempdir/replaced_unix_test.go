//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package tempdir_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/tarebench/tare/internal/base/tempdir"
)

// TestRemoveReplaced: what somebody else has given the name of a place is neither removed nor moved.
func TestRemoveReplaced(t *testing.T) {
	for what, create := range map[string]func(dir string) (*tempdir.Place, error){
		"directory": func(dir string) (*tempdir.Place, error) { return tempdir.DirIn(dir, "x") },
		"file":      func(dir string) (*tempdir.Place, error) { return tempdir.File("x", nil, 10, dir) },
		"beside":    func(dir string) (*tempdir.Place, error) { return tempdir.Beside(filepath.Join(dir, "x")) },
	} {
		t.Run(what, func(t *testing.T) {
			dir, home := mkdir(t, filepath.Join(t.TempDir(), "shared"), 0o777), t.TempDir()
			for _, precious := range []string{filepath.Join(home, "directory"), filepath.Join(home, "file")} {
				inside := precious
				if filepath.Base(precious) == "directory" {
					inside = filepath.Join(mkdir(t, precious, 0o700), "in")
				}
				if err := os.WriteFile(inside, nil, 0o600); err != nil {
					t.Fatal(err)
				}
				p, err := create(dir)
				if err != nil {
					t.Fatal(err)
				}
				if err := errors.Join(os.Rename(p.Path, p.Path+".aside"), os.Rename(precious, p.Path)); err != nil {
					t.Fatal(err)
				}
				if p.File != nil {
					if err := p.MoveTo(filepath.Join(dir, "x")); err == nil || exists(filepath.Join(dir, "x")) {
						t.Errorf("moved: %v", err)
					}
				}
				if err := p.Remove(); err == nil || !strings.Contains(err.Error(), p.Path) || strings.Contains(err.Error(), "\n") {
					t.Errorf("error %v", err)
				}
				if !exists(strings.Replace(inside, precious, p.Path, 1)) {
					t.Error("what has the name of the place was removed")
				}
			}
		})
	}
}

// TestWriteFileReplaced: whatever somebody puts in the place of the temporary file meanwhile, only that file is written.
func TestWriteFileReplaced(t *testing.T) {
	dir, victim := mkdir(t, filepath.Join(t.TempDir(), "shared"), 0o777), filepath.Join(t.TempDir(), "victim")
	if err := os.WriteFile(victim, []byte("precious"), 0o600); err != nil {
		t.Fatal(err)
	}
	done := make(chan bool)
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			select {
			case <-done:
				return
			default:
			}
			names, _ := filepath.Glob(filepath.Join(dir, ".tare-run-*"))
			for _, name := range names {
				if os.Remove(name) == nil {
					os.Symlink(victim, name)
				}
			}
		}
	})
	for range 300 {
		tempdir.WriteFile(filepath.Join(dir, "file"), []byte("ours"), 0o666)
	}
	close(done)
	wg.Wait()
	if text, err := os.ReadFile(victim); string(text) != "precious" || err != nil {
		t.Errorf("the victim's file: %q, %v", text, err)
	}
}

// TestWriteFile: a link is replaced and not followed, a pipe is replaced and not opened, and a directory is an error.
func TestWriteFile(t *testing.T) {
	dir := t.TempDir()
	path, victim := filepath.Join(dir, "file"), filepath.Join(dir, "victim")
	for what, put := range map[string]func() error{
		"nothing": func() error { return nil },
		"file":    func() error { return os.WriteFile(path, []byte("before"), 0o666) },
		"link":    func() error { return os.Symlink(victim, path) },
		"pipe":    func() error { return syscall.Mkfifo(path, 0o600) },
	} {
		if err := put(); err != nil {
			t.Fatal(err)
		}
		err := tempdir.WriteFile(path, []byte("text"), 0o640)
		at, _ := os.Lstat(path)
		if err != nil || at.Mode() != 0o640 || exists(victim) {
			t.Fatalf("%s: %v, %v", what, at, err)
		}
		if text, err := os.ReadFile(path); string(text) != "text" || err != nil {
			t.Errorf("%s: %q, %v", what, text, err)
		}
		os.Remove(path)
	}
	mkdir(t, path, 0o700)
	if err := tempdir.WriteFile(path, nil, 0o600); err == nil || strings.Contains(err.Error(), "\n") {
		t.Error(err)
	}
	if left, err := os.ReadDir(dir); len(left) != 1 || err != nil {
		t.Errorf("left behind: %v, %v", left, err)
	}
}
