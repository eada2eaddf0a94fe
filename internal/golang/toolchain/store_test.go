package toolchain

import (
	"encoding/json"
	"fmt"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

// local is the toolchain at hand.
func local(t *testing.T) *Toolchain {
	t.Helper()
	tc, err := Find(t.Context(), Command{})
	if err != nil {
		t.Fatal(err)
	}
	return tc
}

// hooked is the patch of package testing of the toolchain at hand.
func hooked(t *testing.T) *Patch {
	t.Helper()
	p, err := Testing(local(t))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func replacements(t *testing.T, file string) map[string]string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var o struct{ Replace map[string]string }
	if err := json.Unmarshal(text, &o); err != nil {
		t.Fatal(err)
	}
	return o.Replace
}

func TestWrite(t *testing.T) {
	o, dir := hooked(t), filepath.Join(t.TempDir(), "a", "b")
	file, err := o.Write(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	replace := replacements(t, file)
	if len(replace) != len(o.files) {
		t.Errorf("%d files, %d replacements", len(o.files), len(replace))
	}
	for _, f := range o.files {
		if text, err := os.ReadFile(replace[f.path]); err != nil || string(text) != f.text {
			t.Errorf("%s: %v", f.path, err)
		}
	}
	old := time.Now().Add(-100 * time.Hour)
	if err := os.Chtimes(filepath.Dir(file), old, old); err != nil {
		t.Fatal(err)
	}
	for what, spoil := range map[string]func() error{
		"untouched": func() error { return nil },
		"damaged":   func() error { return os.WriteFile(replace[o.files[0].path], []byte("x"), 0o666) },
		"a file less": func() error {
			return os.Remove(replace[o.files[1].path])
		},
		"gone": func() error { return os.RemoveAll(filepath.Dir(file)) },
	} {
		if err := spoil(); err != nil {
			t.Fatal(err)
		}
		again, err := o.Write(dir, nil)
		if err != nil || again != file {
			t.Errorf("%s: %s, %v", what, again, err)
		}
		for _, f := range o.files {
			if text, err := os.ReadFile(replace[f.path]); err != nil || string(text) != f.text {
				t.Errorf("%s: %s: %v", what, f.path, err)
			}
		}
	}
	if fi, err := os.Stat(filepath.Dir(file)); err != nil || time.Since(fi.ModTime()) > time.Hour {
		t.Errorf("not marked as used: %v %v", fi.ModTime(), err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 1 {
		t.Errorf("left: %v %v", left, err)
	}
}

// TestWriteAlso: an overlay of the build is added to a file of its own. The file without it stays.
func TestWriteAlso(t *testing.T) {
	o, dir := hooked(t), t.TempDir()
	plain, err := o.Write(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	file, err := o.Write(dir, Overlay{"/x/a.go": "/y/a.go", "/x/b.go": ""})
	if err != nil || file == plain {
		t.Fatal(file, err)
	}
	got := replacements(t, file)
	if to, ok := got["/x/b.go"]; got["/x/a.go"] != "/y/a.go" || !ok || to != "" || len(got) != len(o.files)+2 {
		t.Errorf("%v", got)
	}
	if len(replacements(t, plain)) != len(o.files) {
		t.Error("the plain one has it, too")
	}
}

func TestWriteAtOnce(t *testing.T) {
	o, dir := hooked(t), t.TempDir()
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			file, err := o.Write(dir, nil)
			if err != nil || !strings.HasPrefix(file, dir) {
				t.Error(file, err)
			}
		})
	}
	wg.Wait()
	if left, err := os.ReadDir(dir); err != nil || len(left) != 1 {
		t.Errorf("left: %v %v", left, err)
	}
}

func TestWriteNowhere(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := hooked(t).Write(file, nil); err == nil {
		t.Error("wrote below a file")
	}
}

// TestTexts: the hooks keep the rules that package hook states.
func TestTexts(t *testing.T) {
	o := hooked(t)
	may, err := importable(filepath.Dir(o.files[0].path))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range o.files {
		if f.name == "testing/"+benchmarkFile {
			continue
		}
		for _, spec := range imports(t, f.text) {
			if !may[spec] {
				t.Errorf("%s imports %s, which package testing does not", f.name, spec)
			}
		}
		if !strings.HasPrefix(f.name, filePrefix) || strings.Contains(f.text, "package hook") {
			t.Errorf("%s:\n%.200s", f.name, f.text)
		}
	}
	if may[`"encoding/json"`] || !may[`"fmt"`] {
		t.Errorf("%v", may)
	}
}

func imports(t *testing.T, text string) (specs []string) {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), "", text, parser.ImportsOnly)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range f.Imports {
		specs = append(specs, s.Path.Value)
	}
	return specs
}

// TestCacheDirWithoutHome: what is compiled into programs is not read from a directory that anybody could have made.
func TestCacheDirWithoutHome(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the directory of temporary files is the user's there")
	}
	t.Setenv("TMPDIR", t.TempDir())
	for _, name := range []string{"HOME", "XDG_CACHE_HOME", "XDG_RUNTIME_DIR"} {
		t.Setenv(name, "")
	}
	dir, err := CacheDir()
	if want := filepath.Join(os.TempDir(), fmt.Sprintf("tare-%d", os.Geteuid()), "overlay"); err != nil || dir != want {
		t.Errorf("%s, %v, want %s", dir, err, want)
	}
}
