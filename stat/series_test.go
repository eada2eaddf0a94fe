package stat

import (
	"math"
	"math/rand/v2"
	"testing"
)

// series returns values that follow each other with the correlation rho.
func series(rng *rand.Rand, n int, rho float64) []float64 {
	x := rng.NormFloat64()
	out := make([]float64, n)
	for i := range out {
		x = rho*x + math.Sqrt(1-rho*rho)*rng.NormFloat64()
		out[i] = math.Exp(0.3 * x)
	}
	return out
}

func TestSeriesLevels(t *testing.T) {
	const trials = 2000
	rng := rand.New(rand.NewPCG(7, 8))
	for _, test := range []struct {
		n    int
		rho  float64
		most float64
	}{{60, 0, 0.065}, {60, 0.3, 0.075}, {60, 0.6, 0.095}, {300, 0.6, 0.07}} {
		different, naive := 0, 0
		for range trials {
			a, b := series(rng, test.n, test.rho), series(rng, test.n, test.rho)
			c := CompareSeries(a, b, Options{Threshold: -1})
			if c.Lo > 1 || c.Hi < 1 {
				different++
			}
			x, _ := logs(a)
			y, _ := logs(b)
			if Welch(x, y).P < 0.05 {
				naive++
			}
		}
		if got := float64(different) / trials; got > test.most {
			t.Errorf("%d values, correlation %v: %.3f were called different", test.n, test.rho, got)
		}
		if test.rho > 0.5 && float64(naive)/trials < 0.15 {
			t.Errorf("the t test alone calls %.3f different: this simulation shows nothing", float64(naive)/trials)
		}
	}
}

func TestSeriesEdges(t *testing.T) {
	flat, twice := make([]float64, 20), make([]float64, 20)
	for i := range flat {
		flat[i], twice[i] = 1, 2
	}
	zero := append([]float64{0}, flat...)
	for _, test := range []struct {
		name string
		a, b []float64
		want Verdict
	}{
		{"none", nil, nil, Undecided}, {"few", flat[:9], twice[:9], Undecided}, {"zero", zero, twice, Undecided},
		{"equal", flat, flat, Equivalent}, {"twice", flat, twice, Slower},
	} {
		if c := CompareSeries(test.a, test.b, Options{}); c.Verdict != test.want {
			t.Errorf("%s: %+v", test.name, c)
		}
	}
}

func TestEffective(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	for rho, want := range map[float64]float64{0: 1000, 0.5: 333} {
		x, _ := logs(series(rng, 1000, rho))
		if got := Effective(x); math.Abs(got-want) > 0.2*want {
			t.Errorf("correlation %v: %v, want about %v", rho, got, want)
		}
	}
}
