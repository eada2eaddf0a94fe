package toolchain

import (
	"os"
	"path/filepath"
	"testing"
)

// TestMissing: only what is a path, and does not exist, is missing.
func TestMissing(t *testing.T) {
	dir := t.TempDir()
	for _, sub := range []string{"there/below", "x@v1.0.0"} {
		if err := os.MkdirAll(filepath.Join(dir, sub), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	for pattern, want := range map[string]string{
		".": "", "./...": "", "./there": "", "./there/...": "", "./th...": "", "./there/be...": "", "./x@v1.0.0": "",
		filepath.Join(dir, "there"): "", "sort": "", "nope": "", "example.com/nope@latest": "", "...": "",
		"./nope": "directory", "../nope": "directory", "./nope/...": "directory", "./there/nope/x...": "directory",
		filepath.Join(dir, "nope"): "directory", "nope.go": "file", "./nope.go": "file", "nope.jsonl": "file",
	} {
		if got := Missing(dir, pattern); got != want {
			t.Errorf("%s: %q, want %q", pattern, got, want)
		}
	}
}

// TestSaysAbsent: a missing package that was named is distinguished from a missing one that is imported.
func TestSaysAbsent(t *testing.T) {
	for output, want := range map[string]bool{
		"package nope is not in std (/usr/lib/go/src/nope)\n":           true,
		"stat /tmp/nope: directory not found\n":                         true,
		"x.go:3:8: package nope is not in std (/usr/lib/go/src/nope)\n": false,
		"# example.com/m\n./x.go:3:2: undefined: y\n":                   false,
		"go: warning: \"./x...\" matched no packages\n":                 true,
	} {
		if got := SaysAbsent(output); got != want {
			t.Errorf("%q: %v", output, got)
		}
	}
}
