package build

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/tarebench/tare/internal/golang/toolchain"
	"github.com/tarebench/tare/internal/testkit/testutil"
)

func deep(t *testing.T, dir string) Options {
	if !slices.Contains([]string{"linux", "darwin", "freebsd", "netbsd", "openbsd"}, runtime.GOOS) {
		t.Skip("no hooks on " + runtime.GOOS)
	}
	opt := offline(t, dir)
	opt.Deep = true
	return opt
}

// hooked reports whether a binary has hooks.
func hooked(t *testing.T, b Binary) bool {
	t.Helper()
	out, err := exec.Command("go", "tool", "nm", b.Path).Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.Contains(string(out), "testing.tareDone")
}

// TestDeep: binaries with hooks and without live side by side in the cache.
func TestDeep(t *testing.T) {
	opt := deep(t, write(t, t.TempDir(), module))
	p := one(t, opt, ".")
	with := mustBuild(t, opt, p)
	opt.Deep = false
	without := mustBuild(t, opt, p)
	if with.SHA256 == without.SHA256 || with.Cached || without.Cached || !hooked(t, with) || hooked(t, without) {
		t.Errorf("with hooks %v: %+v\nwithout %v: %+v", hooked(t, with), with, hooked(t, without), without)
	}
	opt.Deep = true
	if b := mustBuild(t, opt, p); !b.Cached || b.SHA256 != with.SHA256 {
		t.Errorf("again with hooks: %+v", b)
	}
	opt.Deep = false
	if b := mustBuild(t, opt, p); !b.Cached || b.SHA256 != without.SHA256 {
		t.Errorf("again without hooks: %+v", b)
	}
	// What the overlay's files are called is none of the binary's business.
	opt.Deep = true
	if err := os.RemoveAll(filepath.Join(opt.CacheDir, "overlay")); err != nil {
		t.Fatal(err)
	}
	if b := mustBuild(t, opt, p); !b.Cached {
		t.Errorf("after the overlay was gone: %+v", b)
	}
	opt.CacheDir = t.TempDir()
	if b := mustBuild(t, opt, p); b.SHA256 != with.SHA256 {
		t.Errorf("in another cache: %s, at first %s", b.SHA256, with.SHA256)
	}
}

// TestDeepOwnOverlay: a build that replaces files itself gets hooks besides.
func TestDeepOwnOverlay(t *testing.T) {
	testutil.NeedLong(t, "builds package testing twice")
	opt := deep(t, write(t, t.TempDir(), module+`
-- other/dep.go --
package dep

func F() int { println("replaced"); return 1 }
-- own.json --
{"Replace": {"dep/dep.go": "other/dep.go", "tested/tested_test.go": ""}}
`))
	p := one(t, opt, ".")
	check := func(what string, opt Options) {
		t.Helper()
		b := mustBuild(t, opt, p)
		out, err := exec.Command(b.Path, "-test.run=^$", "-test.bench=BenchmarkF", "-test.benchtime=1x").CombinedOutput()
		if err != nil || !strings.Contains(string(out), "replaced") || !hooked(t, b) {
			t.Errorf("%s: hooks %v, %v\n%s", what, hooked(t, b), err, out)
		}
	}
	flag := opt
	if testutil.Long() {
		flag.Flags = []string{"-overlay=own.json"}
		check("flag", flag)
	}
	flag.Flags = []string{"-overlay=nosuch.json", "--overlay=" + filepath.Join(opt.Dir, "own.json")}
	check("the last flag", flag)
	env := opt
	env.Env = append(slices.Clone(opt.Env), "GOFLAGS=-trimpath '-overlay=own.json'")
	check("GOFLAGS", env)

	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	theirs := filepath.Join(strings.TrimSpace(string(root)), "src", "testing", "benchmark.go")
	put(t, filepath.Join(opt.Dir, "bad.json"), `{"Replace": {"`+filepath.ToSlash(theirs)+`": "m.go"}}`)
	put(t, filepath.Join(opt.Dir, "nameless.json"), `{"Replace": {"": "m.go"}}`)
	put(t, filepath.Join(opt.Dir, "broken.json"), `{`)
	for _, c := range []struct {
		file, want string
		deep       bool
	}{
		{"bad.json", theirs, true},
		{"nameless.json", "without a name", false},
		{"broken.json", "not an overlay", false},
		{"nosuch.json", "cannot be read", false},
	} {
		flag.Flags = []string{"-overlay=" + c.file}
		_, err := Build(t.Context(), flag, p)
		if e := (*Error)(nil); !errors.As(err, &e) || errors.Is(err, ErrDeep) != c.deep || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.file, err)
		}
	}
}

func TestDeepRefusals(t *testing.T) {
	opt := deep(t, write(t, t.TempDir(), module))
	p := one(t, opt, ".")
	refused := func(what string, opt Options, words ...string) {
		t.Helper()
		_, err := Build(t.Context(), opt, p)
		var e *Error
		if !errors.As(err, &e) || !errors.Is(err, ErrDeep) || e.Input != p.ImportPath || e.Hint == "" || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", what, err)
			return
		}
		for _, w := range words {
			if !strings.Contains(err.Error(), w) {
				t.Errorf("%s: %v, want %q", what, err, w)
			}
		}
	}
	broken := opt
	broken.Parts = []toolchain.Part{{Name: "Broken", Source: "package testing\n\nvar tareBroken = tarePart{nosuch: nil}\n"}}
	refused("a part that does not compile", broken, "package testing does not compile", "nosuch")

	other := opt
	other.Env = append(slices.Clone(opt.Env), "GOOS=windows")
	refused("another system", other, "windows")

	old := opt
	old.Env = append(slices.Clone(opt.Env), "GOTOOLCHAIN=auto", "GOPROXY=")
	old.Toolchain = "go1.24.0"
	cmd := exec.Command("go", "version")
	cmd.Env = append(os.Environ(), "GOTOOLCHAIN="+old.Toolchain)
	if out, err := cmd.CombinedOutput(); err == nil {
		refused("another b.Loop", old, "go1.24.0", "testing/benchmark.go", "launch")
	} else {
		t.Logf("no %s here: %s", old.Toolchain, out)
	}

	opt.Deep, opt.Parts = false, broken.Parts
	if _, err := Build(t.Context(), opt, p); err == nil || !strings.Contains(err.Error(), "parts") {
		t.Errorf("parts without hooks: %v", err)
	}

	opt.Deep, opt.Parts = true, nil
	put(t, filepath.Join(opt.Dir, "broken_test.go"), "package m\n\nvar x = nosuch\n")
	_, err := Build(t.Context(), opt, one(t, opt, "."))
	if !errors.Is(err, ErrCompile) || errors.Is(err, ErrDeep) {
		t.Errorf("a package that does not compile itself: %v", err)
	}
}
