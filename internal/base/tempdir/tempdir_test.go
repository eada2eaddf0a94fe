package tempdir_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/tarebench/tare/internal/base/tempdir"
)

// inTemp makes the directory of temporary files one of this test's own.
func inTemp(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	if os.TempDir() != dir {
		t.Skip("temporary files are elsewhere on this system")
	}
	return dir
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// empty reports what is in a directory.
func empty(t *testing.T, dir string) {
	t.Helper()
	left, err := os.ReadDir(dir)
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

func TestDir(t *testing.T) {
	temp := inTemp(t)
	p, err := tempdir.Dir("what")
	if err != nil {
		t.Fatal(err)
	}
	if st, err := os.Stat(p.Path); err != nil || !st.IsDir() || !strings.HasPrefix(p.Path, filepath.Join(temp, "tare-run-what-")) {
		t.Errorf("%s: %v, %v", p.Path, st, err)
	}
	if err := os.WriteFile(filepath.Join(p.Path, "in"), nil, 0o666); err != nil {
		t.Error(err)
	}
	q, err := tempdir.Dir("what") // which tidies up, and leaves what is in use
	if err != nil || q.Path == p.Path || !exists(filepath.Join(p.Path, "in")) {
		t.Fatalf("%v, %v", q, err)
	}
	if err := p.Remove(); err != nil {
		t.Error(err)
	}
	if err := q.Remove(); err != nil {
		t.Error(err)
	}
	empty(t, temp)
	t.Setenv("TMPDIR", filepath.Join(temp, "absent"))
	if _, err := tempdir.Dir("what"); err == nil || !strings.Contains(err.Error(), "absent") {
		t.Errorf("%v", err)
	}
}

// TestNamed: the name is that which is wanted, unless it is somebody's.
func TestNamed(t *testing.T) {
	temp := inTemp(t)
	want := filepath.Join(temp, "tare-run-name")
	for range 2 {
		p, err := tempdir.Named("name")
		if err != nil || p.Path != want {
			t.Fatalf("%v, %v", p, err)
		}
		q, err := tempdir.Named("name")
		if err != nil || q.Path == want || !strings.HasPrefix(q.Path, want) {
			t.Fatalf("%v, %v", q, err)
		}
		if err := q.Remove(); err != nil || !exists(want) {
			t.Error(err)
		}
		if err := p.Remove(); err != nil {
			t.Error(err)
		}
		empty(t, temp)
	}
}

func TestFile(t *testing.T) {
	dir := t.TempDir()
	const size = 3<<20 + 5
	p, err := tempdir.File("what", []byte("head"), size, dir)
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(p.Path)
	if err != nil || len(text) != size || !bytes.HasPrefix(text, []byte("head\x00")) || len(bytes.Trim(text[4:], "\x00")) > 0 {
		t.Errorf("%d bytes, %v", len(text), err)
	}
	if err := p.Remove(); err != nil {
		t.Error(err)
	}
	empty(t, dir)
}

// TestFileElsewhere: the first directory that has room is taken, and the error is about all
// that could have it.
func TestFileElsewhere(t *testing.T) {
	dir := t.TempDir()
	absent, text := filepath.Join(dir, "absent"), filepath.Join(dir, "text")
	if err := os.WriteFile(text, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	p, err := tempdir.File("what", nil, 10, absent, text, dir)
	if err != nil || filepath.Dir(p.Path) != dir {
		t.Fatalf("%v, %v", p, err)
	}
	if err := p.Remove(); err != nil {
		t.Error(err)
	}
	_, err = tempdir.File("what", nil, 1<<20, absent, text)
	if err == nil || !strings.HasPrefix(err.Error(), "no room for 1024 KiB: ") || !strings.Contains(err.Error(), text) || strings.ContainsAny(err.Error(), "\n;") {
		t.Errorf("%v", err)
	}
	_, err = tempdir.File("what", nil, 10, text, text)
	if err == nil || strings.Count(err.Error(), text) != 2 || strings.Contains(err.Error(), "\n") {
		t.Errorf("%v", err)
	}
}

// TestAtOnce: places that many make and remove at once, each looking for what others have
// left, are there as long as they should be.
func TestAtOnce(t *testing.T) {
	temp := inTemp(t)
	var wg sync.WaitGroup
	for range 6 {
		wg.Go(func() {
			for range 50 {
				d, err := tempdir.Dir("dir")
				if err != nil {
					t.Error(err)
					return
				}
				f, err := tempdir.File("file", []byte("head"), 100, temp)
				if err != nil {
					t.Error(err)
					return
				}
				if !exists(d.Path) || !exists(f.Path) {
					t.Errorf("%s, %s: somebody has removed it", d.Path, f.Path)
				}
				if err := d.Remove(); err != nil {
					t.Error(err)
				}
				if err := f.Remove(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	empty(t, temp)
}
