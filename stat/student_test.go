package stat

import (
	"math"
	"testing"
)

func TestTQuantile(t *testing.T) {
	for _, c := range []struct{ df, alpha, want float64 }{
		{1, 0.05, 12.7062047}, {2, 0.05, 4.30265273}, {4, 0.001, 8.61030158}, {9, 0.05, 2.26215716},
		{30, 0.01, 2.74999565}, {1000, 0.05, 1.96233908}, {1e7, 0.05, 1.95996398}, {3, 1, 0},
	} {
		near(t, "t", tQuantile(c.df, c.alpha), c.want, 1e-8)
	}
	for df := 1.0; df < 1e8; df *= 1.7 { // BetaInc must not panic
		if p := tTail(df, 1.96); !(p > 0.04 && p < 0.4) {
			t.Errorf("tail of %v degrees of freedom: %v", df, p)
		}
	}
}

func TestTInterval(t *testing.T) {
	// benchmath's smoke test.
	e := TInterval([]float64{-8, 2, 3, 4, 5, 6}, 0.95)
	near(t, "mean", e.Value, 2, 1e-12)
	near(t, "lo", e.Lo, -3.351092806089359, 1e-8)
	near(t, "hi", e.Hi, 7.351092806089359, 1e-8)
	for _, c := range []struct {
		xs   []float64
		want Estimate
	}{
		{nil, Estimate{nan, -inf, inf, 0}},
		{[]float64{3}, Estimate{3, -inf, inf, 0}},
		{[]float64{3, 3, 3}, Estimate{3, 3, 3, 0.95}},
		{[]float64{3, nan}, Estimate{nan, -inf, inf, 0}},
		{[]float64{3, inf}, Estimate{nan, -inf, inf, 0}},
	} {
		got := TInterval(c.xs, 0.95)
		near(t, "mean", got.Value, c.want.Value, 1e-12)
		if got.Lo != c.want.Lo || got.Hi != c.want.Hi || got.Confidence != c.want.Confidence {
			t.Errorf("TInterval(%v) = %+v, want %+v", c.xs, got, c.want)
		}
	}
}

// R's sleep data: t.test(extra ~ group).
func TestWelch(t *testing.T) {
	a := []float64{0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0}
	b := []float64{1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4}
	r := Welch(a, b)
	near(t, "Diff", r.Diff, 1.58, 1e-9)
	near(t, "T", r.T, 1.860813, 1e-6)
	near(t, "DF", r.DF, 17.77647, 1e-6)
	near(t, "P", r.P, 0.07939414, 1e-6)
	for _, c := range []struct {
		a, b []float64
		p    float64
	}{
		{nil, b, nan}, {a[:1], b, nan}, {[]float64{2, 2}, []float64{2, 2}, 1},
		{[]float64{2, 2}, []float64{3, 3}, nan}, {[]float64{2, nan}, b, nan}, {[]float64{2, inf}, b, nan},
	} {
		near(t, "P", Welch(c.a, c.b).P, c.p, 0)
	}
}

func TestClopperPearson(t *testing.T) {
	for _, c := range []struct {
		x, n   int
		conf   float64
		lo, hi float64
	}{
		{1, 36, 0.95, 0.0007, 0.1453}, // statistics.md §4: 0.1 … 14.5 %
		{5, 36, 0.95, 0.0467, 0.2950}, // 4.7 … 29.5 %
		{28, 48, 0.95, 0.4321, 0.7239},
		{0, 10, 0.95, 0, 1 - math.Pow(0.025, 0.1)},
		{10, 10, 0.95, math.Pow(0.025, 0.1), 1},
		{0, 1, 0.95, 0, 0.975},
		{500_000, 1_000_000, 0.95, 0.4990196, 0.5009804},
	} {
		e := ClopperPearson(c.x, c.n, c.conf)
		if math.Abs(e.Lo-c.lo) > 6e-5 || math.Abs(e.Hi-c.hi) > 6e-5 || e.Value != float64(c.x)/float64(c.n) {
			t.Errorf("ClopperPearson(%d, %d) = %+v, want %v … %v", c.x, c.n, e, c.lo, c.hi)
		}
	}
	for _, c := range [][2]int{{0, 0}, {-1, 5}, {6, 5}, {0, -3}} {
		if e := ClopperPearson(c[0], c[1], 0.95); !math.IsNaN(e.Value) || e.Lo != 0 || e.Hi != 1 || e.Confidence != 0 {
			t.Errorf("ClopperPearson(%v) = %+v", c, e)
		}
	}
	if e := ClopperPearson(3, 5, 1); e.Lo != 0 || e.Hi != 1 || e.Confidence != 0 {
		t.Errorf("at confidence 1: %+v", e)
	}
}

// Its defining property, summed exactly: coverage is never below the level.
func TestClopperPearsonCoverage(t *testing.T) {
	const n = 23
	var es [n + 1]Estimate
	for x := range es {
		es[x] = ClopperPearson(x, n, 0.95)
	}
	for p := 0.0; p <= 1; p += 0.01 {
		covered := 0.0
		for x, e := range es {
			if e.Lo <= p && p <= e.Hi {
				covered += binomialPMF(n, p, x)
			}
		}
		if covered < 0.95 {
			t.Errorf("coverage %v at p = %v", covered, p)
		}
	}
}
