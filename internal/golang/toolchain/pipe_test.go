package toolchain_test

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/tarebench/tare/internal/golang/build"
)

// start starts benchmarks of a binary with a pipe that the caller looks after.
func start(t *testing.T, b build.Binary, w *os.File, args ...string) (*exec.Cmd, *bytes.Buffer) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), b.Path, append([]string{"-test.run=^$", "-test.benchmem"}, args...)...)
	cmd.Env = append(os.Environ(), "TARE_FD=3")
	cmd.ExtraFiles = []*os.File{w}
	text := new(bytes.Buffer)
	cmd.Stdout, cmd.Stderr = text, text
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	w.Close()
	return cmd, text
}

// TestFullPipe: if the reader never reads, lines are lost, and their number is reported.
// The benchmarks go on.
func TestFullPipe(t *testing.T) {
	b := deepKinds(t)
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	const count = 400 // of some 350 bytes each: twice what a pipe holds
	cmd, text := start(t, b, w, "-test.bench=^BenchmarkEmpty$", "-test.benchtime=1x", "-test.count="+strconv.Itoa(count))
	if err := cmd.Wait(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if n := strings.Count(text.String(), "BenchmarkEmpty"); n != count {
		t.Errorf("%d results", n)
	}
	pipe, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	s := said{pipe: string(pipe[:bytes.LastIndexByte(pipe, '\n')+1])}
	s.parsePipe(t)
	if n := len(s.samples); n < 5 || n >= count {
		t.Errorf("%d samples came, in %d bytes", n, len(pipe))
	}
	for i, x := range s.samples {
		if x.Iter != i+1 {
			t.Fatalf("sample %d is of iteration %d", i, x.Iter)
		}
	}
}

// TestDeadReader: a reader that is gone is no reason to fail.
func TestDeadReader(t *testing.T) {
	b := deepKinds(t)
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	r.Close()
	cmd, text := start(t, b, w, "-test.bench=^Benchmark(Empty|Loop)$", "-test.benchtime=10x", "-test.count=20")
	if err := cmd.Wait(); err != nil || strings.Count(text.String(), " ns/op") != 40 {
		t.Errorf("%v\n%s", err, text)
	}
}

// TestNoPipe: what is not a pipe is not written to, whatever the environment says.
func TestNoPipe(t *testing.T) {
	b := deepKinds(t)
	f, err := os.Create(filepath.Join(t.TempDir(), "file"))
	if err != nil {
		t.Fatal(err)
	}
	cmd, text := start(t, b, f, "-test.bench=^BenchmarkEmpty$", "-test.benchtime=10x")
	if err := cmd.Wait(); err != nil {
		t.Errorf("%v\n%s", err, text)
	}
	if wrote, err := os.ReadFile(f.Name()); err != nil || len(wrote) > 0 {
		t.Errorf("wrote %q (%v)", wrote, err)
	}
}
