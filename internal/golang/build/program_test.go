package build

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// printing returns a main package that prints what a package's F returns.
func printing(pkg string) map[string]string {
	return map[string]string{
		"main.go": "package main\n\nimport user \"" + pkg + "\"\n\nfunc main() { println(user.F(), more) }\n",
		"more.go": "package main\n\nconst more = \"and more\"\n",
	}
}

func programOutput(t *testing.T, opt Options, p Package) string {
	t.Helper()
	b, err := Program(t.Context(), opt, p, printing(p.ImportPath))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close() })
	out, err := exec.Command(b.Path).CombinedOutput()
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// TestProgram: a program of an internal package, without a trace in the user's directory, from the cache the second time,
// and with what the build's own overlay replaces.
func TestProgram(t *testing.T) {
	const inner = "-- go.mod --\nmodule example.com/m\n\ngo 1.24\n-- a/internal/b/b.go --\npackage b\n\nfunc F() string { return \"one\" }\n"
	dir := write(t, t.TempDir(), inner)
	opt := offline(t, dir)
	p := one(t, opt, "./a/internal/b")
	if out := programOutput(t, opt, p); out != "one and more\n" {
		t.Errorf("it prints %q", out)
	}
	if b, err := Program(t.Context(), opt, p, printing(p.ImportPath)); err != nil || !b.Cached {
		t.Errorf("the second time: %+v, %v", b, err)
	}
	if files, err := os.ReadDir(filepath.Join(dir, "a/internal/b")); err != nil || len(files) != 1 {
		t.Errorf("in the package: %v, %v", files, err)
	}

	put(t, filepath.Join(dir, "two.txt"), "package b\n\nfunc F() string { return \"two\" }\n")
	put(t, filepath.Join(dir, "own.json"), `{"Replace": {"a/internal/b/b.go": "two.txt"}}`)
	opt.Flags = []string{"-overlay=own.json"}
	if out := programOutput(t, opt, p); out != "two and more\n" {
		t.Errorf("with another overlay it prints %q", out)
	}
}

// TestProgramOfDependency: the package of another module, in a scratch module, where go replaces none of its files.
func TestProgramOfDependency(t *testing.T) {
	opt := proxy(t, "example.org/lib", map[string]string{
		"v1.0.0": "-- go.mod --\nmodule example.org/lib\n\ngo 1.24\n-- lib.go --\npackage lib\n\nfunc F() string { return \"lib\" }\n",
	})
	if out := programOutput(t, opt, one(t, opt, "example.org/lib@v1.0.0")); out != "lib and more\n" {
		t.Errorf("it prints %q", out)
	}
}

func TestProgramFails(t *testing.T) {
	dir := write(t, t.TempDir(), "-- go.mod --\nmodule example.com/m\n\ngo 1.24\n-- m.go --\npackage m\n\nfunc G() {}\n")
	opt := offline(t, dir)
	p := one(t, opt, ".")
	_, err := Program(t.Context(), opt, p, printing(p.ImportPath))
	if e := (*Error)(nil); !errors.As(err, &e) || !errors.Is(err, ErrCompile) || !strings.Contains(e.Output, "main.go:5:28: undefined: user.F") {
		t.Errorf("what is not there: %v", err)
	}
	put(t, filepath.Join(dir, programDir, "x.go"), "package x\n")
	if _, err := Program(t.Context(), opt, p, printing(p.ImportPath)); err == nil || !strings.Contains(err.Error(), "a directory of this name") {
		t.Errorf("a directory of the same name: %v", err)
	}
}
