package stat

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/tarebench/tare/internal/testkit/testutil"
)

// Why forks are the sample: no difference, but between-fork variance (ICC 0.7).
// Iterations thrown together reject far too often, fork medians as promised.
func TestPooledIterationsLie(t *testing.T) {
	const trials, forks, iterations = 600, 8, 5
	r := seeded(1)
	side := func() (pooled, medians []float64) {
		for range forks {
			base, fork := math.Sqrt(0.7)*r.NormFloat64(), make([]float64, iterations)
			for i := range fork {
				fork[i] = 100 + base + math.Sqrt(0.3)*r.NormFloat64()
			}
			pooled, medians = append(pooled, fork...), append(medians, Median(fork))
		}
		return pooled, medians
	}
	lies, alarms := 0, 0
	for range trials {
		pa, ma := side()
		pb, mb := side()
		lies += int(indicator(MannWhitney(pa, pb).P <= 0.05))
		alarms += int(indicator(MannWhitney(ma, mb).P <= 0.05))
	}
	_, size := newUNull(forks, forks).critical(0.05)
	nearRate(t, "fork medians", alarms, trials, size)
	if lies < trials/4 {
		t.Errorf("pooled iterations rejected %d of %d", lies, trials)
	}
}

// Why sides are interleaved: linear drift and spikes, no difference.
func TestInterleavingBeatsDrift(t *testing.T) {
	const trials, n = 600, 10
	r := seeded(2)
	sequential, interleaved := 0, 0
	for range trials {
		xs := make([]float64, 2*n)
		for i := range xs {
			xs[i] = 100 * (1 + 0.04*float64(i)/(2*n) + 0.015*r.NormFloat64())
			if r.Float64() < 0.1 {
				xs[i] *= 1 + 0.3*r.ExpFloat64()
			}
		}
		var a, b []float64
		for i := 0; i < len(xs); i += 2 {
			j := r.IntN(2)
			a, b = append(a, xs[i+j]), append(b, xs[i+1-j])
		}
		sequential += int(indicator(MannWhitney(xs[:n], xs[n:]).P <= 0.05))
		interleaved += int(indicator(MannWhitney(a, b).P <= 0.05))
	}
	if sequential < trials/4 || interleaved > trials*6/100 {
		t.Errorf("rejected of %d: sequential %d, interleaved %d", trials, sequential, interleaved)
	}
}

// Coverage of the ratio intervals at 20 forks a side, true ratio 1.1:
// Hodges–Lehmann's is exact, the bootstrap's near its level.
func TestRatioCoverage(t *testing.T) {
	const n, truth = 20, 1.1
	trials := testutil.Pick(400, 1000)
	for i, s := range []shape{lognormalShape(0.1), heavyShape(0.05)} {
		r := seeded(uint64(3 + i))
		hl, boot, level := 0, 0, 0.0
		for trial := range trials {
			a, b := draws(r, s, n), draws(r, s, n)
			for i := range b {
				b[i] *= truth
			}
			e := HodgesLehmann(a, b, 0.95)
			level = e.Confidence
			hl += int(indicator(e.Lo <= truth && truth <= e.Hi))
			e = BootstrapRatio(a, b, 1000, 0.95, uint64(trial))
			boot += int(indicator(e.Lo <= truth && truth <= e.Hi))
		}
		nearRate(t, s.name+": Hodges–Lehmann", hl, trials, level)
		t.Logf("%s: bootstrap covers %.1f %%", s.name, 100*float64(boot)/float64(trials))
		if boot < trials*93/100 || boot > trials*98/100 {
			t.Errorf("%s: bootstrap covers %d of %d", s.name, boot, trials)
		}
	}
}

// A/A comparisons are hardly ever faster or slower, less so once corrected.
func TestNoDifference(t *testing.T) {
	const tables, benchmarks = 60, 20
	r, alarms, corrected := seeded(5), 0, 0
	for range tables {
		cs := make([]Comparison, benchmarks)
		for i := range cs {
			cs[i] = Compare(draws(r, heavyShape(0.03), 10), draws(r, heavyShape(0.03), 10), Options{Resamples: -1})
			alarms += directional(cs[i : i+1])
		}
		corrected += min(1, directional(Adjust(cs, Holm)))
	}
	if alarms > tables*benchmarks*6/100 || corrected > tables/10 {
		t.Errorf("%d alarms in %d comparisons; after Holm in %d of %d tables", alarms, tables*benchmarks, corrected, tables)
	}
}

func directional(cs []Comparison) (n int) {
	for _, c := range cs {
		n += int(indicator(c.Verdict == Faster || c.Verdict == Slower))
	}
	return n
}

// Looking several times at the planned confidence keeps the total error; looking
// as often at 0.95 does not.
func TestInterimAnalysesKeepAlpha(t *testing.T) {
	const trials = 300
	r := seeded(6)
	planned, peeking := 0, 0
	for range trials {
		a, b := normals(r, 80), normals(r, 80)
		hit, peek := false, false
		for _, l := range InterimAnalyses(80, 0.95) {
			p := MannWhitney(a[:l.Forks], b[:l.Forks]).P
			hit = hit || p <= alphaOf(l.Confidence)
			peek = peek || p <= 0.05
		}
		planned, peeking = planned+int(indicator(hit)), peeking+int(indicator(peek))
	}
	if planned > trials*7/100 || peeking < planned {
		t.Errorf("of %d: planned %d, peeking %d", trials, planned, peeking)
	}
}

func normals(r *rand.Rand, n int) []float64 { return draws(r, normalShape(0.05), n) }
