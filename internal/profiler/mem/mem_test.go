package mem_test

import (
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/tarebench/tare/internal/build"
	"github.com/tarebench/tare/internal/fork"
	"github.com/tarebench/tare/internal/profiler/mem"
	"github.com/tarebench/tare/internal/spawn"
	"github.com/tarebench/tare/internal/toolchain"
	"github.com/tarebench/tare/record"
)

// subjects measures a benchmark of testdata/subjects in one fork and returns the
// last iteration, and the doubts.
type subjects struct {
	bin    build.Binary
	runner *fork.Runner
	doubts []string
}

func open(t *testing.T) *subjects {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("reads /proc")
	}
	dir, err := filepath.Abs(filepath.Join("testdata", "subjects"))
	if err != nil {
		t.Fatal(err)
	}
	opt := build.Options{Dir: dir, Deep: true, Parts: []toolchain.Part{*toolchain.Mem()}}
	pkgs, err := build.Resolve(t.Context(), opt, []string{"."})
	if err != nil {
		t.Fatal(err)
	}
	bin, err := build.Build(t.Context(), opt, pkgs[0])
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { bin.Close() })
	l, err := spawn.Start(t.Context(), spawn.Config{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	s := &subjects{bin: bin}
	s.runner = &fork.Runner{Launcher: l, Environ: os.Environ(), Write: func(line record.Line) error {
		if w, ok := line.(*record.Warn); ok {
			s.doubts = append(s.doubts, w.Code)
		}
		return nil
	}}
	return s
}

func (s *subjects) measure(t *testing.T, name string, window time.Duration) record.Values {
	t.Helper()
	s.doubts = nil
	b := record.Bin{ID: 1, Dir: s.bin.Dir}
	out, err := s.runner.Run(t.Context(), fork.Spec{
		Case: &record.Case{ID: 1, Name: name, Procs: 2}, Bin: &b, Path: s.bin.Path, Purpose: mem.Profiler().Name(),
		Benchtime: window.String(), Count: 2, Warmup: 1, Timeout: time.Minute,
	})
	if err != nil {
		t.Fatal(err)
	}
	if out.Fork.State != record.StateOK || len(out.Samples) != 2 {
		t.Fatalf("%s: %s\n%s", name, out.Fork.Why, out.Fork.Tail)
	}
	return out.Samples[1].V
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

// TestPeaksMissed: the ends of cycles that were not read are told of, and the most of few is no peak.
func TestPeaksMissed(t *testing.T) {
	s := open(t)
	v := s.measure(t, "Collect", 200*time.Millisecond)
	if got := strings.Join(s.doubts, " "); !strings.Contains(got, "peaks-missed") {
		t.Errorf("doubts: %s", got)
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

// TestMidRun: a loop over b.N is weighed while it runs, and that is told.
func TestMidRun(t *testing.T) {
	s := open(t)
	// How long the window will be is guessed from what was before, and a busy
	// machine makes the guess wrong: then nothing is read, and the next is longer.
	var v record.Values
	for window := 200 * time.Millisecond; window < 10*time.Second; window *= 2 {
		v = s.measure(t, "N", window)
		if _, ok := v.Get("usedHeap_growth-B"); ok {
			break
		}
	}
	near(t, v, "usedHeap_growth-B", mapWeight, 0.01)
	if got := strings.Join(s.doubts, " "); !strings.Contains(got, "mid-run") {
		t.Errorf("doubts: %s", got)
	}
	// A mebibyte lives, while the loop makes garbage as fast as it can.
	for window := 300 * time.Millisecond; window < 10*time.Second; window *= 2 {
		v = s.measure(t, "Garbage", window)
		if _, ok := v.Get("usedHeap_growth-B"); ok {
			break
		}
	}
	if grown := get(t, v, "usedHeap_growth-B"); grown > 1.5*(1<<20) {
		t.Errorf("a mebibyte lives, and the heap is said to have grown by %.0f bytes", grown)
	} else if grown < 0.8*(1<<20) && !strings.Contains(strings.Join(s.doubts, " "), "heap-spread") {
		t.Errorf("the heap is said to have grown by %.0f bytes, without a doubt: %v", grown, s.doubts)
	}
	v = s.measure(t, "N", time.Microsecond)
	if _, ok := v.Get("usedHeap_settled-B"); ok {
		t.Errorf("a window of a microsecond was weighed: %v", v)
	}
	if got := strings.Join(s.doubts, " "); !strings.Contains(got, "not-settled") {
		t.Errorf("doubts: %s", got)
	}
}
