package bisectrun

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tarebench/tare/internal/base/tempdir"
	"github.com/tarebench/tare/internal/measure/benchrun"
	"github.com/tarebench/tare/internal/measure/session"
	"github.com/tarebench/tare/internal/numbers/bisect"
	"github.com/tarebench/tare/record"
)

// TestMain keeps binaries and records out of the user's cache.
func TestMain(m *testing.M) {
	cache, err := tempdir.Dir("test")
	if err != nil {
		panic(err)
	}
	if out, err := exec.Command("go", "env", "GOCACHE").Output(); err == nil { // it may lie below the variable that is set here
		os.Setenv("GOCACHE", strings.TrimSpace(string(out)))
	}
	os.Setenv("XDG_CACHE_HOME", cache.Path)
	code := m.Run()
	cache.Remove()
	os.Exit(code)
}

// repository has two commits, the second of which allocates.
func repository(t *testing.T) string {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	dir := t.TempDir()
	git := func(args ...string) {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=t", "-c", "user.email=t@example.org"}, args...)...)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	put := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	git("init", "-q", "-b", "main")
	put("go.mod", "module example.org/p\n\ngo 1.24\n")
	put("p.go", "package p\n\nvar sink []byte\n\nfunc F() {}\n")
	put("p_test.go", "package p\n\nimport \"testing\"\n\nfunc BenchmarkF(b *testing.B) {\n\tfor range b.N {\n\t\tF()\n\t}\n}\n")
	git("add", "-A")
	git("commit", "-q", "-m", "one")
	git("tag", "v1")
	put("p.go", "package p\n\nvar sink []byte\n\nfunc F() { sink = make([]byte, 100) }\n")
	git("commit", "-q", "-a", "-m", "two")
	return dir
}

func TestConfirm(t *testing.T) {
	c := benchrun.Config{Start: time.Now(), Lock: session.LockMode{NoLock: true}}
	c.Run.Dir, c.Run.Seed = repository(t), 7
	c.Run.Config = record.Config{CPU: []int{1}, Warmup: 1, Iterations: 1, Benchtime: "10x", Order: "interleaved", Confidence: 0.95, Time: time.Millisecond}
	var err error
	if c.Progress, err = session.NewProgress(io.Discard, "none"); err != nil {
		t.Fatal(err)
	}
	c.Signals = session.CatchSignals(func(os.Signal) {})
	defer c.Signals.Stop()
	got, err := Confirm(t.Context(), c, []Suspect{
		{Old: "v1", New: "main", Pkg: "example.org/p", Name: "F", Metric: "allocs/op"},
		{Old: "v1", New: "v1", Pkg: "example.org/p", Name: "F", Metric: "allocs/op"},
		{Old: "v1", New: "main", Pkg: "example.org/p", Name: "Absent", Metric: "ns/op"},
		{Old: "v1", New: "main", Pkg: "example.org/p", Name: "F", Metric: "cats"},
	})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []bisect.ConfirmState{bisect.Confirmed, bisect.Refuted, bisect.Open, bisect.Open} {
		if got[i].State != want || (got[i].Failed != "") != (i >= 2) {
			t.Errorf("%d: %+v", i, got[i])
		}
	}
}
