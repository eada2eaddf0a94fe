package toolchain

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestReplaceableRoot: only a toolchain in the module cache needs a second name.
func TestReplaceableRoot(t *testing.T) {
	cache, mod := t.TempDir(), t.TempDir()
	inside := filepath.Join(mod, "golang.org", "toolchain@v0")
	put(t, filepath.Join(inside, "VERSION"), "go")
	for _, root := range []string{t.TempDir(), mod + "x"} {
		if got, err := ReplaceableRoot(cache, root, mod); err != nil || got != root {
			t.Errorf("%s, %v", got, err)
		}
	}
	if got, err := ReplaceableRoot(cache, inside, ""); err != nil || got != inside {
		t.Errorf("%s, %v", got, err)
	}
	first, err := ReplaceableRoot(cache, inside, mod)
	if err != nil || strings.HasPrefix(first, mod) {
		t.Fatal(first, err)
	}
	if text, err := os.ReadFile(filepath.Join(first, "VERSION")); err != nil || string(text) != "go" {
		t.Errorf("%q, %v", text, err)
	}
	if again, err := ReplaceableRoot(cache, inside, mod+"/"); err != nil || again != first {
		t.Errorf("%s, then %s (%v)", first, again, err)
	}
	if other, err := ReplaceableRoot(cache, inside+"2", mod); err != nil || other == first {
		t.Errorf("%s for another one (%v)", other, err)
	}
	// Removing the link must not change the toolchain.
	if err := os.RemoveAll(filepath.Dir(first)); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(inside, "VERSION")); err != nil {
		t.Error(err)
	}
}
