package mem_test

import (
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/tarebench/tare/internal/golang/build"
	"github.com/tarebench/tare/internal/golang/toolchain"
	"github.com/tarebench/tare/internal/process/fork"
	"github.com/tarebench/tare/internal/process/profiler"
	"github.com/tarebench/tare/internal/process/spawn"
	"github.com/tarebench/tare/internal/profile/mem"
	"github.com/tarebench/tare/internal/testkit/testutil"
	"github.com/tarebench/tare/record"
)

// subjects measures a benchmark of testdata/subjects in one fork and returns the
// last iteration, and the warnings.
type subjects struct {
	bin      build.Binary
	runner   *fork.Runner
	warnings []string
}

func open(t *testing.T) *subjects {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("reads /proc")
	}
	s := &subjects{bin: buildSubjects(t, mem.Profiler(""), *toolchain.Mem())}
	l, err := spawn.Start(t.Context(), spawn.Config{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	s.runner = &fork.Runner{Launcher: l, Environ: os.Environ(), Write: func(line record.Line) error {
		if w, ok := line.(*record.Warn); ok {
			s.warnings = append(s.warnings, w.Code)
		}
		return nil
	}}
	return s
}

// buildSubjects builds testdata/subjects for a profiler.
func buildSubjects(t *testing.T, p profiler.Builder, part toolchain.Part) build.Binary {
	t.Helper()
	dir, err := filepath.Abs(filepath.Join("testdata", "subjects"))
	if err != nil {
		t.Fatal(err)
	}
	opt := build.Options{Dir: dir, Deep: true, Parts: []toolchain.Part{part}}
	pkgs, err := build.Resolve(t.Context(), opt, []string{"."})
	if err != nil {
		t.Fatal(err)
	}
	at, err := build.SiteOf(opt, pkgs[0])
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	q := profiler.Build{Pkg: pkgs[0].ImportPath, Dir: at.Dir, Flags: at.Flags, Env: at.Env}
	for _, name := range pkgs[0].TestFiles {
		q.Files = append(q.Files, filepath.Join(dir, name))
	}
	out, err := p.Build(t.Context(), q)
	if err != nil || len(out.Warnings) > 0 {
		t.Fatalf("%v %+v", err, out.Warnings)
	}
	opt.Flags, opt.Env = out.Flags, out.Env
	bin, err := build.Build(t.Context(), opt, pkgs[0])
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { bin.Close() })
	return bin
}

// measure returns the last of two iterations.
func (s *subjects) measure(t *testing.T, name string, window time.Duration) record.Values {
	t.Helper()
	return s.iterations(t, name, window.String(), 2)[1].V
}

func (s *subjects) iterations(t *testing.T, name, benchtime string, count int) []*record.Sample {
	t.Helper()
	s.warnings = nil
	b := record.Bin{ID: 1, Dir: s.bin.Dir}
	out, err := s.runner.Run(t.Context(), fork.Spec{
		Case: &record.Case{ID: 1, Name: name, Procs: 2}, Bin: &b, Path: s.bin.Path, Purpose: "mem",
		Benchtime: benchtime, Count: count, Warmup: 1, Timeout: time.Minute,
	})
	if err != nil {
		t.Fatal(err)
	}
	if out.Fork.State != record.StateOK || len(out.Samples) != count {
		t.Fatalf("%s: %s\n%s", name, out.Fork.Why, out.Fork.Tail)
	}
	return out.Samples
}

func get(t *testing.T, v record.Values, unit string) float64 {
	t.Helper()
	x, ok := v.Get(unit)
	if !ok {
		t.Fatalf("no %s among %v", unit, v)
	}
	return x
}

// near tells that a figure is within a share of the truth.
func near(t *testing.T, v record.Values, unit string, truth, share float64) {
	t.Helper()
	if x := get(t, v, unit); math.Abs(x/truth-1) > share {
		t.Errorf("%s = %.0f, the truth is %.0f ± %g %%", unit, x, truth, 100*share)
	}
}

