package samecode

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// tree writes files of a module; a text that begins with "-> " is that of a link.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		put(t, filepath.Join(dir, filepath.FromSlash(name)), text)
	}
	return dir
}

func put(t *testing.T, path, text string) {
	t.Helper()
	err := os.MkdirAll(filepath.Dir(path), 0o755)
	os.Remove(path)
	if to, ok := strings.CutPrefix(text, "-> "); ok && err == nil {
		err = os.Symlink(to, path)
	} else if err == nil {
		err = os.WriteFile(path, []byte(text), 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// digestOf returns a digest, "" for none.
func digestOf(t *testing.T, f *Files, dir string) string {
	t.Helper()
	sum, err := f.Digest(dir)
	if (sum == "") != (err != nil) {
		t.Errorf("%s: %q, %v", dir, sum, err)
	}
	return sum
}

// TestFiles: what benchmarks can read while they run makes two copies of a module different, and nothing else does.
func TestFiles(t *testing.T) {
	files := map[string]string{
		"go.mod": "module m\n", "README.md": "read me", "testdata/shared.json": "1", "other/other.go": "package other\n", "other/testdata/x": "1",
		"p/p.go": "package p\n", "p/corpus.md": "text", "p/testdata/x.json": "1", "p/testdata/p.go": "package x\n", "p/_gen/x.go": "package x\n",
		"p/sub/sub.go": "package sub\n", "p/sub/data.txt": "1", "p/link": "-> ../data/file", "data/file": "1", "p/all": "-> ../data/dir", "data/dir/file": "1",
		"p/loop": "-> .", "p/gone": "-> nowhere", "p/script": "#!/bin/sh\n", ".git/HEAD": "1", "p/.git": "gitdir: x", "p/old.jsonl": `{"k":"run","v":1}`,
		"p/testdata/old.jsonl": `{"k":"run","v":1}`, "p/out.jsonl": "", "p/tmp/x": "1", "nested/go.mod": "module n\n", "nested/testdata/x": "1",
		"data/other": "1", "data/LICENSE": "1", "data/.cache/x": "1", "c/c.c": "int x;", "other/x.s": "TEXT", "p/gen.go": "//go:build ignore\n\npackage main\n", "p/x_windows.go": "package p\n",
		"tare-ci/.gitignore": "*\n", "tare-ci/summary.md": "1", "tare-ci/record.jsonl": "1", "p/out/.gitignore": "*\n", "p/out/junit.xml": "1", "some/.gitignore": "*\n", "some/data": "1",
		"vendor/v/data": "1", "vendor/v/v.go": "package v\n",
	}
	digest := func(dir string) string {
		f := Files{MaxFiles: 100, MaxBytes: 2000, Except: []string{filepath.Join(dir, "p/out.jsonl"), filepath.Join(dir, "p/tmp"), ""}}
		return digestOf(t, &f, filepath.Join(dir, "p"))
	}
	want := digest(tree(t, files))
	if want == "" {
		t.Fatal("no digest")
	}
	for name, text := range map[string]string{
		"README.md": "", "other/other.go": "", "p/p.go": "", "p/new.go": "", "p/sub/sub.go": "", ".git/HEAD": "", "p/.git": "",
		"p/out.jsonl": "x", "p/tmp/x": "2", "nested/testdata/x": "", "p/p_test.go": "",
		"data/LICENSE": "2", "data/.cache/x": "2", "data/new.md": "", "other/x.s": "", "nested/data": "1", "vendor/v/v.go": "", "tare.toml": "",
	} {
		dir := tree(t, files)
		put(t, filepath.Join(dir, name), text)
		if got := digest(dir); got != want {
			t.Errorf("%s makes a difference", name)
		}
	}
	for name, text := range map[string]string{
		"testdata/shared.json": "2", "other/testdata/x": "2", "p/corpus.md": "taxt", "p/testdata/x.json": "2", "p/testdata/p.go": "package y\n",
		"p/_gen/x.go": "package y\n", "p/sub/data.txt": "2", "data/file": "2", "data/dir/file": "2", "p/link": "-> ../data/dir/file", "p/gone": "-> elsewhere", "p/new.txt": "",
		"p/testdata/old.jsonl": `{"k":"run","v":1} `, "p/sub/.hidden": "", "third/testdata/y": "", "p/testdata/sub/testdata/z": "",
		"data/other": "2", "data/new": "", "c/c.c": "int y;", "p/gen.go": "//go:build ignore\n\npackage x\n", "p/new_windows.go": "package p\n", "some/data": "2", "vendor/v/data": "2",
		"p/sub/gen.go": "//go:build ignore\n\npackage main\n", "tare-ci/other": "1", "tare-ci/record.jsonl": "2", "tare-ci/report.html": "1", "p/out/junit.xml": "2", "p/old.jsonl": `{"k":"run","v":1} `, "data/new.jsonl": `{"k":"run",`,
		"other/data": "1", "p/go.mod.txt": "1",
	} {
		dir := tree(t, files)
		put(t, filepath.Join(dir, name), text)
		if got := digest(dir); got == want || got == "" {
			t.Errorf("%s makes no difference: %q", name, got)
		}
	}
	dir := tree(t, files)
	if err := os.Chtimes(filepath.Join(dir, "p/corpus.md"), time.Unix(1, 0), time.Unix(1, 0)); err != nil || digest(dir) != want {
		t.Errorf("the time of a file makes a difference: %v", err)
	}
	if err := os.Chmod(filepath.Join(dir, "p/script"), 0o755); err != nil || digest(dir) == want {
		t.Errorf("a program that can be started makes no difference: %v", err)
	}
}

// TestFilesMoved: contents that two files exchange are not the same.
func TestFilesMoved(t *testing.T) {
	var f Files
	a := digestOf(t, &f, tree(t, map[string]string{"go.mod": "module m\n", "x": "1", "y": "2"}))
	b := digestOf(t, &f, tree(t, map[string]string{"go.mod": "module m\n", "x": "2", "y": "1"}))
	if a == b || a == "" || b == "" {
		t.Errorf("%q, %q", a, b)
	}
}

// TestFilesLimits: beyond the limits, and of what cannot be read, there is no digest, and no file is read without end.
func TestFilesLimits(t *testing.T) {
	small := map[string]string{"go.mod": "module m\n", "a/b/testdata/x": "12345", "y": "12345"}
	for what, c := range map[string]struct {
		f     Files
		files map[string]string
		known bool
	}{
		"within":           {Files{MaxFiles: 10, MaxBytes: 100}, small, true},
		"no limits":        {Files{}, small, true},
		"too many":         {Files{MaxFiles: 2, MaxBytes: 100}, small, false},
		"too long":         {Files{Until: time.Unix(1, 0)}, small, false},
		"too large":        {Files{MaxFiles: 10, MaxBytes: 10}, small, false},
		"without a module": {Files{MaxFiles: 10, MaxBytes: 100}, map[string]string{"x": "1"}, true},
		"devices":          {Files{MaxFiles: 10, MaxBytes: 100}, map[string]string{"go.mod": "", "zeros": "-> /dev/zero"}, true},
		"everything":       {Files{MaxFiles: 1000, MaxBytes: 100 << 20}, map[string]string{"go.mod": "", "all": "-> /"}, false},
	} {
		if got := digestOf(t, &c.f, tree(t, c.files)); (got != "") != c.known {
			t.Errorf("%s: %q", what, got)
		}
	}
	if got := digestOf(t, new(Files), filepath.Join(t.TempDir(), "gone")); got != "" {
		t.Errorf("of no directory: %q", got)
	}
}

// TestFilesOfOthers: files of modules that go.work uses, or go.mod replaces by a directory, make a difference.
func TestFilesOfOthers(t *testing.T) {
	for _, c := range []struct{ what, at, work, mod string }{
		{"replaced", "b", "", "module m\n\nreplace x => ../b // here\n"},
		{"replaced in a block", "b", "", "module m\n\nreplace (\n\tx v1.0.0 => \"../b\"\n)\n"},
		{"used", "b", "go 1.26\n\nuse ./m\nuse ./b\n", "module m\n"},
		{"used in a block", "b", "go 1.26\n\nuse (\n\t./m\n\tb // here\n)\n", "module m\n"},
		{"replaced by one that is used", "c", "use (\n./m\n./b\n)\n", "module m\n"},
		{"replaced by the workspace", "b", "use ./m\nreplace x => ./b\n", "module m\n"},
	} {
		digest := func(text string) string {
			files := map[string]string{"m/go.mod": c.mod, "m/p/p.go": "package p\n", "b/go.mod": "module b\n\nreplace c => ../c\n", "b/data": "1", "c/go.mod": "module c\n", "d/data": "1"}
			if c.work != "" {
				files["go.work"] = c.work
			}
			dir := tree(t, files)
			put(t, filepath.Join(dir, c.at, "data"), text)
			return digestOf(t, new(Files), filepath.Join(dir, "m", "p"))
		}
		if a, b, again := digest("1"), digest("2"), digest("1"); a == b || a != again {
			t.Errorf("%s: %q, %q, %q", c.what, a, b, again)
		}
	}
}

// TestFilesTemporary: what tare and the go command put into the directory of temporary files makes no difference, wherever that is,
// and the rest of it does.
func TestFilesTemporary(t *testing.T) {
	files := map[string]string{"go.mod": "module m\n", "data": "1", "p/p.go": "package p\n"}
	for _, at := range []string{".", "p", "tmp"} {
		dir := tree(t, files)
		tmp := filepath.Join(dir, at)
		f := Files{Except: []string{tmp}}
		want := digestOf(t, &f, filepath.Join(dir, "p"))
		t.Setenv("TMPDIR", tmp)
		put(t, filepath.Join(tmp, "tare-run-1", "x"), "1")
		put(t, filepath.Join(tmp, "go-build1", "x"), "1")
		f = Files{Except: []string{tmp}}
		if got := digestOf(t, &f, filepath.Join(dir, "p")); got != want {
			t.Errorf("TMPDIR %s makes a difference", at)
		}
		put(t, filepath.Join(dir, "p", "data"), "1")
		f = Files{Except: []string{tmp}}
		if got := digestOf(t, &f, filepath.Join(dir, "p")); got == want {
			t.Errorf("TMPDIR %s: a new file makes no difference", at)
		}
	}
}
