package report

import (
	"strings"
	"testing"

	"github.com/tarebench/tare/summary"
)

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
	s := &summary.Summary{Results: []summary.Result{{Name: "X", Forks: 6}}}
	for _, u := range []string{"VmHWM-B", "usedHeap_baseline-B", "hits", "usedHeap_settled-B", "gc-cycles", "misses"} {
		iv := summary.Interval{Median: 10, Lo: 9, Hi: 11}
		if u == "gc-cycles" {
			iv = summary.Interval{}
		}
		s.Results[0].Metrics = append(s.Results[0].Metrics, summary.Metric{Unit: u, Interval: iv})
	}
	for verbose, want := range map[bool]string{false: "hits misses heap settled peak RSS", true: "hits misses heap settled peak RSS heap before"} {
		p := newPage(s, newGlyphs(true), verbose)
		var got []string
		for _, f := range p.under(&p.blocks[0].rows[0], true) {
			got = append(got, unitName(f.unit))
		}
		if strings.Join(got, " ") != want {
			t.Errorf("verbose %v: %q, want %q", verbose, got, want)
		}
	}
}
