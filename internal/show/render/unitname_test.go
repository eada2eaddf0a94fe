package render

import (
	"strings"
	"testing"

	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/internal/result"
)

// TestBeside: a name that people read does not say per what.
func TestBeside(t *testing.T) {
	for _, c := range []struct {
		unit string
		v    float64
		want string
	}{
		{"page-faults/op", 0.1, "/op"}, {"valgrind-instructions/op", 59960, "/op"}, {"valgrind-instructions/op", 5e9, "G /op"},
		{"sched-goroutines", 2, ""}, {"cores", 1.4, ""}, {"gc-cycles", 5e9, "G"}, {"cpu-ns/op", 12, "ns/op"}, {"cpu-ns/op", 12e6, "ms/op"},
		{"usedHeap_settled-B", 100, "B"}, {"usedHeap_settled-B", 1 << 20, "MiB"}, {"alloc-B/s", 0, "B/s"}, {"frobs/op", 3, ""}, {"p99-ns", 3000, "µs"},
	} {
		if got := beside(c.unit, units.ScaleOf(c.unit, c.v)); got != c.want {
			t.Errorf("%g %s stands beside %q, want %q", c.v, c.unit, got, c.want)
		}
	}
}

// TestCompareNames: comparisons name units as tables do, and leave baselines out.
func TestCompareNames(t *testing.T) {
	s := &result.Result{}
	for _, u := range []string{"ns/op", "usedHeap_settled-B", "usedHeap_baseline-B", "page-faults/op"} {
		s.Comparisons = append(s.Comparisons, result.Comparison{
			Name: "X", Base: "old", Side: "new", Unit: u, Main: u == "ns/op", Old: 10, New: 20, Ratio: 2, Lo: 1.9, Hi: 2.1, Verdict: more, Trusted: true,
		})
	}
	for verbose, want := range map[bool]string{false: "heap settled B, page faults /op", true: "heap settled B, heap before B, page faults /op"} {
		p := newView(s, Options{UTF8: true, Verbose: verbose})
		p.compare(s, verbose)
		var got []string
		for _, r := range p.versus[0].blocks[0].pairs[0].under {
			got = append(got, r.unit+" "+r.short)
		}
		if strings.Join(got, ", ") != want {
			t.Errorf("verbose %v: %q, want %q", verbose, got, want)
		}
	}
}

// TestUnder: what a benchmark reports comes first, then what profilers do, in
// their order; baselines are details.
func TestUnder(t *testing.T) {
	seen := map[string]bool{}
	for _, n := range plainNames {
		if seen[n.unit] {
			t.Errorf("%s is named twice", n.unit)
		}
		seen[n.unit] = true
	}
	s := &result.Result{Results: []result.Benchmark{{Name: "X", Forks: 6}}}
	for _, u := range []string{"VmHWM-B", "usedHeap_baseline-B", "hits", "usedHeap_settled-B", "gc-cycles", "misses"} {
		iv := result.Interval{Median: 10, Lo: 9, Hi: 11}
		if u == "gc-cycles" {
			iv = result.Interval{}
		}
		s.Results[0].Metrics = append(s.Results[0].Metrics, result.Metric{Unit: u, Interval: iv})
	}
	for verbose, want := range map[bool]string{false: "hits misses heap settled peak RSS", true: "hits misses heap settled peak RSS heap before"} {
		p := newView(s, Options{UTF8: true, Verbose: verbose})
		var got []string
		for _, f := range p.under(&p.blocks[0].rows[0], true) {
			got = append(got, unitName(f.unit))
		}
		if strings.Join(got, " ") != want {
			t.Errorf("verbose %v: %q, want %q", verbose, got, want)
		}
	}
}
