package testutil

import (
	"math"
	"math/rand/v2"
)

// Host describes how the values of a machine drift from commit to commit.
type Host struct {
	Name        string
	Common, Own float64 // relative standard deviation of the drift, of all benchmarks together and of each
	Outliers    float64 // share of points
}

// Machines as they were seen.
var (
	Quiet    = Host{"quiet", 0.005, 0.005, 0.02}
	Drifting = Host{"drifting", 0.015, 0.01, 0.03}
	Shared   = Host{"shared runners", 0.04, 0.02, 0.05}
)

// History draws the medians of ten forks of benchmarks at commits, and the spread of each benchmark's forks, 2 to 8 %. Every third
// benchmark has a step by at commit step[b], if by is not 0; the others have step[b] = commits.
func (h Host) History(r *rand.Rand, benchmarks, commits int, by float64) (medians [][]float64, step []int, cvs []float64) {
	drift := make([]float64, commits)
	x := r.NormFloat64()
	for i := range drift {
		x = 0.7*x + math.Sqrt(1-0.49)*r.NormFloat64()
		drift[i] = h.Common * x
	}
	for b := range benchmarks {
		at, cv, y := commits, 0.02+0.06*r.Float64(), r.NormFloat64()
		if by != 0 && b%3 == 0 {
			at = 20 + r.IntN(commits-40)
		}
		xs := make([]float64, commits)
		for i := range xs {
			y = 0.5*y + math.Sqrt(0.75)*r.NormFloat64()
			log := drift[i] + h.Own*y + cv*math.Sqrt(math.Pi/2/10)*r.NormFloat64()
			if i >= at {
				log += math.Log1p(by)
			}
			if r.Float64() < h.Outliers {
				log += 0.1 * r.ExpFloat64()
			}
			xs[i] = 100 * math.Exp(log)
		}
		medians, step, cvs = append(medians, xs), append(step, at), append(cvs, cv)
	}
	return medians, step, cvs
}
