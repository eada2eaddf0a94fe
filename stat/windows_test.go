package stat_test

import (
	"encoding/csv"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"

	"github.com/tarebench/tare/internal/testkit/testutil"
	"github.com/tarebench/tare/stat"
)

// recorded are fork values of six benchmarks of very different noise, measured
// by tare bench with its default iterations, interleaved, on a shared virtual
// machine with two CPUs, in the order in which they were measured: in each row the
// benchmark's name and its values, ns/op.
func recorded(t *testing.T) map[string][]float64 {
	f, err := os.Open("testdata/forks.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	out := map[string][]float64{}
	for _, r := range rows {
		for _, cell := range r[1:] {
			x, err := strconv.ParseFloat(cell, 64)
			if err != nil {
				t.Fatal(err)
			}
			out[r[0]] = append(out[r[0]], x)
		}
	}
	return out
}

// TestRecordedWindows cuts the recorded forks into windows of 22 a side and
// counts verdicts: on the same code, and on a side made slower by 5 %. Sides are
// drawn at random within each neighbouring pair, as tare bench interleaves them.
func TestRecordedWindows(t *testing.T) {
	const side = 22
	draws := testutil.Pick(40, 200)
	var found, tried, calmFound, calmTried int
	forks := recorded(t)
	for _, name := range slices.Sorted(maps.Keys(forks)) {
		values := forks[name]
		rng := rand.New(rand.NewPCG(1, 2))
		var wrong, slower, windows int
		for at := 0; at+2*side <= len(values); at += 2 * side {
			window := values[at : at+2*side]
			for range draws {
				a, b := deal(rng, window)
				windows++
				switch stat.Compare(a, b, stat.Options{Resamples: -1}).Verdict {
				case stat.Faster, stat.Slower:
					wrong++
				}
				for i := range b {
					b[i] *= 1.05
				}
				if stat.Compare(a, b, stat.Options{Resamples: -1}).Verdict == stat.Slower {
					slower++
				}
			}
		}
		cv := stat.RobustCV(values)
		t.Logf("%-28s %3d windows  robust CV %5.1f %%  same code called different %4.1f %%  +5 %% called slower %5.1f %%",
			name, windows/draws, 100*cv, percent(wrong, windows), percent(slower, windows))
		if percent(wrong, windows) > 5 {
			t.Errorf("%s: the same code is called faster or slower in %.1f %% of windows", name, percent(wrong, windows))
		}
		found, tried = found+slower, tried+windows
		if cv <= 0.06 {
			calmFound, calmTried = calmFound+slower, calmTried+windows
		}
	}
	t.Logf("+5 %% called slower: %.1f %% of all windows, %.1f %% of those of benchmarks with a robust CV up to 6 %%",
		percent(found, tried), percent(calmFound, calmTried))
}

// deal splits a window: of each pair of neighbours one goes to either side.
func deal(rng *rand.Rand, window []float64) (a, b []float64) {
	for i := 0; i+1 < len(window); i += 2 {
		x, y := window[i], window[i+1]
		if rng.IntN(2) == 0 {
			x, y = y, x
		}
		a, b = append(a, x), append(b, y)
	}
	return a, b
}

func percent(n, of int) float64 { return 100 * float64(n) / float64(max(of, 1)) }
