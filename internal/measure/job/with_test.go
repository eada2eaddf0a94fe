package job

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestFilesWith: what is not there, or lies elsewhere, is refused.
func TestFilesWith(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a_test.go"), []byte("package a"), 0o666); err != nil {
		t.Fatal(err)
	}
	files, err := filesWith(dir, []string{"a_test.go", filepath.Join(dir, "a_test.go")})
	if err != nil || len(files) != 2 || files[0] != files[1] || len(files[0].SHA256) != 64 {
		t.Errorf("%+v, %v", files, err)
	}
	for path, want := range map[string]string{"b_test.go": "no such file", "../x": "outside", "/etc/hostname": "outside", ".": "no regular file"} {
		if _, err := filesWith(dir, []string{path}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", path, err)
		}
	}
}
