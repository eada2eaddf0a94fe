package toolchain

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func put(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// TestReadOverlay: its paths are those of the directory that go runs in, as is its own.
func TestReadOverlay(t *testing.T) {
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	put(t, in("own.json"), `{"Replace": {"a.go": "other/a.go", "gone.go": "", "`+filepath.ToSlash(in("b/./b.go"))+`": "b.go"}}`)
	put(t, in("a.go"), "old")
	put(t, in("kept.go"), "kept")
	put(t, in("other/a.go"), "new")
	o, err := ReadOverlay(dir, Flags{"-overlay=own.json"})
	if want := (Overlay{in("a.go"): in("other/a.go"), in("gone.go"): "", in("b/b.go"): in("b.go")}); err != nil || !maps.Equal(o, want) {
		t.Fatalf("%v, %v, want %v", o, err, want)
	}
	for path, want := range map[string]string{"a.go": "new", "b/../a.go": "new", "kept.go": "kept"} {
		if got, err := o.ReadFile(dir + string(filepath.Separator) + filepath.FromSlash(path)); err != nil || string(got) != want {
			t.Errorf("%s: %q, %v", path, got, err)
		}
	}
	if _, err := o.ReadFile(in("gone.go")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file that the overlay removes: %v", err)
	}
	if o, err := ReadOverlay(dir, Flags{"-overlay=own.json", "-overlay="}); err != nil || o != nil {
		t.Errorf("none at last: %v, %v", o, err)
	}
	if got, err := (Overlay)(nil).ReadFile(in("a.go")); err != nil || string(got) != "old" {
		t.Errorf("without an overlay: %q, %v", got, err)
	}
	put(t, in("broken.json"), "{")
	put(t, in("nameless.json"), `{"Replace": {"": "a.go"}}`)
	for file, want := range map[string]string{"none.json": "cannot be read", "broken.json": "is not an overlay", "nameless.json": "without a name"} {
		_, err := ReadOverlay(dir, Flags{"-overlay=" + file})
		var e *OverlayError
		if !errors.As(err, &e) || e.File != file || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", file, err)
		}
	}
}

// TestRooted: files of a toolchain that is built under another name are replaced there.
func TestRerooted(t *testing.T) {
	root, other := filepath.FromSlash("/mod/toolchain"), filepath.FromSlash("/cache/go")
	mine := filepath.FromSlash("/home/x.go")
	also := Overlay{filepath.Join(root, "src", "runtime", "a.go"): "/w/a.go", root + "x": "/w/b.go", mine: ""}
	want := Overlay{filepath.Join(other, "src", "runtime", "a.go"): "/w/a.go", root + "x": "/w/b.go", mine: ""}
	if got := also.Rerooted(root, other); !maps.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if got := also.Rerooted(root, root); !maps.Equal(got, also) {
		t.Errorf("%v", got)
	}
}
