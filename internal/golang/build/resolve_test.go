package build

import (
	"context"
	"errors"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestValidate(t *testing.T) {
	bad := Options{Env: []string{"A", "B=1"}, Flags: []string{"-race", "race", "-o=x", "-"}, Tags: "a b"}
	err := bad.Validate()
	if err == nil {
		t.Fatal("no error")
	}
	for _, want := range []string{`"A"`, `"race"`, `"-o=x"`, `"-"`, `"a b"`} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%v\ndoes not name %s", err, want)
		}
	}
	if n := strings.Count(err.Error(), "\n") + 1; n != 5 {
		t.Errorf("%d errors, want 5:\n%v", n, err)
	}
	if err := (Options{}).Validate(); err != nil {
		t.Errorf("zero value: %v", err)
	}
}

func TestResolve(t *testing.T) {
	dir := write(t, t.TempDir(), module)
	opt := offline(t, dir)
	pkgs, err := Resolve(t.Context(), opt, []string{"sort", "./...", ".", "./dep/", "example.com/m/plain"})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, p := range pkgs {
		if p.Error != nil {
			t.Errorf("%s: %v", p.ImportPath, p.Error)
		}
		got = append(got, p.Pattern+" "+p.ImportPath+" "+p.Skip)
	}
	want := []string{
		"sort sort ",
		"./... example.com/m ",
		"./... example.com/m/dep " + SkipNoTests,
		"./... example.com/m/plain " + SkipNoTests,
		"./... example.com/m/tested " + SkipNoBenchmarks,
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	m := pkgs[1]
	if m.Name != "m" || m.Dir != dir || !slices.Equal(m.GoFiles, []string{"m.go"}) ||
		!slices.Equal(m.TestFiles, []string{"m_test.go"}) || !slices.Equal(m.XTestFiles, []string{"x_test.go"}) {
		t.Errorf("package m is %+v", m)
	}
	if p := one(t, Options{Dir: filepath.Join(dir, "dep")}, "./"); p.ImportPath != "example.com/m/dep" {
		t.Errorf("./ in dep is %s", p.ImportPath)
	}
}

// TestResolveNone: without patterns it is the package here; outside of a
// module the standard library is there all the same.
func TestResolveElsewhere(t *testing.T) {
	opt := offline(t, write(t, t.TempDir(), module))
	if pkgs, err := Resolve(t.Context(), opt, nil); err != nil || len(pkgs) != 1 || pkgs[0].ImportPath != "example.com/m" {
		t.Errorf("Resolve() = %v, %v", pkgs, err)
	}
	if p := one(t, offline(t, t.TempDir()), "encoding/json"); p.Skip != "" {
		t.Errorf("encoding/json outside of a module: skip %q", p.Skip)
	}
}

func TestResolveTags(t *testing.T) {
	opt := offline(t, write(t, t.TempDir(), module))
	put(t, filepath.Join(opt.Dir, "plain", "p_test.go"), "//go:build slow\n\npackage plain\n\nimport \"testing\"\n\nfunc BenchmarkP(b *testing.B) {}\n")
	if p := one(t, opt, "./plain"); p.Skip != SkipNoTests {
		t.Errorf("without the tag: skip %q", p.Skip)
	}
	opt.Tags = "slow,other"
	if p := one(t, opt, "./plain"); p.Skip != "" {
		t.Errorf("with the tag: skip %q", p.Skip)
	}
}

func TestResolveErrors(t *testing.T) {
	inModule := write(t, t.TempDir(), module+`
-- empty/README --
-- nested/go.mod --
module example.com/nested
-- nested/n.go --
package nested
-- two/a.go --
package a
-- two/b.go --
package b
-- garbled/a.go --
pakage a
-- other/a.go --
//go:build plan10

package other
-- m.go --
package m
`)
	outside := t.TempDir()
	for _, c := range []struct{ dir, pattern, msg, hint string }{
		{inModule, "./nosuch", "no such directory", ""},
		{inModule, "./nosuch/...", "no such directory", ""},
		{inModule, "../nosuch", "no such directory", ""},
		{inModule, "./empty", "no Go files in this directory", "./empty/..."},
		{inModule, "nosuch", "no such package in the standard library", "./nosuch"},
		{inModule, "nosuch/...", "matches no packages", ""},
		{inModule, "example.org/a/b", "no required module provides", "example.org/a/b@latest"},
		{inModule, "./nested", "belongs to another module", "cd there"},
		{inModule, "./two", "found packages a (a.go) and b (b.go)", ""},
		{inModule, "./garbled", "garbled/a.go:1:1: expected 'package', found pakage", ""},
		{inModule, "./other", "build constraints exclude all", "build tags"},
		{inModule, "m.go", "a file, not a package", "give its directory: ."},
		{inModule, "-race", "a flag", ""},
		{inModule, "", "an empty package pattern", "."},
		{inModule, "sort@latest", "comes with Go", "sort without a version"},
		{inModule, "example.org/a@", "version after @ is missing", "example.org/a@latest"},
		{inModule, "nosuch@latest", "not the path of a module: missing dot", ""},
		{inModule, "example.org/a@v1.2.3", "cannot be looked up", "GOPROXY"},
		{outside, ".", "no go.mod in this directory or above", "path@version"},
		{outside, "./...", "no module in use here", "path@version"},
		{outside, "example.org/a/b", "no go.mod here selects", "example.org/a/b@latest"},
	} {
		name := filepath.Base(c.dir) + c.pattern
		pkgs, err := Resolve(t.Context(), offline(t, c.dir), []string{c.pattern, "sort"})
		if err != nil || len(pkgs) != 2 || pkgs[1].Error != nil {
			t.Errorf("%s: %+v, %v", name, pkgs, err)
			continue
		}
		var e *Error
		if !errors.As(pkgs[0].Error, &e) {
			t.Errorf("%s: error %v", name, pkgs[0].Error)
			continue
		}
		if c.pattern != "" && e.Input != c.pattern && e.Input != pkgs[0].ImportPath {
			t.Errorf("%s: the error is about %q", name, e.Input)
		}
		if !strings.Contains(e.Msg, c.msg) || !strings.Contains(e.Hint, c.hint) || c.hint == "" && e.Hint != "" {
			t.Errorf("%s: %q, hint %q\nwant %q, hint %q\n%s", name, e.Msg, e.Hint, c.msg, c.hint, e.Output)
		}
		if strings.Contains(e.Error(), "\n") {
			t.Errorf("%s: several lines: %q", name, e.Error())
		}
	}
}

func TestNoGo(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	_, err := Resolve(t.Context(), Options{}, []string{"sort"})
	var e *Error
	if !errors.Is(err, exec.ErrNotFound) || !errors.As(err, &e) || !strings.Contains(e.Hint, "PATH") {
		t.Errorf("error %v", err)
	}
}

func TestResolveWhole(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Resolve(ctx, Options{}, []string{"sort"}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if _, err := Resolve(t.Context(), Options{Dir: "/no/such/dir"}, []string{"sort"}); err == nil || !strings.Contains(err.Error(), "/no/such/dir: no such directory") {
		t.Errorf("no such directory: %v", err)
	}
	opt := offline(t, t.TempDir())
	opt.Env, opt.Toolchain = append(opt.Env, "GOTOOLCHAIN=auto"), "go1.99.1"
	pkgs, err := Resolve(t.Context(), opt, []string{"sort"})
	var e *Error
	if err != nil || len(pkgs) != 1 || !errors.As(pkgs[0].Error, &e) || e.Msg != "the Go toolchain go1.99.1 cannot be downloaded" {
		t.Errorf("toolchain: %+v, %v", pkgs, err)
	}
}

// TestTags: tags of the flags are added to those of the options, as the go command takes only the last list.
func TestTags(t *testing.T) {
	opt := Options{Flags: []string{"-tags=a,b", "-race"}, Tags: "c"}
	if got := opt.flags(nil); !slices.Equal(got, []string{"-race", "-tags=a,b,c"}) {
		t.Errorf("%q", got)
	}
	if err := (Options{Flags: []string{"-tags"}}).Validate(); err == nil || !strings.Contains(err.Error(), "-NAME=VALUE") {
		t.Errorf("%v", err)
	}
}
