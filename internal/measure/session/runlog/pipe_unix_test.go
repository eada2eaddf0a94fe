//go:build unix

package runlog

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestPipe: a pipe or a device in the log's place is an error in one line, at once.
func TestPipe(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skip(err)
	}
	for _, path := range []string{pipe, "/dev/zero"} {
		_, err := Read(path, "m")
		for _, err := range []error{err, Append(path, Entry{})} {
			if err == nil || !strings.HasPrefix(err.Error(), path+" is not a file") || strings.Contains(err.Error(), "\n") {
				t.Errorf("%v", err)
			}
		}
	}
}

// TestLink: the log is not added to through a link of another user, nor by another name of a file.
func TestLink(t *testing.T) {
	dir, victim := t.TempDir(), filepath.Join(t.TempDir(), "victim")
	if err := errors.Join(os.WriteFile(victim, []byte("precious"), 0o600), os.Chmod(dir, 0o777)); err != nil {
		t.Fatal(err)
	}
	for what, put := range map[string]func(path string) error{
		"link":      func(path string) error { return errors.Join(os.Symlink(victim, path), os.Lchown(path, 65534, 65534)) },
		"hard link": func(path string) error { return os.Link(victim, path) },
		"directory": func(path string) error {
			return errors.Join(os.Symlink(filepath.Dir(victim), path), os.Lchown(path, 65534, 65534))
		},
	} {
		path := filepath.Join(dir, what)
		err := put(path)
		if what == "directory" {
			path = filepath.Join(path, "new", "runs.jsonl")
		}
		if err != nil {
			t.Logf("%s: %v", what, err)
			continue
		}
		if err := Append(path, Entry{}); err == nil || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", what, err)
		}
		if text, err := os.ReadFile(victim); string(text) != "precious" || err != nil {
			t.Errorf("%s: %q, %v", what, text, err)
		}
		if left, err := os.ReadDir(filepath.Dir(victim)); len(left) != 1 || err != nil {
			t.Errorf("%s: %v, %v", what, left, err)
		}
	}
}
