package main

import (
	"os"
	"path/filepath"
	"testing"
)

// TestWarningsPage: docs/warnings.md has the table of warnings as it is now.
func TestWarningsPage(t *testing.T) {
	path := filepath.Join(root, "docs", "warnings.md")
	if *update {
		if err := os.WriteFile(path, []byte(warningsPage()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(text) != warningsPage() {
		t.Error("docs/warnings.md is stale; go -C dev test ./docs -run TestWarningsPage -update")
	}
}