// mapWeight is that of a map of a million ints. It varies a little with its seed.
const mapWeight = 37.73e6

// TestRetained: what is alive in the last call of Loop is weighed, wherever it
// hangs, and what has been returned from is not.
func TestRetained(t *testing.T) {
	testutil.NeedLong(t, "TestKnown measures in the same way")
	s := open(t)
	for _, name := range []string{"Local", "Closure", "Global"} {
		v := s.measure(t, name, 30*time.Millisecond)
		near(t, v, "usedHeap_growth-B", mapWeight, 0.01)
		near(t, v, "usedMem_fin-B", mapWeight, 0.20)
		left := get(t, v, "usedHeap_returned-B")
		if global := name == "Global"; global != (left > 0.9*mapWeight) {
			t.Errorf("%s: %.0f bytes after the return", name, left)
		}
		if x, ok := v.Get("ns/op"); ok {
			t.Errorf("%s: a time of %v from a fork that is no good for times", name, x)
		}
	}
}

// TestKnown: other truths, and what the runtime cannot see.
func TestKnown(t *testing.T) {
	s := open(t)
	v := s.measure(t, "Pointers", 30*time.Millisecond)
	near(t, v, "usedHeap_growth-B", 72.0e6, 0.005)
	near(t, v, "usedMem_settled-B", 72.0e6, 0.15)

	v = s.measure(t, "Mapped", 30*time.Millisecond)
	if hwm := get(t, v, "VmHWM-B"); hwm < 256<<20 || hwm > 282<<20 {
		t.Errorf("peak %.0f of a mapping of %d", hwm, 256<<20)
	}
	if in := get(t, v, "usedMem_settled-B"); in > 26<<20 {
		t.Errorf("the runtime claims %.0f of what the system gave", in)
	}
}

// TestPeaksMissed: a warning says that ends of cycles were not read. The maximum of few ends is not reported as a peak.
func TestPeaksMissed(t *testing.T) {
	testutil.NeedLong(t, "builds package testing again")
	s := open(t)
	v := s.measure(t, "Collect", 200*time.Millisecond)
	if got := strings.Join(s.warnings, " "); !strings.Contains(got, "peaks-missed") {
		t.Errorf("warnings: %s", got)
	}
	for _, unit := range []string{"usedMem_max-B", "totalMem_max-B"} {
		if x, ok := v.Get(unit); ok {
			t.Errorf("%s = %.0f of few cycles", unit, x)
		}
	}
	if get(t, v, "usedMem_settled-B") <= 0 {
		t.Error("nothing settled")
	}
}

// TestForeignLoop: a loop over b.N in a file that is not a test is read while it runs, with a warning.
func TestForeignLoop(t *testing.T) {
	testutil.NeedLong(t, "builds package testing again")
	s := open(t)
	// How long the window will be is guessed from what was before, and a busy machine makes the guess wrong: then
	// nothing is read, and the next window is longer.
	var v record.Values
	for window := 200 * time.Millisecond; window < 10*time.Second; window *= 2 {
		v = s.measure(t, "Foreign", window)
		if _, ok := v.Get("usedHeap_growth-B"); ok {
			break
		}
	}
	near(t, v, "usedHeap_growth-B", mapWeight, 0.01)
	if rss := get(t, v, "VmRSS-B"); rss < mapWeight {
		t.Errorf("VmRSS %.0f with a map of %.0f bytes", rss, mapWeight)
	}
	if got := strings.Join(s.warnings, " "); !strings.Contains(got, "mid-run") {
		t.Errorf("warnings: %s", got)
	}
	v = s.measure(t, "Foreign", time.Microsecond)
	if _, ok := v.Get("usedHeap_settled-B"); ok {
		t.Errorf("read in a window of a microsecond: %v", v)
	}
	if got := strings.Join(s.warnings, " "); !strings.Contains(got, "not-settled") {
		t.Errorf("warnings: %s", got)
	}
}
