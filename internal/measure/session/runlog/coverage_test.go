package runlog

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/tarebench/tare/stat"
)

// TestCoverage draws runs of a shared machine at random (testdata/shared.jsonl: 49 runs of 20 forks each, in half an
// hour in which others used 0 to 2 of its 2 processors): how often the interval of one holds another's median, where
// both were made under like conditions.
func TestCoverage(t *testing.T) {
	const seed, draws = 1, 3000
	all, err := Read("testdata/shared.jsonl", "shared")
	if err != nil || len(all) != 49 {
		t.Fatal(len(all), err)
	}
	r := rand.New(rand.NewPCG(seed, 0))
	type tally struct {
		held, known int
		widths      []float64
	}
	var calm, busy tally
	for range draws {
		order := r.Perm(len(all))
		past := make([]Entry, 20)
		for i := range past {
			past[i] = all[order[i]]
			past[i].Time = noon.Add(time.Duration(i-len(past)) * 20 * time.Minute)
		}
		now, next := all[order[20]], all[order[21]]
		now.Time = noon
		if !now.like(next) {
			continue
		}
		x := &calm
		if now.Loss >= 0.05 {
			x = &busy
		}
		for i, p := range Predict(now, past, 0.95) {
			if p.Half == 0 || p.Approximate {
				continue
			}
			x.known++
			x.widths = append(x.widths, p.Half)
			if math.Abs(math.Log(next.Benchmarks[i].Median/now.Benchmarks[i].Median)) <= p.Half {
				x.held++
			}
		}
	}
	for name, x := range map[string]tally{"calm": calm, "busy": busy} {
		share := float64(x.held) / float64(x.known)
		t.Logf("seed %d, %s: held %.1f %% of %d, half-width %.0f %%, median", seed, name, 100*share, x.known, 100*math.Expm1(stat.Median(x.widths)))
		if share < 0.91 || share > 0.995 {
			t.Errorf("seed %d, %s: held %.1f %%, stated 95", seed, name, 100*share)
		}
	}
}
