package runlog

import (
	"math"
	"slices"
	"time"

	"github.com/tarebench/tare/record"
	"github.com/tarebench/tare/stat"
)

// leastBetween is the time that must lie between two runs: those within a few minutes observe the machine in one state.
const leastBetween = 10 * time.Minute

// Predict returns for each benchmark of a run how far the median of another run may be from its own, from the earlier
// runs that were made under like conditions.
func Predict(now Entry, past []Entry, confidence float64) []record.AnotherRun {
	like := slices.DeleteFunc(slices.Clone(past), func(e Entry) bool { return !now.like(e) })
	spreads := map[string]spread{}
	for name := range names(like) {
		spreads[name] = spreadOf(separateRuns(like, name, now.Time))
	}
	var out []record.AnotherRun
	for _, m := range now.Benchmarks {
		earlier := separateRuns(like, m.Name, now.Time)
		p := record.AnotherRun{Case: m.Case, Runs: len(earlier), Seen: len(separateRuns(past, m.Name, now.Time))}
		own, others := spreadOf(append(earlier, m)), othersVariance(spreads, m.Name)
		switch {
		case len(earlier) >= stat.MinRuns && own.df >= stat.MinRuns-1:
			p.Half = stat.NextRun(own.variance, own.df, others, confidence)
		case !math.IsNaN(others):
			p.Half = stat.NextRun(math.NaN(), 0, others, confidence)
			p.Approximate = true
		}
		p.Confidence = confidence
		out = append(out, p)
	}
	return out
}

// like reports whether another run was made on the same machine under like conditions.
func (e Entry) like(o Entry) bool { return e.Machine == o.Machine && e.Conditions.Like(o.Conditions) }

// separateRuns returns the medians of a benchmark, the newest first, of runs before now that are at least leastBetween after each
// other.
func separateRuns(entries []Entry, name string, now time.Time) []Median {
	var out []Median
	last := now
	for _, e := range slices.Backward(entries) {
		if last.Sub(e.Time) < leastBetween {
			continue
		}
		for _, m := range e.Benchmarks {
			if m.Name == name && m.Median > 0 {
				out, last = append(out, m), e.Time
				break
			}
		}
	}
	return out
}

func names(entries []Entry) map[string]bool {
	out := map[string]bool{}
	for _, e := range entries {
		for _, m := range e.Benchmarks {
			out[m.Name] = true
		}
	}
	return out
}

// A spread is the variance between runs of one benchmark.
type spread struct {
	variance float64
	df       int
}

func spreadOf(ms []Median) spread {
	byBin := map[string][]float64{}
	for _, m := range ms {
		byBin[m.Bin] = append(byBin[m.Bin], math.Log(m.Median))
	}
	var groups [][]float64
	for _, g := range byBin {
		groups = append(groups, g)
	}
	v, df := stat.RunVariance(groups)
	return spread{v, df}
}

// othersVariance returns the mean variance of the benchmarks whose spread is known, but for one; NaN if there is none.
func othersVariance(spreads map[string]spread, but string) float64 {
	var sum float64
	n := 0
	for name, s := range spreads {
		if name != but && s.df >= stat.MinRuns-1 {
			sum += s.variance
			n++
		}
	}
	return sum / float64(n)
}
