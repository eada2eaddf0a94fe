package instrument

import (
	"cmp"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/tarebench/tare/internal/binary/objfile"
	"github.com/tarebench/tare/internal/golang/toolchain"
	"github.com/tarebench/tare/internal/testkit/testutil"
	"github.com/tarebench/tare/record"
)

func TestMain(m *testing.M) {
	os.Setenv("GOFLAGS", testutil.GoFlags())
	os.Exit(m.Run())
}

// project writes files (name, text, name, text, …) into a new module.
func project(t testing.TB, files ...string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	files = append([]string{"go.mod", "module example.org/p\n\ngo 1.26\n"}, files...)
	for i := 0; i < len(files); i += 2 {
		path := filepath.Join(dir, files[i])
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(files[i+1]), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// plan instruments, and fails the test if that does not work.
func plan(t testing.TB, cfg Config) *Build {
	t.Helper()
	cfg.Work = t.TempDir()
	w, err := Plan(context.Background(), cfg)
	if errors.Is(err, toolchain.ErrUnsupported) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// build makes the program, or with Config.Tests the binary of the tests.
func build(t testing.TB, w *Build) (program string) {
	t.Helper()
	program = filepath.Join(t.TempDir(), "program")
	args := []string{"build", "-o", program}
	if w.cfg.Tests {
		args = []string{"test", "-c", "-o", program}
	}
	cmd := exec.Command(cmp.Or(w.cfg.Go, "go"), append(append(append(args, w.cfg.Flags...), w.Flags...), w.cfg.patterns()...)...)
	env := w.cfg.Env
	if env == nil {
		env = os.Environ()
	}
	cmd.Dir, cmd.Env = w.cfg.Dir, append(env[:len(env):len(env)], w.Env...)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", cmd.Args, err, out)
	}
	if err := w.Check(program); err != nil && !errors.Is(err, objfile.ErrNotExecutable) { // of packages
		t.Fatal(err)
	}
	return program
}

// run runs a program and returns what it counted and printed.
func run(t testing.TB, w *Build, program string, cfg ArenaConfig, args ...string) (*record.Trace, string) {
	t.Helper()
	if cfg.Size == 0 {
		cfg.Size = 8 << 20
	}
	a, err := w.NewArena(cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	cmd := exec.Command(program, args...)
	cmd.Env = append(os.Environ(), a.Env())
	out, runErr := cmd.CombinedOutput()
	tr, err := Read(a.Path, w)
	if err != nil {
		t.Fatalf("%v (%v: %s)", err, runErr, out)
	}
	return tr, string(out)
}

// fn finds a function by its name.
func fn(t testing.TB, tr *record.Trace, name string) *record.TraceFunc {
	t.Helper()
	var names []string
	for i := range tr.Funcs {
		if tr.Funcs[i].Name == name {
			return &tr.Funcs[i]
		}
		names = append(names, tr.Funcs[i].Name)
	}
	t.Fatalf("no function %s: %s", name, strings.Join(names, " "))
	return nil
}

// tree writes the tree of calls: a{b{c} d^2}, with the number of calls behind each
// name if it is not 1.
func tree(tr *record.Trace) string {
	kids := make(map[int][]int)
	for i, c := range tr.Tree {
		kids[c.Parent] = append(kids[c.Parent], i)
	}
	var text func(parent int) string
	text = func(parent int) string {
		var out []string
		for _, i := range kids[parent] {
			c := tr.Tree[i]
			s := strings.TrimPrefix(tr.Funcs[c.Func].Name, "main.")
			if c.Back > 0 {
				s += "^" + strconv.Itoa(c.Back)
			}
			if c.Calls != 1 {
				s += ":" + strconv.Itoa(int(c.Calls))
			}
			if below := text(i); below != "" {
				s += "{" + below + "}"
			}
			out = append(out, s)
		}
		return strings.Join(out, " ")
	}
	return text(-1)
}

// runIn runs the program with an arena of the test's own.
func runIn(t testing.TB, p *instrumented, a *Arena, args ...string) {
	t.Helper()
	cmd := exec.Command(p.program, args...)
	cmd.Env = append(os.Environ(), a.Env())
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}
