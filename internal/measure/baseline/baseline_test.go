package baseline

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestSaveFind: what is saved is found again, replaced as a whole, and not that of another module.
func TestSaveFind(t *testing.T) {
	t.Setenv("XDG_DATA_HOME", t.TempDir())
	root, record := t.TempDir(), filepath.Join(t.TempDir(), "r.jsonl")
	write := func(path, text string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write(filepath.Join(root, "go.mod"), "// comment\nmodule example.org/a/b // x\n")
	dir, err := Dir(root)
	if err != nil || !strings.HasSuffix(dir, "example.org%2Fa%2Fb") {
		t.Fatal(dir, err)
	}
	for _, text := range []string{"first, which is longer", "second"} {
		write(record, text)
		if err := Save(dir, "before", record); err != nil {
			t.Fatal(err)
		}
		path, err := Find(dir, "before")
		if err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != text {
			t.Errorf("%q, %v", got, err)
		}
	}
	if err := Save(dir, "x.1-y", record); err != nil || !slices.Equal(Names(dir), []string{"before", "x.1-y"}) {
		t.Error(err, Names(dir))
	}
	if _, err := Find(dir, "after"); err == nil || !strings.Contains(err.Error(), "no record is saved as after") {
		t.Error(err)
	}
	other, err := Dir("")
	if err != nil || other == dir || Names(other) != nil {
		t.Error(other, err)
	}
	for _, name := range []string{"", ".", "..", "../x", "a/b", "-x", ".x", "a b", strings.Repeat("x", 101)} {
		if Save(dir, name, record) == nil {
			t.Errorf("%q is a name", name)
		}
	}
	if Save(dir, "gone", filepath.Join(root, "nosuch")) == nil || slices.Contains(Names(dir), "gone") {
		t.Error("a record that is not there was saved")
	}
}
