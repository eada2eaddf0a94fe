package input

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestContent: a file is read up to its limit.
func TestContent(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	if err := os.WriteFile(path, []byte("12345"), 0o666); err != nil {
		t.Fatal(err)
	}
	if text, err := Content(path, 5); string(text) != "12345" || err != nil {
		t.Errorf("%q, %v", text, err)
	}
	if _, err := Content(path, 4); err == nil || !strings.Contains(err.Error(), "longer than 4 bytes") {
		t.Errorf("%v", err)
	}
}
