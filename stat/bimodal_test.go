package stat

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/tarebench/tare/internal/testkit/testutil"
)

func TestBimodalFinds(t *testing.T) {
	r := seeded(1)
	xs := append(draws(r, normalShape(0.02), 17), draws(r, normalShape(0.02), 3)...)
	for i := range xs {
		xs[i] *= 2.97
		if i >= 17 {
			xs[i] *= 451.0 / 297
		}
	}
	s := Bimodal(xs)
	if !s.Convincing || s.Low.N != 17 || s.High.N != 3 {
		t.Fatalf("%+v", s)
	}
	near(t, "low centre", s.Low.Centre, 297, 0.02)
	near(t, "high centre", s.High.Centre, 451, 0.02)
	near(t, "low SD", s.Low.SD, 0.02, 0.5)
}

func TestBimodalEdges(t *testing.T) {
	six := 6.0
	needed := 2 + 20/six
	for _, c := range []struct {
		xs   []float64
		want Bimodality
	}{
		{nil, Bimodality{}}, {[]float64{1, 1, 1, 2, 2}, Bimodality{}}, {[]float64{1, 1, 1, 2, 2, nan}, Bimodality{}},
		{[]float64{1, 1, 1, 2, 2, inf}, Bimodality{}},
		{[]float64{2, 1, 1, 2, 1, 2}, Bimodality{Group{3, 1, 0}, Group{3, 2, 0}, inf, needed, true}},
		{[]float64{2, 2.05, 2, 2.05, 2, 2.05}, Bimodality{Group{3, 2, 0}, Group{3, 2.05, 0}, inf, needed, false}},
		{[]float64{5, 5, 5, 5, 5, 5}, Bimodality{Group{3, 5, 0}, Group{3, 5, 0}, 0, needed, false}},
		{[]float64{-3, -3, -3, 0, 0, 0}, Bimodality{Group{3, -3, 0}, Group{3, 0, 0}, inf, needed, true}},
		{[]float64{0, 0, 0, 0, 0, 0}, Bimodality{Group{3, 0, 0}, Group{3, 0, 0}, 0, needed, false}},
	} {
		if got := Bimodal(c.xs); got != c.want {
			t.Errorf("Bimodal(%v) = %+v, want %+v", c.xs, got, c.want)
		}
	}
	// Two stray values are not a group, three are.
	xs := []float64{100, 101, 102, 99, 98, 100.5, 101.5, 99.5, 98.5, 100.2, 150, 151}
	if s := Bimodal(xs); s.Convincing {
		t.Errorf("two strays: %+v", s)
	}
	if s := Bimodal(append(xs, 152)); !s.Convincing || s.High.N != 3 {
		t.Errorf("three: %+v", s)
	}
}

// alarms is the share of samples called bimodal.
func alarms(r *rand.Rand, s shape, n, samples int) float64 {
	hits := 0
	for range samples {
		if Bimodal(draws(r, s, n)).Convincing {
			hits++
		}
	}
	return float64(hits) / float64(samples)
}

func TestBimodalFalseAlarms(t *testing.T) {
	uniform := shape{"uniform", 100, func(r *rand.Rand) float64 { return 80 + 40*r.Float64() }}
	exponential := shape{"exponential", 107, func(r *rand.Rand) float64 { return 100 + 10*r.ExpFloat64() }}
	spiky := shape{"spiky", 100, func(r *rand.Rand) float64 { // one fork in ten is hit
		x := 100 + 2*r.NormFloat64()
		if r.Float64() < 0.1 {
			x *= 1 + 0.3*r.ExpFloat64()
		}
		return x
	}}
	for _, s := range []shape{normalShape(0.05), lognormalShape(0.2), heavyShape(0.1), uniform, exponential, spiky} {
		for _, n := range []int{6, 10, 20, 40, 80} {
			got := alarms(seeded(uint64(n)), s, n, testutil.Pick(1000, 4000))
			limit := 0.025
			if n == 20 && s.name != "exponential" && s.name != "spiky" {
				limit = 0.005
			}
			t.Logf("%-12s n=%2d: %.2f %%", s.name, n, 100*got)
			if got > limit {
				t.Errorf("%s, n=%d: %.2f %% called bimodal", s.name, n, 100*got)
			}
		}
	}
}

func TestBimodalPower(t *testing.T) {
	mixture := func(share, factor, sd float64) shape {
		return shape{"mixture", nan, func(r *rand.Rand) float64 {
			x := 100 * math.Exp(sd*r.NormFloat64())
			if r.Float64() < share {
				x *= factor
			}
			return x
		}}
	}
	for _, c := range []struct {
		share, factor, sd float64
		n                 int
		least             float64
	}{{0.5, 1.5, 0.05, 20, 0.85}, {0.3, 1.5, 0.05, 20, 0.8}, {0.3, 1.5, 0.02, 10, 0.5}, {0.5, 1.2, 0.02, 20, 0.9}, {0.15, 1.5, 0.02, 40, 0.8}} {
		got := alarms(seeded(9), mixture(c.share, c.factor, c.sd), c.n, 1000)
		t.Logf("%+v: %.1f %% found", c, 100*got)
		if got < c.least {
			t.Errorf("%+v: only %.1f %% found", c, 100*got)
		}
	}
}
