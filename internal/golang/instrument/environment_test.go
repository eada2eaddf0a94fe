package instrument

import (
	"archive/zip"
	"context"
	"errors"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tarebench/tare/internal/testkit/testutil"
)

// proxy writes a directory that serves a module as GOPROXY, in versions that hold the same
// files but for $VERSION in them. It has no go.mod, as modules of old do not.
func proxy(t testing.TB, module string, versions []string, files map[string]string) (env []string) {
	t.Helper()
	root := t.TempDir()
	escaped := ""
	for _, r := range module {
		if r >= 'A' && r <= 'Z' {
			escaped += "!"
		}
		escaped += strings.ToLower(string(r))
	}
	dir := filepath.Join(root, escaped, "@v")
	if err := os.MkdirAll(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, v := range versions {
		packed := new(strings.Builder)
		z := zip.NewWriter(packed)
		for _, name := range slices.Sorted(maps.Keys(files)) {
			w, err := z.Create(module + "@" + v + "/" + name)
			if err != nil {
				t.Fatal(err)
			}
			w.Write([]byte(strings.ReplaceAll(files[name], "$VERSION", v)))
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		write(v+".zip", packed.String())
		write(v+".mod", "module "+module+"\n")
		write(v+".info", `{"Version":"`+v+`","Time":"2020-01-01T00:00:00Z"}`)
	}
	write("list", strings.Join(versions, "\n")+"\n")
	return []string{"GOPROXY=file://" + filepath.ToSlash(root), "GOSUMDB=off", "GOMODCACHE=" + filepath.Join(t.TempDir(), "mod")}
}

// TestEnvironment: Plan finds the same sources as go if settings come from the
// environment. Here GOFLAGS names another go.mod and an overlay. The dependency has no
// go.mod, begins with a byte order mark, and declares the name that probes would have.
// A directory that does not belong to the build has no valid package.
func TestEnvironment(t *testing.T) {
	env := proxy(t, "example.com/Old", []string{"v1.0.0", "v1.1.0"}, map[string]string{
		"old.go":   "\ufeffpackage old\n\nfunc Version() string { return \"$VERSION\" }\n",
		"other.go": "package old\n\nvar tareruntime = 1\n",
	})
	const mod = "module example.org/p\n\ngo 1.24\n\nrequire example.com/Old "
	dir := project(t, "main.go", "package main\n\nimport old \"example.com/Old\"\n\nfunc main() { println(old.Version(), hello()) }\n",
		"hello.go", "package main\n\nfunc hello() string { return \"disk\" }\n",
		"hello.txt", "package main\n\nfunc hello() string { return added() }\n",
		"added.txt", "package main\n\nfunc added() string { return \"overlay\" }\n",
		"go.mod", mod+"v1.1.0\n", "alt/go.mod", mod+"v1.0.0\n",
		"two/a.go", "package a\n", "two/b.go", "package b\n",
		"own.json", `{"Replace": {"hello.go": "hello.txt", "added.go": "added.txt", "gone.go": ""}}`,
		"gone.go", "package main\n\nfunc hello() {}\n")
	env = append(os.Environ(), append(env, "GOWORK=off", "GOFLAGS=-modfile=alt/go.mod -overlay=own.json -mod=mod -modcacherw -trimpath")...)
	w := plan(t, Config{Dir: dir, Env: env, Match: []string{"./...", "Old.*"}})
	if got := names(w.Funcs); got != "example.com/Old.Version main.added main.hello main.main" {
		t.Fatalf("instrumented are %s", got)
	}
	tr, out := run(t, w, build(t, w), ArenaConfig{})
	if got := tree(tr); got != "main{example.com/Old.Version hello{added}}" || out != "v1.0.0 overlay\n" {
		t.Errorf("tree %s, printed %q", got, out)
	}
	if can, err := w.Inlinable(t.Context()); err != nil || names(can) != "example.com/Old.Version main.added main.hello main.main" {
		t.Errorf("inlinable are %s, %v", names(can), err)
	}
	for _, name := range []string{"go.mod", "alt/go.mod"} {
		if text := readFile(t, filepath.Join(dir, name)); strings.Contains(text, "replace") {
			t.Errorf("%s has become %s", name, text)
		}
	}
}

// TestFrozen: packages that go takes from the frozen module of GOFIPS140.
func TestFrozen(t *testing.T) {
	if _, err := os.Stat(filepath.Join(goroot(t), "lib", "fips140", "v1.0.0.zip")); err != nil {
		t.Skip(err)
	}
	cfg := Config{Dir: project(t), Packages: []string{"crypto/sha256"}, Env: append(os.Environ(), "GOFIPS140=v1.0.0"),
		Match: []string{"crypto/internal/fips140/..."}, Work: t.TempDir()}
	_, err := Plan(context.Background(), cfg)
	if err == nil || !strings.Contains(err.Error(), "frozen module") || strings.Contains(err.Error(), "\n") {
		t.Errorf("%v", err)
	}
}

// TestCheck: a program that was built from other sources than those with probes.
func TestCheck(t *testing.T) {
	testutil.NeedLong(t, "builds a dozen programs")
	dir := project(t, "main.go", "package main\n\nfunc main() { f(); small() }\n\nfunc f() { println() }\n\nfunc small() { println() }\n\nfunc unused() {}\n", "m_test.go", "package main\n")
	without := func(flag string) string {
		path := filepath.Join(t.TempDir(), "plain")
		cmd := exec.Command("go", "build", "-o", path, flag)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		return path
	}
	plain, stripped := without("-ldflags="), without("-ldflags=-s -w")
	for _, count := range []bool{false, true} {
		w := plan(t, Config{Dir: dir, Match: []string{"main.*"}, CountOnly: count})
		build(t, w) // which checks
		// The runtime of this one has probes, which calibrate themselves.
		o := strings.TrimPrefix(w.Flags[0], "-overlay=")
		text := strings.ReplaceAll(readFile(t, o), filepath.Join(dir, "main.go"), filepath.Join(dir, "none", "main.go"))
		if err := os.WriteFile(o, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		for _, path := range []string{plain, stripped, without(w.Flags[0])} {
			if err := w.Check(path); !errors.Is(err, ErrNoProbes) || strings.Contains(err.Error(), "\n") {
				t.Errorf("counts alone %v, %s: %v", count, path, err)
			}
		}
	}
	inlined := plan(t, Config{Dir: dir, Match: []string{"main.small"}})
	if err := inlined.Check(plain); !errors.Is(err, ErrNoProbes) {
		t.Errorf("a function that is inlined: %v", err)
	}
	none := plan(t, Config{Dir: dir, Match: []string{"main.unused"}})
	if err := none.Check(plain); err != nil {
		t.Errorf("what is not linked is missed: %v", err)
	}
	if testutil.Long() {
		build(t, plan(t, Config{Dir: dir, Match: []string{"main.main"}, Tests: true}))
	}
	tests := &Build{cfg: Config{Tests: true}, Funcs: []Func{{pkg: &goPackage{ImportPath: "example.org/p", Name: "main"}, short: "main"}}}
	if got := tests.symbols(); got["main.main"] || !got["example.org/p.main"] {
		t.Errorf("package main of a test binary is another one: %v", got)
	}
	if err := none.Check(filepath.Join(dir, "main.go")); err == nil || errors.Is(err, ErrNoProbes) {
		t.Errorf("no program: %v", err)
	}
}

// TestCalls finds calls in machine code.
func TestCalls(t *testing.T) {
	for _, c := range []struct {
		arch       string
		code       []byte
		to         uint64
		found, far bool
	}{
		{"amd64", []byte{0x90, 0xe8, 0x10, 0, 0, 0}, 0x1016, true, false},
		{"amd64", []byte{0x90, 0xe8, 0xf0, 0xff, 0xff, 0xff}, 0xff6, true, false},
		{"amd64", []byte{0x90, 0xe9, 0x10, 0, 0, 0}, 0x1016, false, false},
		{"amd64", []byte{0xe8, 0x10, 0, 0}, 0x1014, false, false},
		{"arm64", []byte{0x1f, 0x20, 0x03, 0xd5, 0x03, 0, 0, 0x94}, 0x1010, true, false},
		{"arm64", []byte{0xff, 0xff, 0xff, 0x97}, 0xffc, true, false},
		{"arm64", []byte{0x03, 0, 0, 0x14}, 0x100c, false, false},
		{"arm64", []byte{0x03, 0, 0, 0x14}, 1 << 28, false, true},
	} {
		x := calls{c.arch, []uint64{7, c.to}}
		if found, far := x.in(c.code, 0x1000); found != c.found || far != c.far {
			t.Errorf("%s %x: %v, %v", c.arch, c.code, found, far)
		}
	}
}
