package asm_test

import (
	"compress/gzip"
	"encoding/json"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/tarebench/tare/internal/golang/build"
	"github.com/tarebench/tare/internal/golang/toolchain"
	"github.com/tarebench/tare/internal/process/fork"
	"github.com/tarebench/tare/internal/process/profiler"
	"github.com/tarebench/tare/internal/process/spawn"
	"github.com/tarebench/tare/internal/profile/asm"
	"github.com/tarebench/tare/record"
)

var fixtures = flag.String("fixtures", "", "write what is sampled of Go's own benchmarks into this `directory`: ../../render/listing/testdata")

// TestFixtures makes the data of the golden tests of render/listing, on request: live
// samples of benchmarks of the standard library, which have not been changed.
func TestFixtures(t *testing.T) {
	if *fixtures == "" {
		t.Skip("without -fixtures")
	}
	for _, c := range []struct{ file, pkg, name, benchtime string }{
		{"sort", "sort", "SortInt1K", "40000x"},
		{"indexbyte", "bytes", "IndexByte/4K", "20000000x"},
		{"binarysearch", "slices", "BinarySearchFloats/Size1024", "40000000x"},
		{"sha256", "crypto/sha256", "Hash8K/Sum256", "60000x"},
	} {
		a := sampleStd(t, c.pkg, c.name, c.benchtime)
		t.Logf("%s: %+v, %.1f %%", c.file, a.Events[0], 100*a.Cost)
		writeFixture(t, c.file, a)
	}
	writeFixture(t, "arm64", sampleARM(t))
}

// sampleStd samples a benchmark of the standard library.
func sampleStd(t *testing.T, pkg, name, benchtime string) *record.Asm {
	t.Helper()
	p := asm.Profiler(asm.Config{Frequency: asm.Detailed, Keep: 0.01})
	if err := p.Available(); err != nil {
		t.Fatal(err)
	}
	opt := build.Options{Deep: p.Needs().Hooks, Parts: []toolchain.Part{*toolchain.TimerLog()}}
	pkgs, err := build.Resolve(t.Context(), opt, []string{pkg})
	if err != nil {
		t.Fatal(err)
	}
	bin, err := build.Build(t.Context(), opt, pkgs[0])
	if err != nil {
		t.Fatal(err)
	}
	defer bin.Close()
	l, err := spawn.Start(t.Context(), spawn.Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	var a *record.Asm
	runner := &fork.Runner{Launcher: l, Write: func(line record.Line) error {
		if x, ok := line.(*record.Attach); ok && x.Name == record.AttachAsm {
			a = &record.Asm{}
			return json.Unmarshal(x.Data, a)
		}
		return nil
	}}
	out, err := runner.Run(t.Context(), fork.Spec{
		Case: &record.Case{ID: 1, Name: name, Procs: 2}, Bin: &record.Bin{ID: 1, Dir: bin.Dir}, Path: bin.Path, Purpose: p.Name(),
		Benchtime: benchtime, Count: 2, Warmup: 1, Timeout: 5 * time.Minute,
		Attach: []profiler.Attacher{p.(profiler.Attacher)}, Prepare: []profiler.Preparer{p.(profiler.Preparer)},
	})
	if err != nil || out.Fork.State != record.StateOK || a == nil {
		t.Fatalf("%s: %v, %s %s", name, err, out.Fork.Why, out.Fork.Tail)
	}
	for _, s := range out.Samples {
		t.Logf("%s: %.0f ns per operation by the timer", name, float64(s.Ns)/float64(s.Ops))
	}
	return a
}

// sampleARM has Go's own profiler sample a program for arm64 in an emulator. Which
// instructions are hot there says nothing of a processor.
func sampleARM(t *testing.T) *record.Asm {
	t.Helper()
	emulator, err := exec.LookPath("qemu-aarch64")
	if err != nil {
		t.Skip(err)
	}
	dir := t.TempDir()
	bin, profile := filepath.Join(dir, "sort.test"), filepath.Join(dir, "cpu.pprof")
	c := exec.Command("go", "test", "-c", "-trimpath", "-o", bin, "sort")
	c.Env = append(os.Environ(), "GOARCH=arm64", "CGO_ENABLED=0")
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	c = exec.Command(emulator, bin, "-test.run=^$", "-test.bench=^BenchmarkSortInt1K$", "-test.benchtime=12s", "-test.cpuprofile="+profile)
	c.Dir = dir
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	a, warnings, err := asm.FromPprof(profile, bin, asm.Config{Keep: 0.01})
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range warnings {
		t.Log(d.Text)
	}
	return a
}

func writeFixture(t *testing.T, name string, a *record.Asm) {
	t.Helper()
	text, err := json.Marshal(a)
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.Create(filepath.Join(*fixtures, name+".json.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewWriterLevel(f, gzip.BestCompression)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := z.Write(text); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	st, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%s: %d samples, %d functions, %d bytes, %d compressed", name, a.Events[0].Samples, len(a.Funcs), len(text), st.Size())
}
