package tempdir_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tarebench/tare/internal/base/tempdir"
)

// TestBeside: a file takes its place when it is complete, and until then what was there stays.
func TestBeside(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"report.html", "a*b", strings.Repeat("ä", 120), strings.Repeat("x", 255)} {
		path := filepath.Join(dir, name)
		for range 2 {
			p, err := tempdir.Beside(path)
			if err != nil {
				t.Fatal(err)
			}
			if at, base := filepath.Dir(p.Path), filepath.Base(p.Path); at != dir || base[0] != '.' {
				t.Errorf("%s: %s", name, p.Path)
			}
			if err := p.MoveTo(path); err != nil {
				t.Error(err)
			}
			if err := p.Remove(); err != nil || !exists(path) {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	if files, err := os.ReadDir(dir); err != nil || len(files) != 4 {
		t.Errorf("%v, %v", files, err)
	}
	if _, err := tempdir.Beside(filepath.Join(dir, "absent", "x")); err == nil {
		t.Error("in no directory")
	}
}

func TestDirIn(t *testing.T) {
	dir := t.TempDir()
	p, err := tempdir.DirIn(dir, "make")
	if err != nil {
		t.Fatal(err)
	}
	final := filepath.Join(dir, "made")
	if err := os.Rename(p.Path, final); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := p.Remove(); err != nil || !exists(final) {
			t.Error(err)
		}
	}
	if err := (*tempdir.Place)(nil).Remove(); err != nil {
		t.Error(err)
	}
}
