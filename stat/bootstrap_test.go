package stat

import (
	"math"
	"testing"

	"github.com/tarebench/tare/internal/testkit/testutil"
)

// enumerate returns the distribution of the two middle ranks over all nⁿ
// resamples.
func enumerate(n int) map[[2]int]float64 {
	p, ranks := map[[2]int]float64{}, make([]float64, n)
	total := math.Pow(float64(n), float64(n))
	for code := range int(total) {
		for i, c := 0, code; i < n; i, c = i+1, c/n {
			ranks[i] = float64(c%n + 1)
		}
		s := sorted(ranks)
		p[[2]int{int(s[(n-1)/2]), int(s[n/2])}] += 1 / total
	}
	return p
}

// TestMedianRankDistribution checks the formula itself, against all resamples
// of up to seven values.
func TestMedianRankDistribution(t *testing.T) {
	for n := 2; n <= 7; n++ {
		xs := make([]float64, n)
		d, exact := newMedianDraw(xs), enumerate(n)
		before := 0.0
		for i := 1; i <= n; i++ {
			pi := d.cdf[i-1] - before
			before = d.cdf[i-1]
			above := 1.0 // P(R(r+1) ≥ j | R(r) = i)
			for j := i; j <= n; j++ {
				got := indicator(i == j)
				if n%2 == 0 {
					next := math.Exp(d.k[i-1]) * math.Pow(float64(n-j)/float64(n), float64(d.r))
					got, above = above-next, next
				}
				if want := exact[[2]int{i, j}]; math.Abs(pi*got-want) > 1e-11 {
					t.Errorf("n=%d: P(%d, %d) = %v, want %v", n, i, j, pi*got, want)
				}
			}
		}
	}
}

// TestMedianDrawIsResampling compares drawn medians with medians of real
// resamples at the deciles.
func TestMedianDrawIsResampling(t *testing.T) {
	resamples := testutil.Pick(10_000, 40_000)
	r, u := seeded(1), newUniform(2)
	for _, n := range []int{2, 3, 10, 21, 22, 200} {
		xs := sorted(draws(r, lognormalShape(0.2), n))
		direct, naive := make([]float64, resamples), make([]float64, resamples)
		d, resample := newMedianDraw(xs), make([]float64, n)
		for i := range direct {
			direct[i] = d.draw(u)
			for j := range resample {
				resample[j] = xs[u.index(n)]
			}
			naive[i] = Median(resample)
		}
		for q := 0.1; q < 0.95; q += 0.1 {
			cut := Quantile(naive, q)
			p, hits := 0.0, 0
			for i := range naive {
				p += indicator(naive[i] <= cut) / float64(resamples)
				if direct[i] <= cut {
					hits++
				}
			}
			drawn := float64(hits) / float64(resamples)
			if math.Abs(drawn-p) > 4.5*math.Sqrt(2*p*(1-p)/float64(resamples)) {
				t.Errorf("n=%d: %.4f of drawn medians at most %v, naive %.4f", n, drawn, cut, p)
			}
		}
	}
}

// Large samples must neither underflow nor leave the range.
func TestMedianDrawLarge(t *testing.T) {
	xs := make([]float64, 3000)
	for i := range xs {
		xs[i] = float64(i + 1)
	}
	d, u := newMedianDraw(xs), newUniform(3)
	sum := 0.0
	for range 2000 {
		m := d.draw(u)
		if !(m >= 1200 && m <= 1800) { // 11 standard deviations of 27
			t.Fatalf("median %v of a resample of 1 … 3000", m)
		}
		sum += m / 2000
	}
	if math.Abs(sum-1500.5) > 4 {
		t.Errorf("mean of medians %v", sum)
	}
}

