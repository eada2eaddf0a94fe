package build

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/tarebench/tare/internal/testkit/testutil"
)

// TestBuildRuns builds and runs a package, with what a binary says of itself.
func TestBuildRuns(t *testing.T) {
	opt := offline(t, write(t, t.TempDir(), module))
	p := one(t, opt, ".")
	b := mustBuild(t, opt, p)
	cmd := exec.Command(b.Path, "-test.run=^$", "-test.bench=.", "-test.benchtime=1x")
	cmd.Dir = b.Dir
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "BenchmarkF") || !strings.Contains(string(out), "BenchmarkX") {
		t.Errorf("%s %v", out, err)
	}
	id, err := exec.Command("go", "tool", "buildid", b.Path).Output()
	if err != nil || strings.TrimSpace(string(id)) != b.BuildID || b.BuildID == "" {
		t.Errorf("build ID %q, go tool buildid says %q (%v)", b.BuildID, id, err)
	}
	version, err := exec.Command("go", "env", "GOVERSION").Output()
	if err != nil || strings.TrimSpace(string(version)) != b.Go {
		t.Errorf("Go %q, go env says %q (%v)", b.Go, version, err)
	}
	if b.Pkg != "example.com/m" || b.Dir != opt.Dir || b.Cached || b.Uncached != nil || b.Took <= 0 {
		t.Errorf("%+v", b)
	}
	if symbols, err := exec.Command("go", "tool", "nm", b.Path).Output(); err != nil || !strings.Contains(string(symbols), "example.com/m.BenchmarkF") {
		t.Errorf("no symbol of the benchmark (%v)", err)
	}
}

// TestBuildCache: what is unchanged is used again, and every change is seen.
func TestBuildCache(t *testing.T) {
	testutil.NeedLong(t, "builds a program for each setting")
	opt := offline(t, write(t, t.TempDir(), module))
	p := one(t, opt, ".")
	first := mustBuild(t, opt, p)
	if again := mustBuild(t, opt, p); !again.Cached || again.SHA256 != first.SHA256 || again.Path != first.Path {
		t.Errorf("nothing changed: %+v after %+v", again, first)
	}

	seen := map[string]string{first.SHA256: "nothing"}
	check := func(what string, opt Options, p Package) {
		t.Helper()
		b := mustBuild(t, opt, p)
		if b.Cached {
			t.Errorf("%s: the old binary was taken", what)
		}
		if old, ok := seen[b.SHA256]; ok {
			t.Errorf("%s: the same binary as after %s", what, old)
		}
		seen[b.SHA256] = what
		if b := mustBuild(t, opt, p); !b.Cached {
			t.Errorf("%s: not taken from the cache the second time", what)
		}
	}
	for _, c := range []struct{ what, file, old, new string }{
		{"source", "m.go", "return dep", "return 2 + dep"},
		{"embedded file", "data.txt", "data", "other data"},
		{"dependency", "dep/dep.go", "return 1", "return 3"},
		{"internal test", "m_test.go", "F()\n", "F()\n\t\tF()\n"},
		{"external test", "x_test.go", "m.F()\n", "m.F()\n\t\tm.F()\n"},
	} {
		if c.what == "internal test" && !testutil.Long() {
			continue
		}
		file := filepath.Join(opt.Dir, c.file)
		src, err := os.ReadFile(file)
		if err != nil || !strings.Contains(string(src), c.old) {
			t.Fatalf("%s: no %q in %s (%v)", c.what, c.old, src, err)
		}
		put(t, file, strings.Replace(string(src), c.old, c.new, 1))
		check(c.what, opt, p)
		put(t, file, string(src))
	}
	if b := mustBuild(t, opt, p); b.SHA256 != first.SHA256 || b.Path != first.Path {
		t.Errorf("all changes undone: %+v, at first %+v", b, first)
	}

	put(t, filepath.Join(opt.Dir, "tagged.go"), "//go:build extra\n\npackage m\n\nfunc init() { println(1) }\n")
	for _, c := range []struct {
		what   string
		change func(*Options)
	}{
		{"tags and linker flags", func(o *Options) { o.Tags, o.Flags = "extra", []string{"-ldflags=-w"} }},
		{"tags", func(o *Options) { o.Tags = "extra" }},
		{"compiler flags", func(o *Options) { o.Flags = []string{"-gcflags=-N"} }},
		{"GOFLAGS", func(o *Options) { o.Env = append(o.Env, "GOFLAGS=-gcflags=-l") }},
	} {
		if (c.what == "tags" || c.what == "compiler flags") && !testutil.Long() {
			continue
		}
		changed := opt
		changed.Env = append([]string(nil), opt.Env...)
		c.change(&changed)
		check(c.what, changed, p)
	}

	// The C compiler's flags are the one thing that go does not ask about.
	env := append(opt.Env, "CGO_LDFLAGS=-O1")
	if b := mustBuild(t, Options{Dir: opt.Dir, CacheDir: opt.CacheDir, Env: env}, p); b.Cached {
		t.Error("CGO_LDFLAGS: the old binary was taken")
	}
}

