package stat

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// bruteSavage returns the two-sided p by counting all choices of ranks for b, with scores that are not rounded where
// round is nil.
func bruteSavage(ranksOfB []int, n int, scores []float64) float64 {
	observed := 0.0
	for _, r := range ranksOfB {
		observed += scores[r]
	}
	var all, le, ge float64
	for set := range 1 << n {
		s, k := 0.0, 0
		for r := range n {
			if set>>r&1 == 1 {
				s += scores[r]
				k++
			}
		}
		if k != len(ranksOfB) {
			continue
		}
		all++
		if s <= observed+1e-9 {
			le++
		}
		if s >= observed-1e-9 {
			ge++
		}
	}
	return min(1, 2*min(le, ge)/all)
}

// TestSavageExact: p is that of enumeration, for all splits of up to ten ranks.
func TestSavageExact(t *testing.T) {
	for n := 2; n <= 10; n++ {
		for m := 1; m < n; m++ {
			null := newScoreNull(m, n-m)
			rounded := make([]float64, n)
			for i, s := range null.scores {
				rounded[i] = float64(s)
			}
			for range 6 {
				perm := rand.New(rand.NewPCG(uint64(n), uint64(m))).Perm(n)
				var a, b []float64
				for i, r := range perm {
					if i < m {
						a = append(a, float64(1+r))
					} else {
						b = append(b, float64(1+r))
					}
				}
				ranks := slices.Clone(perm[m:])
				near(t, "p", Savage(a, b, 0.95, false).P, bruteSavage(ranks, n, rounded), 1e-12)
			}
			if m == n-m && n >= 8 { // the extreme choices stand alone, as MinForks counts on
				near(t, "least p", 2*null.le[slices.IndexFunc(null.le, func(p float64) bool { return p > 0 })], 2/choose(n, m), 1e-12)
			}
		}
	}
}

// TestSavageTies: equal values have the mean score of their group, and the distribution is that of the tied scores.
func TestSavageTies(t *testing.T) {
	a, b := []float64{1, 2, 2, 5}, []float64{2, 3, 3, 4}
	null := newScoreNull(4, 4)
	s := null.scores
	group := func(from, to int) float64 {
		sum := 0.0
		for _, x := range s[from:to] {
			sum += float64(x)
		}
		return math.Round(sum / float64(to-from))
	}
	two, three := group(1, 4), group(4, 6)
	scores := []float64{float64(s[0]), two, two, two, three, three, float64(s[6]), float64(s[7])}
	near(t, "p", Savage(a, b, 0.95, false).P, bruteSavage([]int{3, 4, 5, 6}, 8, scores), 1e-12)
	r := Savage([]float64{7, 7, 7, 7}, []float64{7, 7, 7, 7}, 0.95, false)
	if r.P != 1 || r.Ratio.Value != 1 || r.Ratio.Lo != 1 || r.Ratio.Hi != 1 {
		t.Errorf("all equal: %+v", r)
	}
}

// TestSavageInverts: the interval holds the factors that the test does not reject, the value is inside, and the test of
// values that differ by a factor agrees with the interval.
func TestSavageInverts(t *testing.T) {
	rnd := seeded(11)
	for range 80 {
		m, n := 3+rnd.IntN(12), 3+rnd.IntN(12)
		a, b := draws(rnd, heavyShape(0.1), m), draws(rnd, heavyShape(0.1), n)
		for _, higher := range []bool{false, true} {
			r := Savage(a, b, 0.95, higher)
			if !(r.Ratio.Lo <= r.Ratio.Value && r.Ratio.Value <= r.Ratio.Hi) {
				t.Fatalf("%d, %d: %+v", m, n, r)
			}
			const alpha = 0.05 * (1 + 1e-9)
			if excluded := r.Ratio.Lo > 1 || r.Ratio.Hi < 1; excluded != (r.P <= alpha) && r.Ratio.Confidence > 0 {
				t.Fatalf("%d, %d: p = %v, interval %+v", m, n, r.P, r.Ratio)
			}
			for _, f := range []float64{r.Ratio.Lo * 0.999, r.Ratio.Lo * 1.001, r.Ratio.Hi * 0.999, r.Ratio.Hi * 1.001} {
				if f <= 0 || math.IsInf(f, 0) {
					continue
				}
				fa := make([]float64, m)
				for i, x := range a {
					fa[i] = f * x
				}
				in := f > r.Ratio.Lo && f < r.Ratio.Hi
				if got := Savage(fa, b, 0.95, higher).P > alpha; got != in {
					t.Fatalf("%d, %d: factor %v is not rejected: %v, in the interval: %v (%+v)", m, n, f, got, in, r.Ratio)
				}
			}
		}
	}
}

// TestSavageMirrors: sides that change places invert the ratio, units do not matter, and rates are the times' mirror.
func TestSavageMirrors(t *testing.T) {
	rnd := seeded(12)
	for range 100 {
		m, n := 4+rnd.IntN(10), 4+rnd.IntN(10)
		a, b := draws(rnd, heavyShape(0.1), m), draws(rnd, heavyShape(0.1), n)
		r := Savage(a, b, 0.95, false)
		same := func(what string, x SavageResult) {
			near(t, what+" p", x.P, r.P, 1e-9)
			for _, y := range [][2]float64{{x.Ratio.Value, r.Ratio.Value}, {x.Ratio.Lo, r.Ratio.Lo}, {x.Ratio.Hi, r.Ratio.Hi}} {
				if y[0] != y[1] && math.Abs(y[0]/y[1]-1) > 1e-9 {
					t.Fatalf("%s: %+v, want %+v", what, x, r)
				}
			}
		}
		scaled := func(xs []float64, f func(float64) float64) []float64 {
			ys := make([]float64, len(xs))
			for i, x := range xs {
				ys[i] = f(x)
			}
			return ys
		}
		flip := func(x SavageResult) SavageResult {
			x.Ratio.Value, x.Ratio.Lo, x.Ratio.Hi = 1/x.Ratio.Value, 1/x.Ratio.Hi, 1/x.Ratio.Lo
			return x
		}
		per := func(x float64) float64 { return 1 / x }
		same("scaled", Savage(scaled(a, func(x float64) float64 { return 1024 * x }), scaled(b, func(x float64) float64 { return 1024 * x }), 0.95, false))
		same("swapped", flip(Savage(b, a, 0.95, false)))
		same("rates", flip(Savage(scaled(a, per), scaled(b, per), 0.95, true)))
	}
}

