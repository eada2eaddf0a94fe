package bisectrun

import (
	"fmt"
	"math"
	"slices"

	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/internal/numbers/bisect"
	"github.com/tarebench/tare/record"
	"github.com/tarebench/tare/stat"
)

// show draws the progress line: the most probable commits.
func (s *search) show(i int) {
	s.c.Progress.Step(func() string {
		r := s.state.Done()
		text := fmt.Sprintf("fork %d · %d commits measured · measuring %s", r.Forks+1, r.Built, Short(s.commits[i].Hash))
		var likely []int
		for a, p := range r.Probabilities {
			if p >= 0.05 {
				likely = append(likely, a)
			}
		}
		slices.SortStableFunc(likely, func(a, b int) int {
			if r.Probabilities[a] > r.Probabilities[b] {
				return -1
			}
			return 1
		})
		for _, a := range likely[:min(3, len(likely))] {
			text += " · " + Short(s.commits[a].Hash) + " " + units.PercentTo(r.Probabilities[a], 0)
		}
		return text
	})
}

// result returns the line of the record.
func (s *search) result() *record.Bisect {
	l := &record.Bisect{State: string(bisect.Searching), Metric: s.c.Metric, Base: s.base, Layouts: max(1, s.c.Run.Config.Layouts)}
	l.Pkg, l.Name = s.seq.Benchmark()
	l.Better = s.seq.Better(s.c.Metric)
	var r bisect.Result
	if s.state != nil {
		r = s.state.Done()
		l.State, l.Part, l.Forks = string(r.State), r.Part, r.Forks
		l.Ratio, l.Lo, l.Hi = ratios(r.Ratio, r.Lo, r.Hi)
	}
	for i, c := range s.commits {
		x := record.BisectCommit{Commit: c.Hash, Subject: c.Subject, Same: s.same[i], Skipped: s.meter.skipped[i], Forks: len(s.meter.values[i])}
		if x.Forks > 0 {
			x.Median = stat.Median(s.meter.values[i])
		}
		if i < len(r.Probabilities) {
			x.Probability = r.Probabilities[i]
		}
		l.Commits = append(l.Commits, x)
	}
	if r.First > 0 && r.State == bisect.Found {
		l.First, l.Merge = s.commits[r.First].Hash, len(s.commits[r.First].Parents) > 1
		for _, a := range r.Group {
			l.Group = append(l.Group, s.commits[a].Hash)
		}
	}
	return l
}

// ratios returns zeros for what has no finite ratio: a record cannot hold it.
func ratios(ratio, lo, hi float64) (float64, float64, float64) {
	for _, x := range []float64{ratio, lo, hi} {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return 0, 0, 0
		}
	}
	return ratio, lo, hi
}
