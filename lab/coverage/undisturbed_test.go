package main

import (
	"math/rand/v2"
	"os"
	"testing"

	"github.com/tarebench/tare/stat"
)

// TestUndisturbedCoverage checks that the confidence interval of Savage's test covers the true ratio at its stated rate, for
// each distribution of forks, within what chance allows for this number of simulated runs. TARE_SOAK=1 simulates nearly
// seven times as many, and all sample sizes.
func TestUndisturbedCoverage(t *testing.T) {
	const seed = 11
	runs, few := 150, []int{6, 20}
	if os.Getenv("TARE_SOAK") != "" {
		runs, few = 1000, sizes
	}
	const chance = 1e-4 // of an error in a row, if the coverage is what is stated
	for i, s := range shapes {
		for _, n := range few {
			r := rand.New(rand.NewPCG(seed, uint64(i)<<40|uint64(n)))
			old, new := make([]float64, n), make([]float64, n)
			for _, truth := range []float64{1, shift} {
				held, stated := 0, 0.0
				for range runs {
					s.draw(r, truth, old, new)
					x := stat.Savage(old, new, nominal, false).Ratio
					stated = x.Confidence
					if x.Lo <= truth && truth <= x.Hi {
						held++
					}
				}
				if stated < nominal {
					t.Errorf("%s, n = %d: an interval of %.4f", s.name, n, stated)
				}
				if e := stat.ClopperPearson(held, runs, 1-chance); stated < e.Lo || stated > e.Hi {
					t.Errorf("seed %d, %s, n = %d: the interval of %.3f holds %g in %d of %d runs", seed, s.name, n, stated, truth, held, runs)
				}
			}
		}
	}
}
