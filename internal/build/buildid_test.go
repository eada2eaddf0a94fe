package build

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestTextBuildID reads the form that Mach-O and PE files have. For ELF see
// TestBuildRuns.
func TestTextBuildID(t *testing.T) {
	pad := strings.Repeat("\x00", 4096)
	for _, c := range []struct{ name, text, want string }{
		{"marked", pad + "\xff Go build ID: \"abc/def\"\n \xff" + pad, "abc/def"},
		{"none", pad, ""},
		{"empty", "", ""},
	} {
		file := filepath.Join(t.TempDir(), c.name)
		put(t, file, c.text)
		if got, err := readBuildID(file); err != nil || got != c.want {
			t.Errorf("%s: %q, %v", c.name, got, err)
		}
	}
	file := filepath.Join(t.TempDir(), "cut")
	put(t, file, "\xff Go build ID: \"abc")
	if got, err := readBuildID(file); err == nil {
		t.Errorf("cut off: %q", got)
	}
	if _, err := readBuildID(filepath.Join(t.TempDir(), "nosuch")); !os.IsNotExist(err) {
		t.Errorf("no such file: %v", err)
	}
}

func TestBinaryName(t *testing.T) {
	for path, want := range map[string]string{
		"sort": "sort", "encoding/json": "json", "github.com/puzpuzpuz/xsync/v4": "xsync", "v4": "v4", "a/v4x": "v4x",
	} {
		if got := binaryName(path); got != want {
			t.Errorf("binaryName(%s) = %s, want %s", path, got, want)
		}
	}
}
