package benchrun

import (
	"os"
	"path/filepath"
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
