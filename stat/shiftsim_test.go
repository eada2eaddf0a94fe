package stat

import (
	"fmt"
	"math"
	"testing"

	"github.com/tarebench/tare/internal/testkit/testutil"
)

func oneFork(xs []float64) [][]float64 {
	out := make([][]float64, len(xs))
	for i, x := range xs {
		out[i] = []float64{x}
	}
	return out
}

// Suspects per flat history of 50 benchmarks, and how many steps of 3 and 5 % are found within 10 commits.
func TestShiftsOfHistories(t *testing.T) {
	histories := 2
	if testutil.Soak() {
		histories = 20
	}
	for _, c := range []struct {
		testutil.Host
		subtract      bool
		flat          float64 // suspects of a flat history, at most
		three, five   float64 // share found, at least
		freshPerBench float64 // at most
	}{
		{testutil.Quiet, false, 3, 0.8, 0.95, 0.02}, {testutil.Quiet, true, 2, 0.7, 0.95, 0.02},
		{testutil.Drifting, true, 3, 0.7, 0.95, 0.02}, {testutil.Shared, true, 5, 0.4, 0.85, 0.02},
	} {
		r := seeded(11)
		suspects, freshes, found, steps := 0, 0, map[float64]int{}, map[float64]int{}
		for range histories {
			for _, by := range []float64{0, 0.03, 0.05} {
				medians, step, _ := c.History(r, 50, 200, by)
				common := Common(medians)
				for b, xs := range medians {
					s := oneFork(xs)
					if c.subtract {
						s = WithoutCommon(s, common)
					}
					got := Shifts(s, ShiftOptions{})
					if by == 0 {
						for _, x := range got {
							suspects += int(indicator(!x.Fresh))
							freshes += int(indicator(x.Fresh))
						}
						continue
					}
					if step[b] == len(xs) {
						continue
					}
					steps[by]++
					for _, x := range got {
						if math.Abs(float64(x.At-step[b])) <= 10 && x.Ratio > 1 {
							found[by]++
							break
						}
					}
				}
			}
		}
		flat, share := float64(suspects)/float64(histories), func(by float64) float64 { return float64(found[by]) / float64(steps[by]) }
		t.Logf("%s, subtracted %v: %.1f suspects and %.2f fresh per flat history of 50 benchmarks; 3 %%: %.0f %%, 5 %%: %.0f %%", c.Name, c.subtract, flat, float64(freshes)/float64(histories), 100*share(0.03), 100*share(0.05))
		if flat > c.flat || share(0.03) < c.three || share(0.05) < c.five || float64(freshes)/float64(50*histories) > c.freshPerBench {
			t.Errorf("%s, subtracted %v: see the log", c.Name, c.subtract)
		}
	}
}

// How soon a step is seen: 80 points before it, k at the new level.
func TestShiftDelay(t *testing.T) {
	trials := 100
	if testutil.Soak() {
		trials = 1000
	}
	r := seeded(12)
	text := ""
	for _, by := range []float64{0, 0.05, 0.1, 0.2} {
		text += fmt.Sprintf("\n%4.0f %%:", 100*by)
		for _, k := range []int{2, 3, 5, 8, 20} {
			found := 0
			for range trials {
				medians, _, _ := testutil.Quiet.History(r, 1, 80+k, 0)
				for i := 80; i < 80+k; i++ {
					medians[0][i] *= 1 + by
				}
				got := Shifts(oneFork(medians[0]), ShiftOptions{})
				if n := len(got); n > 0 && got[n-1].At >= 70 {
					found++
					if got[n-1].At > 80+k-3 {
						t.Fatalf("accused before 2 later points: %+v", got[n-1])
					}
				}
			}
			text += fmt.Sprintf(" k=%d %.0f", k, 100*float64(found)/float64(trials))
			if by == 0.2 && k >= 3 && found < trials*9/10 || by == 0 && found > trials*5/100+3 {
				t.Errorf("step %g, %d points: %d of %d", by, k, found, trials)
			}
		}
	}
	t.Log(text)
}
