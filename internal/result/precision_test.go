package result

import (
	"math"
	"testing"

	"github.com/tarebench/tare/internal/numbers/plan"
	"github.com/tarebench/tare/record"
)

// TestCheckPrecision: the widest interval decides, and one that is infinite or unknown is wider than any.
func TestCheckPrecision(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	row := func(id int, m, lo, hi float64) Benchmark {
		return Benchmark{Case: id, Forks: 10, Interval: Interval{Median: Number(m), Lo: Number(lo), Hi: Number(hi)}}
	}
	failed := Benchmark{Case: 9, Failed: "panic"}
	pair := func(id int, lo, hi float64) Comparison {
		return Comparison{Case: id, Main: true, OldN: 10, NewN: 10, Lo: Number(lo), Hi: Number(hi)}
	}
	beside := pair(8, 0.5, 2)
	beside.Main = false
	oneSided := pair(7, nan, nan)
	oneSided.NewN = 0
	for _, test := range []struct {
		name        string
		results     []Benchmark
		comparisons []Comparison
		widest      float64
		caseID      int
		stop        bool
	}{
		{name: "narrow", results: []Benchmark{row(1, 100, 99.5, 101)}, widest: 0.01, caseID: 1, stop: true},
		{name: "too wide below", results: []Benchmark{row(1, 100, 97, 101)}, widest: 0.03, caseID: 1},
		{name: "the widest counts", results: []Benchmark{row(1, 100, 99, 101), row(2, 10, 9, 11), row(3, 100, 99, 101)}, widest: 0.1, caseID: 2},
		{name: "negative", results: []Benchmark{row(1, -100, -102, -99)}, widest: 0.02, caseID: 1},
		{name: "no width", results: []Benchmark{row(4, 5, 5, 5), row(5, 5, 5, 5)}, caseID: 4, stop: true},
		{name: "zero", results: []Benchmark{row(4, 0, 0, 0)}, caseID: 4, stop: true},
		{name: "around zero", results: []Benchmark{row(4, 0, -1, 1)}, widest: -1, caseID: 4},
		{name: "infinite", results: []Benchmark{row(1, 1, 1, 1), row(2, 5, -inf, inf), row(3, 5, 1, 9)}, widest: -1, caseID: 2},
		{name: "half infinite", results: []Benchmark{row(2, 5, 4, inf)}, widest: -1, caseID: 2},
		{name: "NaN", results: []Benchmark{row(2, nan, -inf, inf), row(3, 5, 5, 5)}, widest: -1, caseID: 2},
		{name: "NaN bounds", results: []Benchmark{row(2, 5, nan, nan)}, widest: -1, caseID: 2},
		{name: "failed", results: []Benchmark{failed, row(1, 100, 99.5, 101)}, widest: 0.01, caseID: 1, stop: true},
		{name: "all failed", results: []Benchmark{failed, failed}, stop: true},
		{name: "sides", results: []Benchmark{row(1, 100, 50, 200)}, comparisons: []Comparison{pair(2, 0.995, 1.005), beside, oneSided}, widest: math.Log(1.005/0.995) / 2, caseID: 2, stop: true},
		{name: "sides, wide", comparisons: []Comparison{pair(2, 1, 1), pair(3, 0.9, 1.1)}, widest: math.Log(1.1/0.9) / 2, caseID: 3},
		{name: "sides, identical", comparisons: []Comparison{pair(2, 1, 1)}, caseID: 2, stop: true},
		{name: "sides, infinite", comparisons: []Comparison{pair(2, 0, inf), pair(3, 1, 1)}, widest: -1, caseID: 2},
		{name: "sides, unknown", comparisons: []Comparison{pair(2, nan, nan)}, widest: -1, caseID: 2},
	} {
		got := (&Result{Results: test.results, Comparisons: test.comparisons}).CheckPrecision(plan.Analysis{Round: 20, Total: 4, Confidence: 0.9875}, 0.011)
		want := record.InterimAnalysis{Round: 20, Of: 4, Confidence: 0.9875, Widest: test.widest, Case: test.caseID, Stop: test.stop}
		if math.Abs(got.Widest-want.Widest) < 1e-12 {
			got.Widest = want.Widest
		}
		if got != want {
			t.Errorf("%s: got %+v, want %+v", test.name, got, want)
		}
	}
}
