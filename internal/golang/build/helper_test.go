package build

import (
	"archive/zip"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// write writes the files of a text in the manner of txtar: "-- name --" before
// each one's content.
func write(t *testing.T, dir, text string) string {
	t.Helper()
	for name, content := range split(text) {
		put(t, filepath.Join(dir, name), content)
	}
	return dir
}

func split(text string) map[string]string {
	files := make(map[string]string)
	name := ""
	for line := range strings.Lines(text) {
		if n, ok := strings.CutPrefix(line, "-- "); ok {
			name = strings.TrimSuffix(strings.TrimSpace(n), " --")
			files[name] = ""
		} else if name != "" {
			files[name] += line
		}
	}
	return files
}

func put(t *testing.T, file, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(content), 0o666); err != nil {
		t.Fatal(err)
	}
}

// offline are options that see neither the network nor the user's settings.
func offline(t *testing.T, dir string) Options {
	return Options{
		Dir: dir, CacheDir: filepath.Join(t.TempDir(), "cache"),
		Env: []string{"GOFLAGS=", "GOENV=off", "GOWORK=off", "GOPROXY=off", "GOTOOLCHAIN=local"},
	}
}

// module is a small module with a benchmark.
const module = `
-- go.mod --
module example.com/m

go 1.24
-- m.go --
package m

import (
	_ "embed"

	"example.com/m/dep"
)

//go:embed data.txt
var data string

func F() int { return dep.F() + len(data) }
-- data.txt --
data
-- m_test.go --
package m

import "testing"

func BenchmarkF(b *testing.B) {
	for b.Loop() {
		F()
	}
}
-- x_test.go --
package m_test

import (
	"testing"

	"example.com/m"
)

func BenchmarkX(b *testing.B) {
	for b.Loop() {
		m.F()
	}
}
-- dep/dep.go --
package dep

func F() int { return 1 }
-- plain/plain.go --
package plain
-- tested/tested_test.go --
package tested

import "testing"

func Test(t *testing.T)          {}
func benchmark(b *testing.B)     {}
func Benchmarklower(b *testing.B) {}
`

// one resolves a single package that is as it should be.
func one(t *testing.T, opt Options, pattern string) Package {
	t.Helper()
	pkgs, err := Resolve(t.Context(), opt, []string{pattern})
	if err != nil {
		t.Fatal(err)
	}
	if len(pkgs) != 1 || pkgs[0].Error != nil {
		t.Fatalf("Resolve(%s) = %+v", pattern, pkgs)
	}
	t.Cleanup(func() { pkgs[0].Close() })
	return pkgs[0]
}

func mustBuild(t *testing.T, opt Options, p Package) Binary {
	t.Helper()
	b, err := Build(t.Context(), opt, p)
	if err != nil {
		var e *Error
		if errors.As(err, &e) {
			t.Log(e.Output)
		}
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close() })
	if sum, size, err := hashFile(b.Path); err != nil || sum != b.SHA256 || size != b.Size {
		t.Fatalf("%s: hash %s, size %d (%v), want %s, %d", b.Path, sum, size, err, b.SHA256, b.Size)
	}
	return b
}

// proxy makes a module proxy in a directory that serves the versions of one
// module, and returns options that know nothing else.
func proxy(t *testing.T, path string, versions map[string]string) Options {
	t.Helper()
	root := t.TempDir()
	dir := filepath.Join(root, filepath.FromSlash(path), "@v")
	var list strings.Builder
	for version, text := range versions {
		list.WriteString(version + "\n")
		files := split(text)
		put(t, filepath.Join(dir, version+".info"), `{"Version":"`+version+`","Time":"2024-01-01T00:00:00Z"}`)
		put(t, filepath.Join(dir, version+".mod"), files["go.mod"])
		f, err := os.Create(filepath.Join(dir, version+".zip"))
		if err != nil {
			t.Fatal(err)
		}
		z := zip.NewWriter(f)
		for name, content := range files {
			w, err := z.Create(path + "@" + version + "/" + name)
			if err == nil {
				_, err = w.Write([]byte(content))
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if err := errors.Join(z.Close(), f.Close()); err != nil {
			t.Fatal(err)
		}
	}
	put(t, filepath.Join(dir, "list"), list.String())
	opt := offline(t, t.TempDir())
	opt.Env = append(opt.Env, "GOPROXY=file://"+filepath.ToSlash(root), "GOSUMDB=off",
		"GOFLAGS=-modcacherw", "GOMODCACHE="+filepath.Join(t.TempDir(), "mod"))
	return opt
}
