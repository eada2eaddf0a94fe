package stat

import (
	"math"
	"math/rand/v2"
	"testing"
)

// shape is a distribution to draw from, with its true median.
type shape struct {
	name   string
	median float64
	draw   func(r *rand.Rand) float64
}

func normalShape(sd float64) shape {
	return shape{"normal", 100, func(r *rand.Rand) float64 { return 100 + 100*sd*r.NormFloat64() }}
}

func lognormalShape(sd float64) shape {
	return shape{"lognormal", 100, func(r *rand.Rand) float64 { return 100 * math.Exp(sd*r.NormFloat64()) }}
}

// heavyShape is t with 3 degrees of freedom: spikes on either side.
func heavyShape(sd float64) shape {
	return shape{"heavy-tailed", 100, func(r *rand.Rand) float64 { return 100 * math.Exp(sd*student3(r)) }}
}

// student3 draws from t(3): a normal over the root of a χ²(3)/3, of which two
// parts are an exponential.
func student3(r *rand.Rand) float64 {
	z := r.NormFloat64()
	return r.NormFloat64() / math.Sqrt((2*r.ExpFloat64()+z*z)/3)
}

// bimodalShape has 70 % of the values near 100 and 30 % near 150; its median
// is the 5/7 quantile of the low mode.
func bimodalShape() shape {
	return shape{"bimodal", 100 + 2*normalQuantile(5.0/7), func(r *rand.Rand) float64 {
		if r.Float64() < 0.7 {
			return 100 + 2*r.NormFloat64()
		}
		return 150 + 2*r.NormFloat64()
	}}
}

func draws(r *rand.Rand, s shape, n int) []float64 {
	xs := make([]float64, n)
	for i := range xs {
		xs[i] = s.draw(r)
	}
	return xs
}

func seeded(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 1)) }

// near compares to a relative precision, NaN equal to NaN.
func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if math.IsNaN(got) && math.IsNaN(want) || got == want {
		return
	}
	if !(math.Abs(got-want) <= tolerance*max(1e-300, math.Abs(want))) {
		t.Errorf("%s = %v, want %v", what, got, want)
	}
}

// nearRate checks that a simulated rate lies within 4.5 standard errors of p.
func nearRate(t *testing.T, what string, hits, n int, p float64) {
	t.Helper()
	rate, se := float64(hits)/float64(n), math.Sqrt(p*(1-p)/float64(n))
	if math.Abs(rate-p) > 4.5*se+1e-12 {
		t.Errorf("%s: rate %.5f of %d, want %.5f ± %.5f", what, rate, n, p, se)
	}
}

var nan, inf = math.NaN(), math.Inf(1)
