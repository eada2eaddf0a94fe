package stat

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

func TestRunVariance(t *testing.T) {
	nan := math.NaN()
	for _, tt := range []struct {
		groups   [][]float64
		variance float64
		df       int
	}{
		{nil, nan, 0},
		{[][]float64{{1}, {9}}, nan, 0},
		{[][]float64{{1, 3}}, 2, 1},
		{[][]float64{{1, 3}, {11, 13}, {7}}, 2, 2},
		{[][]float64{{1, 2, 3}, {5, 5}}, 2. / 3, 3},
	} {
		v, df := RunVariance(tt.groups)
		if df != tt.df || v != tt.variance && !(math.IsNaN(v) && math.IsNaN(tt.variance)) {
			t.Errorf("%v: %v, %d; want %v, %d", tt.groups, v, df, tt.variance, tt.df)
		}
	}
}

func TestNextRunWithoutKnowledge(t *testing.T) {
	nan := math.NaN()
	if h := NextRun(nan, 0, nan, 0.95); !math.IsInf(h, 1) {
		t.Errorf("half %v of nothing", h)
	}
	if a, b := NextRun(nan, 0, 0.01, 0.95), NextRun(0.01, 5, 0.01, 0.95); !(a > b) {
		t.Errorf("others alone give %v, with own runs %v", a, b)
	}
	if h := NextRun(0, 20, nan, 0.95); h < 0.01 {
		t.Errorf("half %v: no machine is as steady", h)
	}
}

// TestNextRunCovers simulates machines on which runs spread, each benchmark by an amount of its own.
func TestNextRunCovers(t *testing.T) {
	const trials, confidence = 4000, 0.95
	const seed = 1
	r := rand.New(rand.NewPCG(seed, 0))
	for _, past := range []int{5, 10, 20} {
		t.Run(fmt.Sprintf("past=%d", past), func(t *testing.T) {
			held := 0
			for range trials {
				sd, others := 0.05*math.Exp(0.5*r.NormFloat64()), 0.0
				for range 5 {
					x := 0.05 * math.Exp(0.5*r.NormFloat64())
					others += x * x / 5
				}
				runs := make([]float64, past+1) // of two binaries, the second 30 % slower
				for i := range runs {
					runs[i] = sd * r.NormFloat64()
				}
				half := len(runs) / 2
				for i := range half {
					runs[i] += 0.3
				}
				v, df := RunVariance([][]float64{runs[:half], runs[half:]})
				if math.Abs(runs[past]-sd*r.NormFloat64()) <= NextRun(v, df, others, confidence) {
					held++
				}
			}
			share := float64(held) / trials
			t.Logf("seed %d: held %.1f %%", seed, 100*share)
			if share < 0.93 || share > 0.99 {
				t.Errorf("seed %d: held %.1f %%, stated 95", seed, 100*share)
			}
		})
	}
}