func TestBootstrapRatio(t *testing.T) {
	a, b := []float64{9, 10, 11, 10.5, 9.5, 10.2}, []float64{11, 12, 13, 12.5, 11.5, 12.1}
	e := BootstrapRatio(a, b, 0, 0.95, 7)
	near(t, "Value", e.Value, 12.05/10.1, 1e-12)
	if !(1 < e.Lo && e.Lo < e.Value && e.Value < e.Hi && e.Hi < 1.4) || e.Confidence != 0.95 {
		t.Errorf("%+v", e)
	}
	if again := BootstrapRatio(a, b, DefaultResamples, 0.95, 7); again != e {
		t.Errorf("same seed, %+v after %+v", again, e)
	}
	if other := BootstrapRatio(a, b, 0, 0.95, 8); other.Value != e.Value || math.Abs(other.Lo-e.Lo) > 0.02 {
		t.Errorf("other seed, %+v after %+v", other, e)
	}
	for _, c := range []struct {
		a, b []float64
		conf float64
		want Estimate
	}{
		{nil, b, 0.95, noRatio()}, {[]float64{-1, 1}, b, 0.95, noRatio()}, {[]float64{nan, 1}, b, 0.95, noRatio()},
		{[]float64{2}, []float64{3, 3}, 0.95, Estimate{1.5, 0, inf, 0}},
		{[]float64{2, 2}, []float64{3, 3}, 1, Estimate{1.5, 0, inf, 0}},
		{[]float64{2, 2}, []float64{3, 3}, 0.95, Estimate{1.5, 1.5, 1.5, 0.95}},
		{[]float64{0, 0}, []float64{0, 0}, 0.95, Estimate{1, 1, 1, 0.95}},
		{[]float64{0, 0}, []float64{3, 3}, 0.95, Estimate{inf, inf, inf, 0.95}},
	} {
		got := BootstrapRatio(c.a, c.b, 100, c.conf, 1)
		near(t, "Value", got.Value, c.want.Value, 1e-12)
		near(t, "Lo", got.Lo, c.want.Lo, 1e-12)
		near(t, "Hi", got.Hi, c.want.Hi, 1e-12)
		near(t, "Confidence", got.Confidence, c.want.Confidence, 1e-12)
	}
}

func TestGeoMean(t *testing.T) {
	for _, c := range []struct {
		xs   []float64
		want float64
	}{
		{nil, nan}, {[]float64{3}, 3}, {[]float64{1, 4}, 2}, {[]float64{0.5, 2}, 1}, {[]float64{0, 5}, 0},
		{[]float64{-1, 5}, nan}, {[]float64{nan, 5}, nan}, {[]float64{0, inf}, nan}, {[]float64{1, inf}, inf},
	} {
		near(t, "GeoMean", GeoMean(c.xs), c.want, 1e-12)
	}
	xs := []float64{0.9, 0.95, 1, 1.02, 0.97, 0.93, 1.1, 0.99}
	e := GeoMeanInterval(xs, 0, 0.95, 1)
	near(t, "Value", e.Value, GeoMean(xs), 1e-12)
	// Close to mean ± 2 standard errors of the logarithms.
	ls, _ := logs(xs)
	se := math.Sqrt(squares(ls, mean(ls))) / 8
	near(t, "Lo", e.Lo, e.Value*math.Exp(-2*se), 0.01)
	near(t, "Hi", e.Hi, e.Value*math.Exp(2*se), 0.01)
	if again := GeoMeanInterval(xs, 0, 0.95, 1); again != e {
		t.Errorf("same seed, %+v after %+v", again, e)
	}
	if e := GeoMeanInterval([]float64{2}, 0, 0.95, 1); e.Value != 2 || e.Lo != 0 || !math.IsInf(e.Hi, 1) || e.Confidence != 0 {
		t.Errorf("one ratio: %+v", e)
	}
	for _, xs := range [][]float64{nil, {0, 1}, {-1, 1}, {nan, 1}} {
		if e := GeoMeanInterval(xs, 10, 0.95, 1); !math.IsNaN(e.Value) || !math.IsNaN(e.Lo) {
			t.Errorf("GeoMeanInterval(%v) = %+v", xs, e)
		}
	}
}
