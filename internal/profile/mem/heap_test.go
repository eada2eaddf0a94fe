package mem_test

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
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

// heaps looks into the heaps of benchmarks of testdata/subjects.
type heaps struct {
	bin    build.Binary
	runner *fork.Runner
	lines  []record.Line
}

func openHeaps(t *testing.T) *heaps {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("no hooks")
	}
	h := &heaps{bin: buildSubjects(t, mem.Heap(""), *toolchain.Heap())}
	l, err := spawn.Start(t.Context(), spawn.Config{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	h.runner = &fork.Runner{Launcher: l, Environ: os.Environ(), Write: func(line record.Line) error {
		h.lines = append(h.lines, line)
		return nil
	}}
	return h
}

// look runs one fork and returns its attachments, and the codes of its warnings.
func (h *heaps) look(t *testing.T, name string, window time.Duration) (heap *record.Heap, profile []byte, warnings []string) {
	t.Helper()
	h.lines = nil
	b := record.Bin{ID: 1, Dir: h.bin.Dir}
	out, err := h.runner.Run(t.Context(), fork.Spec{
		Case: &record.Case{ID: 1, Name: name, Procs: 2}, Bin: &b, Path: h.bin.Path, Purpose: record.AttachHeap,
		Benchtime: window.String(), Count: 2, Warmup: 1, Timeout: time.Minute, Interpret: []profiler.Interpreter{mem.Heap("")},
	})
	if err != nil {
		t.Fatal(err)
	}
	if out.Fork.State != record.StateOK {
		t.Fatalf("%s: %s\n%s", name, out.Fork.Why, out.Fork.Tail)
	}
	for _, l := range h.lines {
		switch l := l.(type) {
		case *record.Warn:
			warnings = append(warnings, l.Code)
		case *record.Attach:
			if l.Fork != out.Fork.ID || l.Iter != 2 {
				t.Errorf("%s of fork %d, iteration %d, not %d, 2", l.Name, l.Fork, l.Iter, out.Fork.ID)
			}
			switch l.Name {
			case record.AttachHeap:
				heap = new(record.Heap)
				if err := json.Unmarshal(l.Data, heap); err != nil {
					t.Fatal(err)
				}
			case record.AttachHeapProfile:
				profile = l.Data
			default:
				t.Errorf("attachment %s", l.Name)
			}
		}
	}
	return heap, profile, warnings
}

// typed reports whether types can be found in binaries built here.
const typed = runtime.GOOS+"/"+runtime.GOARCH == "linux/amd64"

// wantSite is what a subject holds; share is how far the figures may be off.
type wantSite struct {
	fn, typ        string
	objects, bytes float64
	share          float64
}

// sum adds up what the sites of a function hold of a type.
func sum(h *record.Heap, fn, typ string) (objects, bytes float64) {
	for _, s := range h.Sites {
		if s.Func == fn && (s.Type == typ || !typed) {
			objects, bytes = objects+float64(s.Objects), bytes+float64(s.Bytes)
		}
	}
	return objects, bytes
}

// TestHeap: what is known to be there is found, at its line and by its type. The
// bounds are at least five standard deviations of sampling; of the first, that of
// the median of three forks, which users get.
func TestHeap(t *testing.T) {
	testutil.NeedLong(t, "several seconds of forks")
	h := openHeaps(t)
	for _, c := range []struct {
		name  string
		forks int
		want  []wantSite
	}{
		{"HeapPointers", mem.HeapForks, []wantSite{
			{"subjects.fill", "subjects.block", entries, 64 * entries, 0.01},
			{"subjects.BenchmarkHeapPointers", "[]*subjects.block", 1, 8 * entries, 0.001},
		}},
		{"HeapMap", 1, []wantSite{{"subjects.numbers", "map[int]int", 0, mapWeight, 0.01}}},
		{"HeapStrings", 1, []wantSite{{"subjects.BenchmarkHeapStrings", "string", 200_000, 32 * 200_000, 0.055}}},
		{"HeapClosures", 1, []wantSite{{"subjects.BenchmarkHeapClosures", "closure", 200_000, 24 * 200_000, 0.065}}},
		{"HeapMixed", 1, []wantSite{
			{"subjects.BenchmarkHeapMixed", "chan subjects.block", 10_000, 0, 0.08},
			{"subjects.BenchmarkHeapMixed", "map[string]int", 10_000, 0, 0.09},
			{"subjects.BenchmarkHeapMixed", "subjects.pair[string,subjects.block]", 10_000, 48 * 10_000, 0.2},
			{"subjects.newPair[...]", "subjects.pair[go.shape.string,go.shape.int]", 10_000, 48 * 10_000, 0.2},
			{"subjects.newPair[...]", "[3]go.shape.int", 10_000, 24 * 10_000, 0.28},
		}},
	} {
		if !typed && c.name == "HeapMixed" {
			continue // several types on a line cannot be distinguished
		}
		var heaps []*record.Heap
		for range c.forks {
			heap, _, warnings := h.look(t, c.name, 10*time.Millisecond)
			if heap == nil || len(warnings) > 0 {
				t.Fatalf("%s: %v, warnings %q", c.name, heap, warnings)
			}
			if off := math.Abs(float64(heap.Bytes)/float64(heap.Growth) - 1); off > 0.04 || heap.When != record.HeapInLoop {
				t.Errorf("%s: %d bytes, %s, of a growth of %d", c.name, heap.Bytes, heap.When, heap.Growth)
			}
			heaps = append(heaps, heap)
		}
		for _, w := range c.want {
			var objects, bytes []float64
			for _, heap := range heaps {
				o, b := sum(heap, w.fn, w.typ)
				objects, bytes = append(objects, o), append(bytes, b)
			}
			within(t, c.name+" "+w.typ+": objects", median(objects), w.objects, w.share)
			within(t, c.name+" "+w.typ+": bytes", median(bytes), w.bytes, w.share)
		}
	}
}

const entries = 1e6

func median(xs []float64) float64 {
	slices.Sort(xs)
	return xs[len(xs)/2]
}

// within tells that a figure is within a share of the truth, of which 0 is not known.
func within(t *testing.T, what string, x, truth, share float64) {
	t.Helper()
	if truth != 0 && !(math.Abs(x/truth-1) <= share) {
		t.Errorf("%s: %.0f, the truth is %.0f ± %g %%", what, x, truth, 100*share)
	}
}

// TestHeapMidRun: where the loop over b.N is not in a test file, the heap is sampled while the loop runs.
func TestHeapMidRun(t *testing.T) {
	testutil.NeedLong(t, "TestMidRun reads in the same way")
	h := openHeaps(t)
	var heap *record.Heap
	for window := 200 * time.Millisecond; heap == nil && window < 10*time.Second; window *= 2 { // see TestMidRun
		var warnings []string
		if heap, _, warnings = h.look(t, "Foreign", window); heap == nil && !slices.Contains(warnings, "not-settled") {
			t.Fatalf("nothing, and no warning but %q", warnings)
		}
	}
	if heap == nil || heap.When != record.HeapMidRun {
		t.Fatalf("%+v", heap)
	}
	_, bytes := sum(heap, "subjects.numbers", "map[int]int")
	within(t, "bytes", bytes, mapWeight, 0.01)
}

// TestHeapRate: a benchmark that sets the rate itself is reported, and its profile is not used.
func TestHeapRate(t *testing.T) {
	h := openHeaps(t)
	heap, profile, warnings := h.look(t, "HeapRate", time.Millisecond)
	if heap != nil || profile != nil || !slices.Equal(warnings, []string{"not-available"}) {
		t.Errorf("%v, warnings %q", heap, warnings)
	}
}

// TestHeapProfile: pprof reads the profile, and finds the same in it.
func TestHeapProfile(t *testing.T) {
	h := openHeaps(t)
	heap, profile, _ := h.look(t, "HeapClosures", time.Millisecond)
	if heap == nil {
		t.Fatal("nothing was seen")
	}
	path := filepath.Join(t.TempDir(), "heap.pb.gz")
	if err := os.WriteFile(path, profile, 0o666); err != nil {
		t.Fatal(err)
	}
	pprof := func(args ...string) string {
		out, err := exec.Command("go", append([]string{"tool", "pprof", "-symbolize=none", "-unit=b"}, append(args, path)...)...).CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		return string(out)
	}
	_, bytes := sum(heap, "subjects.BenchmarkHeapClosures", "closure")
	if typed {
		if got, want := pprof("-top", "-tagfocus=type=^closure$"), fmt.Sprintf("%.0fB", bytes); !strings.Contains(got, want) || !strings.Contains(got, "subjects.BenchmarkHeapClosures") {
			t.Errorf("want %s of closures in\n%s", want, got)
		}
	}
	if got, want := pprof("-raw"), "inuse_objects/count inuse_space/bytes[dflt]"; !strings.Contains(got, want) || !strings.Contains(got, "heap_test.go") {
		t.Errorf("want %s in\n%s", want, got)
	}
}
