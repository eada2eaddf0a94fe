package mem_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tarebench/tare/internal/testkit/testutil"
)

// blocks is what 48 blocks of a mebibyte, and the slice of them, take.
const blocks = 48<<20 + 48*24

// TestLoopOverN: what a loop over b.N keeps alive is read at its end, however short the window is.
func TestLoopOverN(t *testing.T) {
	testutil.NeedLong(t, "TestReads measures the same loops")
	s := open(t)
	for _, c := range []struct {
		name   string
		window time.Duration
		truth  float64
		share  float64 // beside 16 KiB of package testing
	}{
		{"N", time.Millisecond, mapWeight, 0.01}, {"N", 50 * time.Millisecond, mapWeight, 0.01}, {"Parallel", 10 * time.Millisecond, mapWeight, 0.01},
		{"Blocks", time.Millisecond, blocks, 0.005}, {"Ring", 50 * time.Millisecond, blocks, 0.005}, {"RebuildLast", 50 * time.Millisecond, blocks, 0.005},
		{"Garbage", 30 * time.Millisecond, 1<<20 + 8<<10, 0.03},
	} {
		v := s.measure(t, c.name, c.window)
		near(t, v, "usedHeap_growth-B", c.truth, c.share)
		if rss := get(t, v, "VmRSS-B"); rss < c.truth {
			t.Errorf("%s: VmRSS %.0f, and %.0f bytes are alive", c.name, rss, c.truth)
		}
		for _, code := range []string{"mid-run", "not-settled", "heap-spread"} {
			if slices.Contains(s.warnings, code) {
				t.Errorf("%s: warning %s of a loop that was read at its end", c.name, code)
			}
		}
		if t.Failed() {
			t.Logf("%s: %v", c.name, v)
		}
	}
}

// TestReads: the heap on the way is a distribution. A benchmark that builds its subject anew in each operation, and
// keeps it for four fifths of it, has it alive in most reads.
func TestReads(t *testing.T) {
	s := open(t)
	samples := s.iterations(t, "Rebuild", "20x", 3)
	v := samples[2].V
	if n := get(t, v, "usedHeap_reads"); n < 3 {
		t.Fatalf("%.0f reads", n)
	}
	low, median, most := get(t, v, "usedHeap_min-B"), get(t, v, "usedHeap_p50-B"), get(t, v, "usedHeap_max-B")
	if base := get(t, v, "usedHeap_baseline-B"); most-base < 0.95*blocks || most-base > 2.1*blocks {
		t.Errorf("at most %.0f bytes, want those of one subject, or of two where one is built while a collection runs: %d", most-base, blocks)
	}
	if low > median || median > most {
		t.Errorf("%.0f, %.0f, %.0f are not in order", low, median, most)
	}
	if left := get(t, v, "usedHeap_growth-B"); left > 1<<20 {
		t.Errorf("%.0f bytes are said to live when the last subject was dropped", left)
	}
	// Forced collections lower peaks: the iteration with the reads has none, the one before has no reads.
	if x, ok := v.Get("VmHWM-B"); ok {
		t.Errorf("a peak of %.0f where collections were forced", x)
	}
	if x, ok := samples[1].V.Get("usedHeap_reads"); ok {
		t.Errorf("%.0f reads in an iteration with peaks", x)
	}
	if peak := get(t, samples[1].V, "VmHWM-B"); peak < blocks {
		t.Errorf("peak %.0f below %d", peak, blocks)
	}
	if got := strings.Join(s.warnings, " "); strings.Contains(got, "peaks-missed") && !strings.Contains(got, "reads") {
		t.Logf("warnings: %s", got)
	}
}
