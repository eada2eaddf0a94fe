package main

import (
	"fmt"
	"io"
	"math"
	"time"

	"github.com/tarebench/tare/internal/measure/session/runlog"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/stat"
)

// entry returns the entry that the log of the machine's runs would have for a run.
func entry(b *result.Builder, r *result.Result) runlog.Entry {
	e := runlog.Entry{Conditions: b.Conditions()}
	for _, x := range r.Results {
		if x.Role == "" && x.Median > 0 {
			name := x.Pkg + " " + x.Name + " " + x.Side
			e.Benchmarks = append(e.Benchmarks, runlog.Median{Name: name, Bin: x.Side, Median: float64(x.Median), Forks: x.Forks, Case: x.Case})
		}
	}
	return e
}

// interval is the time that is assumed between two runs, so that the log counts each of them. The real time is about a
// minute. Runs with more time between them differ more, and the prediction for another run must hold for them.
const interval = 20 * time.Minute

// coverage counts how often the interval for another run, predicted from the runs before, held the next run's median. known
// is the number of intervals that could be predicted, half the median of their relative half-widths.
func coverage(entries []runlog.Entry) (held, known int, half float64) {
	now := time.Now()
	for i := range entries {
		entries[i].Time = now.Add(time.Duration(i) * interval)
	}
	var halves []float64
	for i := range len(entries) - 1 {
		next := map[string]float64{}
		for _, m := range entries[i+1].Benchmarks {
			next[m.Name] = m.Median
		}
		for k, p := range runlog.Predict(entries[i], entries[:i], 0.95) {
			m := entries[i].Benchmarks[k]
			if p.Half == 0 || p.Approximate || next[m.Name] == 0 {
				continue
			}
			known++
			halves = append(halves, p.Half)
			if math.Abs(math.Log(next[m.Name]/m.Median)) <= p.Half {
				held++
			}
		}
	}
	if known == 0 {
		return 0, 0, 0
	}
	return held, known, math.Expm1(stat.Median(halves))
}

// printCoverage prints the coverage of the intervals for another run.
func (t *table) printCoverage(w io.Writer) {
	if n, of, half := coverage(t.entries); of > 0 {
		fmt.Fprintf(w, "The 95 %% interval for another run held the next run's median %d of %d times (%.1f %%); it is ± %.1f %% in the median.\n",
			n, of, 100*float64(n)/float64(of), 100*half)
	}
}
