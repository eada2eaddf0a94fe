package build

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tarebench/tare/internal/testkit/testutil"
)

// versions of a module that has no package at its root.
func versions() map[string]string {
	const text = `
-- go.mod --
module example.org/lib

go 1.22
-- a/a.go --
package a

const V = %q
-- a/a_test.go --
package a

import "testing"

func BenchmarkA(b *testing.B) {}
-- b/b.go --
package b
`
	return map[string]string{
		"v1.0.0": fmt.Sprintf(text, "1.0.0"),
		"v1.1.0": fmt.Sprintf(text, "1.1.0"),
	}
}

func TestVersion(t *testing.T) {
	opt := proxy(t, "example.org/lib", versions())
	for _, c := range []struct{ pattern, version string }{
		{"example.org/lib/a@v1.0.0", "v1.0.0"},
		{"example.org/lib/a@latest", "v1.1.0"},
		{"example.org/lib/a@v1", "v1.1.0"},
		{"example.org/lib/a@<v1.1.0", "v1.0.0"},
	} {
		p := one(t, opt, c.pattern)
		if p.ImportPath != "example.org/lib/a" || p.Version != c.version || p.Skip != "" || p.Pattern != c.pattern {
			t.Errorf("%s: %+v", c.pattern, p)
		}
	}
	pkgs, err := Resolve(t.Context(), opt, []string{"example.org/lib/...@v1.0.0", "sort", "example.org/lib/a@v1.0.0"})
	if err != nil || len(pkgs) != 3 || pkgs[1].ImportPath != "example.org/lib/b" || pkgs[2].ImportPath != "sort" {
		t.Errorf("%+v, %v", pkgs, err)
	}

	p := one(t, opt, "example.org/lib/a@v1.0.0")
	b := mustBuild(t, opt, p)
	if b.Version != "v1.0.0" || b.Dir != p.Dir || !strings.Contains(filepath.Base(b.Path), "a-") {
		t.Errorf("binary %+v", b)
	}
	if mod, err := os.ReadFile(filepath.Join(p.at.dir, "go.mod")); err != nil || !strings.Contains(string(mod), "\ngo 1.22\n") {
		t.Errorf("the scratch module has not the go version of the module it serves: %s %v", mod, err)
	}

	// What was there once needs no proxy any more, if the version is exact.
	opt.Env = append(opt.Env, "GOPROXY=off")
	one(t, opt, "example.org/lib/a@v1.0.0")
	if pkgs, err := Resolve(t.Context(), opt, []string{"example.org/lib/a@latest"}); err != nil || pkgs[0].Error == nil {
		t.Errorf("latest without a proxy: %+v, %v", pkgs, err)
	}
}

// TestVersionFlags: the flags of the user's module are not the scratch
// module's.
func TestVersionFlags(t *testing.T) {
	testutil.NeedLong(t, "TestVersion builds in the same way")
	opt := proxy(t, "example.org/lib", versions())
	opt.Env = append(opt.Env, "GOFLAGS=-modcacherw -mod=vendor", "GOWORK=")
	write(t, opt.Dir, module)
	p := one(t, opt, "example.org/lib/a@v1.0.0")
	mustBuild(t, opt, p)
}

func TestVersionErrors(t *testing.T) {
	opt := proxy(t, "example.org/lib", versions())
	for _, c := range []struct{ pattern, msg, hint string }{
		{"example.org/lib/a@v1.9.0", "the module has no version v1.9.0", "go list -m -versions"},
		{"example.org/lib/a@v7", "the module has no version v7", "go list -m -versions"},
		{"example.org/lib/nosuch@v1.0.0", "the module example.org/lib has no such package", "example.org/lib/...@v1.0.0"},
		{"example.org/lib@latest", "has no such package", "example.org/lib/...@latest selects"},
		{"example.org/nosuch@latest", "no such module", "check the path"},
	} {
		pkgs, err := Resolve(t.Context(), opt, []string{c.pattern})
		var e *Error
		if err != nil || len(pkgs) != 1 || !errors.As(pkgs[0].Error, &e) {
			t.Errorf("%s: %+v, %v", c.pattern, pkgs, err)
			continue
		}
		if e.Input != c.pattern || !strings.Contains(e.Msg, c.msg) || !strings.Contains(e.Hint, c.hint) {
			t.Errorf("%s: %v, hint %q\nwant %q, hint %q\n%s", c.pattern, e, e.Hint, c.msg, c.hint, e.Output)
		}
	}
}

func TestVersionTemporary(t *testing.T) {
	testutil.NeedLong(t, "TestVersion builds in the same way")
	opt := proxy(t, "example.org/lib", versions())
	put(t, opt.CacheDir, "a file where the cache should be")
	p := one(t, opt, "example.org/lib/a@v1.0.0")
	b := mustBuild(t, opt, p)
	if b.Uncached == nil {
		t.Error("no word of the cache that cannot be used")
	}
	if p.temp == nil || b.temp == nil {
		t.Fatalf("temporary directories %v, %v", p.temp, b.temp)
	}
	if err := errors.Join(b.Close(), p.Close(), b.Close(), p.Close()); err != nil {
		t.Error(err)
	}
	for _, dir := range []string{p.temp.Path, b.temp.Path} {
		if _, err := os.Stat(dir); err == nil {
			t.Errorf("%s is still there", dir)
		}
	}
}

// TestPublished takes real modules from the module proxy.
func TestPublished(t *testing.T) {
	testutil.NeedLong(t, "needs the module proxy")
	if out, err := exec.Command("go", "list", "-m", "github.com/puzpuzpuz/xsync/v4@v4.5.0").CombinedOutput(); err != nil {
		t.Skipf("the module proxy is out of reach: %s", out)
	}
	opt := Options{Dir: t.TempDir(), CacheDir: t.TempDir()}
	for _, c := range []struct {
		pattern              string
		benchmarks, parallel int
	}{
		// The numbers of parallel ones are those of a run with a testing
		// package that tells when RunParallel is called.
		{"github.com/puzpuzpuz/xsync/v4@v4.5.0", 31, 19},
		{"github.com/dgraph-io/ristretto/v2@v2.4.2", 5, 3},
		{"github.com/dgraph-io/ristretto/v2/z@v2.4.2", 22, 6},
	} {
		p := one(t, opt, c.pattern)
		s, err := Scan(p)
		if err != nil {
			t.Errorf("%s: %v", c.pattern, err)
		}
		parallel := 0
		for _, name := range s.Benchmarks() {
			if s.Parallel(name) {
				parallel++
			}
		}
		if len(s.Benchmarks()) != c.benchmarks || parallel != c.parallel {
			t.Errorf("%s: %d benchmarks, %d parallel, want %d, %d", c.pattern, len(s.Benchmarks()), parallel, c.benchmarks, c.parallel)
		}
	}
}
