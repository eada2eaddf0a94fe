package benchrun

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestPut: a file takes the place of what a revision has there, and nothing outside of the revision's tree is written.
func TestPut(t *testing.T) {
	dir, victim := t.TempDir(), t.TempDir()
	precious := filepath.Join(victim, "v_test.go")
	if err := os.WriteFile(precious, []byte("precious"), 0o666); err != nil {
		t.Fatal(err)
	}
	for link, target := range map[string]string{"v_test.go": precious, "sub": victim} {
		if err := os.Symlink(target, filepath.Join(dir, link)); err != nil {
			t.Skip(err)
		}
	}
	if err := put(dir, "v_test.go", []byte("new")); err != nil {
		t.Error(err)
	}
	if err := put(dir, "deep/er/w_test.go", []byte("new")); err != nil {
		t.Error(err)
	}
	if err := put(dir, "sub/v_test.go", []byte("new")); err == nil {
		t.Error("it wrote through a link that leads out")
	}
	for path, want := range map[string]string{filepath.Join(dir, "v_test.go"): "new", filepath.Join(dir, "deep/er/w_test.go"): "new", precious: "precious"} {
		if text, err := os.ReadFile(path); err != nil || string(text) != want {
			t.Errorf("%s: %q, %v", path, text, err)
		}
	}
}

// TestFilesWith: what is not there, or lies elsewhere, is refused.
func TestFilesWith(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a_test.go"), []byte("package a"), 0o666); err != nil {
		t.Fatal(err)
	}
	files, err := FilesWith(dir, []string{"a_test.go", filepath.Join(dir, "a_test.go")})
	if err != nil || len(files) != 2 || files[0] != files[1] || len(files[0].SHA256) != 64 {
		t.Errorf("%+v, %v", files, err)
	}
	for path, want := range map[string]string{"b_test.go": "no such file", "../x": "outside", "/etc/hostname": "outside", ".": "no regular file"} {
		if _, err := FilesWith(dir, []string{path}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", path, err)
		}
	}
}
