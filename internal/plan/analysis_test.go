package plan

import (
	"math"
	"slices"
	"testing"

	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/record"
)

func TestJudge(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	row := func(id int, m, lo, hi float64) result.Benchmark {
		return result.Benchmark{Case: id, Forks: 10, Interval: result.Interval{Median: result.Number(m), Lo: result.Number(lo), Hi: result.Number(hi)}}
	}
	failed := result.Benchmark{Case: 9, Failed: "panic"}
	pair := func(id int, lo, hi float64) result.Comparison {
		return result.Comparison{Case: id, Main: true, OldN: 10, NewN: 10, Lo: result.Number(lo), Hi: result.Number(hi)}
	}
	beside := pair(8, 0.5, 2)
	beside.Main = false
	oneSided := pair(7, nan, nan)
	oneSided.NewN = 0
	for _, test := range []struct {
		name        string
		results     []result.Benchmark
		comparisons []result.Comparison
		widest      float64
		caseID      int
		stop        bool
	}{
		{name: "narrow", results: []result.Benchmark{row(1, 100, 99.5, 101)}, widest: 0.01, caseID: 1, stop: true},
		{name: "too wide below", results: []result.Benchmark{row(1, 100, 97, 101)}, widest: 0.03, caseID: 1},
		{name: "the widest counts", results: []result.Benchmark{row(1, 100, 99, 101), row(2, 10, 9, 11), row(3, 100, 99, 101)}, widest: 0.1, caseID: 2},
		{name: "negative", results: []result.Benchmark{row(1, -100, -102, -99)}, widest: 0.02, caseID: 1},
		{name: "no width", results: []result.Benchmark{row(4, 5, 5, 5), row(5, 5, 5, 5)}, caseID: 4, stop: true},
		{name: "zero", results: []result.Benchmark{row(4, 0, 0, 0)}, caseID: 4, stop: true},
		{name: "around zero", results: []result.Benchmark{row(4, 0, -1, 1)}, widest: -1, caseID: 4},
		{name: "infinite", results: []result.Benchmark{row(1, 1, 1, 1), row(2, 5, -inf, inf), row(3, 5, 1, 9)}, widest: -1, caseID: 2},
		{name: "half infinite", results: []result.Benchmark{row(2, 5, 4, inf)}, widest: -1, caseID: 2},
		{name: "NaN", results: []result.Benchmark{row(2, nan, -inf, inf), row(3, 5, 5, 5)}, widest: -1, caseID: 2},
		{name: "NaN bounds", results: []result.Benchmark{row(2, 5, nan, nan)}, widest: -1, caseID: 2},
		{name: "failed", results: []result.Benchmark{failed, row(1, 100, 99.5, 101)}, widest: 0.01, caseID: 1, stop: true},
		{name: "all failed", results: []result.Benchmark{failed, failed}, stop: true},
		{name: "sides", results: []result.Benchmark{row(1, 100, 50, 200)}, comparisons: []result.Comparison{pair(2, 0.995, 1.005), beside, oneSided}, widest: math.Log(1.005/0.995) / 2, caseID: 2, stop: true},
		{name: "sides, wide", comparisons: []result.Comparison{pair(2, 1, 1), pair(3, 0.9, 1.1)}, widest: math.Log(1.1/0.9) / 2, caseID: 3},
		{name: "sides, identical", comparisons: []result.Comparison{pair(2, 1, 1)}, caseID: 2, stop: true},
		{name: "sides, infinite", comparisons: []result.Comparison{pair(2, 0, inf), pair(3, 1, 1)}, widest: -1, caseID: 2},
		{name: "sides, unknown", comparisons: []result.Comparison{pair(2, nan, nan)}, widest: -1, caseID: 2},
	} {
		got := CheckPrecision(&result.Result{Results: test.results, Comparisons: test.comparisons}, Analysis{Round: 20, Total: 4, Confidence: 0.9875}, 0.011)
		want := record.InterimAnalysis{Round: 20, Of: 4, Confidence: 0.9875, Widest: test.widest, Case: test.caseID, Stop: test.stop}
		if math.Abs(got.Widest-want.Widest) < 1e-12 {
			got.Widest = want.Widest
		}
		if got != want {
			t.Errorf("%s: got %+v, want %+v", test.name, got, want)
		}
	}
}

// TestLooks: a precision is looked for after 10, 20, 40 and 80 rounds, each time
// with its share of the error, and reaching it ends the run.
func TestLooks(t *testing.T) {
	for _, test := range []struct {
		forks, enough int
		want          []int
		confidence    float64
	}{
		{80, 0, []int{10, 20, 40, 80}, 0.9875},
		{80, 20, []int{10, 20}, 0.9875},
		{80, 10, []int{10}, 0.9875},
		{20, 0, []int{10, 20}, 0.975},
		{30, 0, []int{10, 20, 30}, 1 - 0.05/3},
		{13, 0, []int{13}, 0.95},
		{5, 0, []int{5}, 0.95},
	} {
		bubble(t, func(t *testing.T) {
			cfg := config()
			cfg.Forks, cfg.Precision = test.forks, 0.01
			p, l := three(cfg)
			var rounds []int
			stop, err := p.Measure(t.Context(), nil, l.run, func(look Analysis) bool {
				rounds = append(rounds, look.Round)
				if c := look.Confidence - test.confidence; c < -1e-12 || c > 1e-12 || look.Total < len(test.want) || len(l.runs) != 3*look.Round {
					t.Errorf("%+v: %+v after %d forks", test, look, len(l.runs))
				}
				return look.Round == test.enough
			})
			want := Stop{"", test.forks}
			if test.enough > 0 {
				want = Stop{"the precision is reached", test.enough}
			}
			if err != nil || stop != want || !slices.Equal(rounds, test.want) {
				t.Errorf("%+v: %+v, %v, looked after %v", test, stop, err, rounds)
			}
		})
	}
	bubble(t, func(t *testing.T) {
		p, l := three(config())
		if _, err := p.Measure(t.Context(), nil, l.run, func(Analysis) bool { t.Error("looked without a precision"); return true }); err != nil {
			t.Error(err)
		}
		p.Config.Precision = 0.01
		if stop, err := p.Measure(t.Context(), nil, l.run, nil); err != nil || stop.Rounds != 20 {
			t.Errorf("nobody looks: %+v, %v", stop, err)
		}
	})
}
