package record

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

func TestReadFile(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "r.jsonl")
	if err := os.WriteFile(file, []byte(`{"k":"run","v":1}`+"\n"+`{"k":"case","id":1}`+"\n"+`{"k":"fo`), 0o666); err != nil {
		t.Fatal(err)
	}
	var kinds []string
	var last error
	for line, err := range ReadFile(file) {
		if last = err; err == nil {
			kinds = append(kinds, line.kind())
		}
	}
	if cut := (*TruncatedError)(nil); len(kinds) != 2 || kinds[1] != "case" || !errors.As(last, &cut) {
		t.Errorf("%q, %v", kinds, last)
	}
	for _, err := range ReadFile(filepath.Join(dir, "none")) {
		if last = err; !errors.Is(err, fs.ErrNotExist) {
			t.Error(err)
		}
	}
	if !errors.Is(last, fs.ErrNotExist) {
		t.Errorf("a missing file: %v", last)
	}
}
