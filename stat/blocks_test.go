package stat

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestBlockInterval(t *testing.T) {
	xs := []float64{1, 2, 4, 8, 16, 32, 64, 128}
	if got := BlockInterval(xs, []int{1, 1, 2, 2, 3, 3, 4, 4}, 5, 0.95); got.Confidence != 0 || !math.IsInf(got.Hi, 1) || got.Median != 12 {
		t.Errorf("four blocks of five: %+v", got)
	}
	if got := BlockInterval([]float64{1, 0, 2}, []int{1, 2, 3}, 2, 0.95); got.Confidence != 0 {
		t.Errorf("of nothing: %+v", got)
	}
	got := BlockInterval(xs, []int{1, 2, 3, 4, 5, 6, 7, 8}, 6, 0.95)
	if want := TInterval([]float64{0, 1, 2, 3, 4, 5, 6, 7}, 0.95); math.Abs(math.Log2(got.Hi)-want.Hi) > 1e-9 || got.Confidence != 0.95 {
		t.Errorf("%+v, want 2^%+v", got, want)
	}
}

// TestBlockIntervalCovers: a machine that changes between blocks by 5 %, and forks that spread by 3 %.
func TestBlockIntervalCovers(t *testing.T) {
	const seed, trials = 1, 3000
	r := rand.New(rand.NewPCG(seed, 0))
	held, usual := 0, 0
	for range trials {
		var xs []float64
		var block []int
		for b := range 10 {
			at := 0.05 * r.NormFloat64()
			for range 2 {
				xs, block = append(xs, 100*math.Exp(at+0.03*r.NormFloat64())), append(block, b)
			}
		}
		if iv := BlockInterval(xs, block, 6, 0.95); iv.Lo <= 100 && 100 <= iv.Hi {
			held++
		}
		if iv := MedianInterval(xs, 0.95); iv.Lo <= 100 && 100 <= iv.Hi {
			usual++
		}
	}
	t.Logf("seed %d: over blocks %.1f %%, over forks %.1f %%", seed, 100*float64(held)/trials, 100*float64(usual)/trials)
	if share := float64(held) / trials; share < 0.935 || share > 0.975 {
		t.Errorf("seed %d: held %.1f %%", seed, 100*share)
	}
}
