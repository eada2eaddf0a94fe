package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestPages: each verb has a page with its flags.
func TestPages(t *testing.T) {
	dir := t.TempDir()
	if err := run([]string{dir}); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"tare.1": "interleaved forks", "tare-bench.1": `\fB--forks\fP`, "tare-load-search.1": `\fB--slo\fP`} {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil || !strings.Contains(string(text), want) {
			t.Errorf("%s: %v, want a page with %q", name, err, want)
		}
	}
	if run(nil) == nil {
		t.Error("no error without a directory")
	}
}
