package instrument

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/tarebench/tare/internal/golang/toolchain"
)

// TestVersions counts in a program that another Go version builds, from the module cache.
func TestVersions(t *testing.T) {
	if os.Getenv("TARE_FOREIGN") != "1" {
		t.Skip("TARE_FOREIGN is not 1: it takes building the standard library")
	}
	dir := project(t, "main.go", "package main\n\nfunc main() { f(); f() }\n\n//go:noinline\nfunc f() { println(1) }\n")
	for _, version := range []string{"go1.27.0"} {
		c := toolchain.Command{Env: append(os.Environ(), "GOTOOLCHAIN="+version)}
		tools, err := toolchain.Find(t.Context(), c)
		if err != nil {
			t.Skip(err)
		}
		if err := tools.MakeReplaceable(t.TempDir(), &c); err != nil {
			t.Fatal(err)
		}
		w := plan(t, Config{Dir: dir, Match: []string{"main.*"}, Go: c.Go, Env: c.Env})
		tr, out := run(t, w, build(t, w), ArenaConfig{})
		if got := tree(tr); got != "main{f:2}" || out != "1\n1\n" {
			t.Errorf("%s: tree %s, printed %q", version, got, out)
		}
	}
}

// TestForeign runs a program that was instrumented for arm64, in an emulator: that its probes
// count, and read a clock that is one. What they cost there says nothing.
func TestForeign(t *testing.T) {
	emulator, err := exec.LookPath("qemu-aarch64-static")
	if os.Getenv("TARE_FOREIGN") != "1" {
		t.Skip("TARE_FOREIGN is not 1")
	}
	if err != nil {
		t.Fatal(err)
	}
	dir := project(t, "main.go", `package main

import "time"

//go:noinline
func leaf() {}

//go:noinline
func fib(n int) int {
	if n < 2 {
		return n
	}
	return fib(n-1) + fib(n-2)
}

func slow() { time.Sleep(20 * time.Millisecond) }

func main() {
	for range 10000 {
		leaf()
	}
	println(fib(15))
	slow()
}
`)
	w := plan(t, Config{Dir: dir, Match: []string{"main.*"}, Env: append(os.Environ(), "GOOS=linux", "GOARCH=arm64", "CGO_ENABLED=0")})
	program := filepath.Join(t.TempDir(), "program")
	cmd := exec.Command("go", append([]string{"build", "-o", program}, w.Flags...)...)
	cmd.Dir, cmd.Env = dir, append(append([]string(nil), w.cfg.Env...), w.Env...)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	a, err := w.NewArena(ArenaConfig{PathCalls: 3})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	cmd = exec.Command(emulator, program)
	cmd.Env = append(os.Environ(), a.Env())
	if out, err := cmd.CombinedOutput(); err != nil || string(out) != "610\n" {
		t.Fatalf("%v: %s", err, out)
	}
	tr, err := Read(a.Path, w)
	if err != nil {
		t.Fatal(err)
	}
	if got := tree(tr); got != "main{fib{fib^1:1972} leaf:10000 slow}" || !tr.Ended {
		t.Errorf("tree %s", got)
	}
	if d := fn(t, tr, "main.slow").Total; d < 20e6 || d > 20e9 {
		t.Errorf("20 ms took %g ns", d)
	}
}