// TestSavageWeighsTheBest: a change that the slow half of the values hides from the U test.
func TestSavageWeighsTheBest(t *testing.T) {
	var a, b []float64
	for i := range 20 {
		x := 100 + float64(i)/100
		if i >= 8 {
			x += 7 * float64(i)
		}
		a, b = append(a, x), append(b, x*1.05)
	}
	if u := MannWhitney(a, b).P; !(u > 0.15) {
		t.Errorf("U test: %v", u)
	}
	if r := Savage(a, b, 0.95, false); !(r.P < 0.03) || !(r.Ratio.Lo > 1.03 && r.Ratio.Hi < 1.06) {
		t.Errorf("%+v", r)
	}
}

// TestSavageEdges: what has no ratio, and too few values.
func TestSavageEdges(t *testing.T) {
	for _, xs := range [][]float64{nil, {math.NaN()}, {1, math.NaN()}} {
		if r := Savage(xs, []float64{1, 2}, 0.95, false); !math.IsNaN(r.P) || !math.IsNaN(r.Ratio.Value) {
			t.Errorf("%v: %+v", xs, r)
		}
	}
	if r := Savage([]float64{-1, 2}, []float64{3, 4}, 0.95, false); !math.IsNaN(r.Ratio.Value) || math.IsNaN(r.P) {
		t.Errorf("negative: %+v", r)
	}
	if r := Savage([]float64{1, 2, 3}, []float64{4, 5, 6}, 0.95, false); r.Ratio.Lo != 0 || !math.IsInf(r.Ratio.Hi, 1) || r.Ratio.Confidence != 0 {
		t.Errorf("three a side: %+v", r)
	}
	for _, c := range []float64{0.9, 0.95, 0.99, 0.999} {
		n := MinForks(c)
		a, b := make([]float64, n), make([]float64, n)
		for i := range n {
			a[i], b[i] = float64(1+i), float64(100+i)
		}
		if r := Savage(a, b, c, false); !(r.P <= 1-c+1e-12) || !(r.Ratio.Confidence >= c) {
			t.Errorf("%d forks at %v: %+v", n, c, r)
		}
		if r := Savage(a[1:], b[1:], c, false); r.Ratio.Confidence != 0 {
			t.Errorf("%d forks at %v: %+v", n-1, c, r)
		}
	}
	for _, c := range []float64{1, 2, math.NaN()} {
		if r := Savage([]float64{1, 2, 3, 4, 5}, []float64{6, 7, 8, 9, 10}, c, false); r.Ratio.Confidence != 0 {
			t.Errorf("confidence %v: %+v", c, r)
		}
	}
}

// TestSavageApproximation: beyond the exact table, tails are right to some percent of themselves.
func TestSavageApproximation(t *testing.T) {
	for _, n := range [][2]int{{20, 20}, {40, 40}, {10, 60}, {60, 10}} {
		d := newScoreNull(n[0], n[1])
		if d.le == nil {
			t.Fatal("no table")
		}
		for i := range d.le {
			if p := d.ge[i]; p > 1e-6 && p < 0.5 {
				if got := d.above(float64(i) - 0.5); math.Abs(got/p-1) > 0.12 {
					t.Errorf("%v: P(S ≥ %d) = %v, want %v", n, i, got, p)
				}
			}
		}
	}
	big := newScoreNull(200, 150)
	if big.le != nil {
		t.Fatal("a table for 350 values")
	}
	low, high := big.middle()
	if _, _, p, ok := big.critical(0.05); !ok || p > 0.05 || p < 0.045 || high-low > 2 {
		t.Errorf("p = %v, %v, middle %d to %d", p, ok, low, high)
	}
}

// TestSavageLevel: the share of false rejections is at most the level and near it, by simulation with one-sided noise,
// and the interval covers as often as it says.
func TestSavageLevel(t *testing.T) {
	rnd := seeded(13)
	const runs = 1500
	null := newScoreNull(12, 12)
	covered, stated := 0, 0.0
	for range runs {
		a, b := draws(rnd, heavyShape(0.1), 12), draws(rnd, heavyShape(0.1), 12)
		for i := range b {
			b[i] *= 1.07
		}
		r := savageRatio(a, b, &null, 0.95, false)
		if r.Lo <= 1.07 && 1.07 <= r.Hi {
			covered++
		}
		stated = r.Confidence
	}
	nearRate(t, "coverage", covered, runs, stated)
	t.Logf("seed 13: covered %d of %d, stated %.4f", covered, runs, stated)
}

// TestSavageCost prints what a comparison takes; no speed is asserted.
func TestSavageCost(t *testing.T) {
	rnd := seeded(14)
	for _, n := range []int{10, 20, 50, 80, 200} {
		a, b := draws(rnd, heavyShape(0.1), n), draws(rnd, heavyShape(0.1), n)
		start := time.Now()
		r := Savage(a, b, 0.95, false)
		t.Logf("%d a side: %s (%+v)", n, time.Since(start), r)
	}
}
