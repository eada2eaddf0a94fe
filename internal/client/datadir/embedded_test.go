package datadir

import (
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"
)

func TestTemporaryHome(t *testing.T) {
	place := t.TempDir()
	t.Setenv("TMPDIR", place)
	t.Setenv("TMP", place)
	h, err := Open("bolt", "")
	if err != nil {
		t.Fatal(err)
	}
	if !h.Temporary() || !strings.HasPrefix(h.Path("x"), filepath.Join(place, "tare-run-bolt-")) {
		t.Errorf("home %+v", h)
	}
	if err := os.WriteFile(h.Path("x"), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := h.Close(); err != nil {
			t.Error(err)
		}
	}
	if left, err := os.ReadDir(place); err != nil || len(left) > 0 {
		t.Errorf("left: %v, %v", left, err)
	}
}

func TestUsersHome(t *testing.T) {
	dir := t.TempDir()
	h, err := Open("bolt", dir)
	if err != nil {
		t.Fatal(err)
	}
	if h.Temporary() || h.Path("x") != filepath.Join(dir, "x") {
		t.Errorf("home %+v", h)
	}
	if err := h.Close(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(dir); err != nil {
		t.Errorf("the user's directory was removed: %v", err)
	}
}

func TestBadHome(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for dir, want := range map[string]string{
		file:                           "is not a directory",
		filepath.Join(file, "missing"): "data directory",
	} {
		if _, err := Open("bolt", dir); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), dir) {
			t.Errorf("%s: error %v, want %q", dir, err, want)
		}
	}
	t.Setenv("TMPDIR", file)
	t.Setenv("TMP", file)
	if _, err := Open("bolt", ""); err == nil || !strings.Contains(err.Error(), "TMPDIR") {
		t.Errorf("no temporary directory: error %v", err)
	}
}

// TestInMemory looks at what Linux machines have at /dev/shm and /proc.
func TestInMemory(t *testing.T) {
	if mounts, err := os.ReadFile("/proc/mounts"); err != nil || !strings.Contains(string(mounts), " /dev/shm tmpfs ") {
		t.Skip("no tmpfs at /dev/shm")
	}
	if notes := (&Home{dir: "/dev/shm"}).Notes(); len(notes) != 1 || !strings.Contains(notes[0], "/dev/shm") {
		t.Errorf("notes on /dev/shm: %q", notes)
	}
	if notes := (&Home{dir: "/proc"}).Notes(); len(notes) != 0 {
		t.Errorf("notes on /proc: %q", notes)
	}
}

func TestVersion(t *testing.T) {
	info := &debug.BuildInfo{Deps: []*debug.Module{
		{Path: "example.com/a", Version: "v1.2.3"},
		{Path: "example.com/b", Version: "v1.0.0", Replace: &debug.Module{Path: "../b"}},
		{Path: "example.com/c", Version: "v1.0.0", Replace: &debug.Module{Path: "example.com/d", Version: "v2.0.0"}},
	}}
	for module, want := range map[string]string{
		"example.com/a": " v1.2.3", "example.com/b": " (replaced)", "example.com/c": " v2.0.0", "example.com/x": "",
	} {
		if got := version(info, module); got != want {
			t.Errorf("%s: %q, want %q", module, got, want)
		}
	}
}
