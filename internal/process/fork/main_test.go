package fork

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/tarebench/tare/internal/base/env"
	"github.com/tarebench/tare/internal/process/spawn"
	"github.com/tarebench/tare/record"
)

// world is what the tests that run processes share: a launcher, and the test
// binary of testdata/hostile.
var world struct {
	once     sync.Once
	err      error
	dir, bin string
	launcher *spawn.Launcher
}

func TestMain(m *testing.M) {
	code := m.Run()
	if world.launcher != nil {
		world.launcher.Close()
	}
	if world.dir != "" {
		os.RemoveAll(world.dir)
	}
	os.Exit(code)
}

func setWorld() {
	world.dir, world.err = os.MkdirTemp("", "tare-fork-test-")
	if world.err != nil {
		return
	}
	if world.bin, world.err = buildHostile(world.dir); world.err != nil {
		return
	}
	l, err := spawn.Start(context.Background(), spawn.Config{})
	if err != nil {
		l = spawn.InProcess(err)
	}
	world.launcher = l
}

// buildHostile builds the test binary of a copy of testdata/hostile that is a
// module of its own.
func buildHostile(dir string) (string, error) {
	if err := os.CopyFS(dir, os.DirFS(filepath.Join("testdata", "hostile"))); err != nil {
		return "", err
	}
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module hostile\n\ngo 1.26\n"), 0o666); err != nil {
		return "", err
	}
	bin := filepath.Join(dir, "hostile.test.exe")
	cmd := exec.Command("go", "test", "-c", "-trimpath", "-o", bin, ".")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w\n%s", err, out)
	}
	return bin, nil
}

// hostile is a Runner for the test binary of testdata/hostile.
type hostile struct {
	*Runner
	bin   *record.Bin
	wrote []record.Line
}

func newHostile(t *testing.T) *hostile {
	t.Helper()
	world.once.Do(setWorld)
	if world.err != nil {
		t.Fatal(world.err)
	}
	h := &hostile{bin: &record.Bin{ID: 3, Dir: world.dir}}
	h.Runner = &Runner{Launcher: world.launcher, Write: func(l record.Line) error { h.wrote = append(h.wrote, l); return nil }}
	h.CPU, _ = env.OpenCPU()
	if h.CPU != nil {
		t.Cleanup(func() { h.CPU.Close() })
	}
	return h
}

// spec is a fork of one warm-up and two measured iterations.
func (h *hostile) spec(name string, procs int) Spec {
	return Spec{
		Case: &record.Case{ID: 7, Name: name, Procs: procs}, Bin: h.bin, Path: world.bin, Round: 4,
		Purpose: record.PurposeTiming, Benchtime: "5x", Count: 3, Warmup: 1, Timeout: time.Minute,
	}
}

// fork runs one fork, which must be possible.
func (h *hostile) fork(t *testing.T, s Spec) *Outcome {
	t.Helper()
	out, err := h.Run(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func (h *hostile) discover(t *testing.T, w Selection) []Discovered {
	t.Helper()
	found, err := h.Discover(t.Context(), h.bin, world.bin, w)
	if err != nil {
		t.Fatal(err)
	}
	return found
}
