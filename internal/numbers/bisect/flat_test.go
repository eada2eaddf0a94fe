package bisect

import (
	"math/rand/v2"
	"testing"

	"github.com/tarebench/tare/internal/testkit/testutil"
	"github.com/tarebench/tare/stat"
)

// TestFlatHistories: of histories in which nothing changes, at most 5 % have a suspect that is confirmed. The two commits that are
// compared do not differ, so the drift between days plays no part in it. Where every third benchmark has a step of 3 %, and forks
// spread by at most 5 %, at least 80 % of the steps are found and confirmed.
func TestFlatHistories(t *testing.T) {
	histories := 3
	if testutil.Soak() {
		histories = 200
	}
	for _, host := range []testutil.Host{testutil.Quiet, testutil.Drifting, testutil.Shared} {
		r := rand.New(rand.NewPCG(21, 22))
		accused, suspects := 0, 0
		for range histories {
			medians, _, cvs := host.History(r, 50, 200, 0)
			n, confirmed := confirmAll(r, medians, cvs, func(int, int) float64 { return 0 })
			suspects += n
			if len(confirmed) > 0 {
				accused++
			}
		}
		t.Logf("%s: %d suspects in %d flat histories, %d of which have a confirmed one", host.Name, suspects, histories, accused)
		atLeast(t, host.Name, histories-accused, histories, 0.95)
		if host == testutil.Shared {
			continue
		}
		found, steps := 0, 0
		for range max(1, histories/10) {
			const by = 0.03
			medians, step, cvs := host.History(r, 50, 200, by)
			_, confirmed := confirmAll(r, medians, cvs, func(b, at int) float64 {
				if at-3 <= step[b] && step[b] <= at+3 { // the compared commits lie on both sides of it
					return by
				}
				return 0
			})
			for b, at := range step {
				if at < 200 && cvs[b] <= 0.05 {
					steps++
					if confirmed[b] {
						found++
					}
				}
			}
		}
		t.Logf("%s: %d of %d steps of 3 %% found and confirmed", host.Name, found, steps)
		atLeast(t, host.Name+", steps", found, steps, 0.8)
	}
}

// confirmAll looks for suspects and measures each again. by returns how much the compared commits of a suspect differ. It returns the
// number of suspects, and the benchmarks with a confirmed one.
func confirmAll(r *rand.Rand, medians [][]float64, cvs []float64, by func(benchmark, at int) float64) (suspects int, confirmed map[int]bool) {
	type suspect struct{ benchmark, at int }
	var all []suspect
	common := stat.Common(medians)
	for b, xs := range medians {
		series := make([][]float64, len(xs))
		for i, x := range xs {
			series[i] = []float64{x}
		}
		for _, s := range stat.Shifts(stat.WithoutCommon(series, common), stat.ShiftOptions{}) {
			all = append(all, suspect{b, s.At})
		}
	}
	confirmed = map[int]bool{}
	for _, s := range all {
		got := confirm(newNoise(r.Uint64(), cvs[s.benchmark]), by(s.benchmark, s.at), ConfirmOptions{Suspects: len(all)})
		if got.State == Confirmed {
			confirmed[s.benchmark] = true
		}
	}
	return len(all), confirmed
}