// TestBuildMoved: the same sources in another directory give the same binary. They are
// not built again if Options has the same revision.
func TestBuildMoved(t *testing.T) {
	testutil.NeedLong(t, "builds a program twice")
	opt := offline(t, write(t, t.TempDir(), module))
	opt.Revision = "0123abcd"
	a := mustBuild(t, opt, one(t, opt, "."))
	opt.Dir = write(t, t.TempDir(), module)
	b := mustBuild(t, opt, one(t, opt, "."))
	if a.SHA256 != b.SHA256 || a.Path != b.Path || a.Dir == b.Dir || !b.Cached {
		t.Errorf("%+v\n%+v", a, b)
	}
	put(t, filepath.Join(opt.Dir, "data.txt"), "other data")
	if c := mustBuild(t, opt, one(t, opt, ".")); c.Cached || c.SHA256 == a.SHA256 {
		t.Errorf("a revision that is not what it says: %+v", c)
	}
	opt.Revision, opt.Dir = "", write(t, t.TempDir(), module)
	if c := mustBuild(t, opt, one(t, opt, ".")); c.Cached || c.Path != a.Path {
		t.Errorf("without a revision: %+v", c)
	}
}

func TestBuildErrors(t *testing.T) {
	dir := write(t, t.TempDir(), module+`
-- broken/a.go --
package broken

func F() int { return "x" }

var a, b int = "y", nothing
-- broken/a_test.go --
package broken
-- brokentest/a_test.go --
package brokentest

func f() {
	undefined()
}
-- missing/a_test.go --
package missing

import "example.org/a/b"
-- nostd/a_test.go --
package nostd

import "nosuch/x"
-- needs/a_test.go --
package needs

import "example.com/m/broken"
-- vetted/a_test.go --
package vetted

import "testing"

func BenchmarkF(b *testing.B) { b.Logf("%d", "vet would refuse this") }
`)
	opt := offline(t, dir)
	for _, c := range []struct {
		pkg, msg, hint string
		more           int
	}{
		{"broken", `broken/a.go:3:23: cannot use "x"`, "", 2},
		{"brokentest", "brokentest/a_test.go:4:2: undefined: undefined", "", 0},
		{"missing", "missing/a_test.go:3:8: no required module provides package example.org/a/b", "go get example.org/a/b", 0},
		{"nostd", "nostd/a_test.go:3:8: package nosuch/x is not in std", "full path", 0},
		{"needs", `broken/a.go:3:23: cannot use "x"`, "", 2},
	} {
		_, err := Build(t.Context(), opt, one(t, opt, "./"+c.pkg))
		var e *Error
		if !errors.As(err, &e) || !errors.Is(err, ErrCompile) {
			t.Errorf("%s: %v", c.pkg, err)
			continue
		}
		if e.Input != "example.com/m/"+c.pkg || !strings.HasPrefix(e.Msg, c.msg) || e.More != c.more ||
			!strings.Contains(e.Hint, c.hint) || !strings.Contains(e.Output, e.Msg) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %+v", c.pkg, e)
		}
	}
	mustBuild(t, opt, one(t, opt, "./vetted"))

	if _, err := Build(t.Context(), opt, one(t, opt, "./plain")); !errors.Is(err, ErrNoTests) {
		t.Errorf("no tests: %v", err)
	}
	tested := one(t, opt, "./tested")
	if err := os.Remove(filepath.Join(dir, "tested", "tested_test.go")); err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(dir, "tested", "t.go"), "package tested\n")
	if _, err := Build(t.Context(), opt, tested); !errors.Is(err, ErrNoTests) {
		t.Errorf("tests that were removed: %v", err)
	}
	if _, err := Build(t.Context(), opt, errorPackage("x", errors.New("was not found"))); err == nil || err.Error() != "was not found" {
		t.Errorf("a package that is an error: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Build(ctx, opt, one(t, opt, ".")); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if left, err := os.ReadDir(filepath.Join(opt.CacheDir, "tmp")); err != nil || len(left) > 0 {
		t.Errorf("left in tmp: %v %v", left, err)
	}
}

// TestBuildAtOnce builds the same and other packages at the same time.
func TestBuildAtOnce(t *testing.T) {
	testutil.NeedLong(t, "builds a program several times")
	opt := offline(t, write(t, t.TempDir(), module))
	pkgs := []Package{one(t, opt, "."), one(t, opt, "."), one(t, opt, "./tested")}
	for range 2 {
		bins := make([]Binary, len(pkgs))
		var wg sync.WaitGroup
		for i, p := range pkgs {
			wg.Go(func() {
				var err error
				if bins[i], err = Build(t.Context(), opt, p); err != nil {
					t.Error(err)
					return
				}
				cmd := exec.Command(bins[i].Path, "-test.list=Nothing")
				cmd.Dir = bins[i].Dir
				if out, err := cmd.CombinedOutput(); err != nil {
					t.Errorf("%s: %v %s", bins[i].Path, err, out)
				}
			})
		}
		wg.Wait()
		if bins[0].SHA256 != bins[1].SHA256 || bins[0].Path != bins[1].Path {
			t.Errorf("%+v\n%+v", bins[0], bins[1])
		}
	}
}

func TestBuildCgo(t *testing.T) {
	testutil.NeedLong(t, "needs a C compiler")
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Skip("needs gcc and a while")
	}
	opt := offline(t, write(t, t.TempDir(), `
-- go.mod --
module example.com/c

go 1.24
-- c.go --
package c

// static int one(void) { return 1; }
import "C"

func One() int { return int(C.one()) }
-- c_test.go --
package c

import "testing"

func BenchmarkOne(b *testing.B) {
	for b.Loop() {
		One()
	}
}
`))
	opt.Env = append(opt.Env, "CGO_ENABLED=1")
	p := one(t, opt, ".")
	mustBuild(t, opt, p)
	if b := mustBuild(t, opt, p); !b.Cached {
		t.Error("not taken from the cache the second time")
	}
	s, err := Scan(p)
	if err != nil || len(s.Benchmarks()) != 1 {
		t.Errorf("scan: %v %v", s, err)
	}
}
