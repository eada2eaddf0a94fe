package stat

import (
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
)

// law is a true cost: fixed + coefficient·curve(n).
type law struct {
	curve              Curve
	fixed, coefficient float64
}

func (l law) at(n float64) float64 { return l.fixed + l.coefficient*l.curve.At(n) }

// exactly are the costs of a law without noise.
func exactly(l law, forks int, ns ...float64) []Sized {
	var out []Sized
	for _, n := range ns {
		out = append(out, Sized{n, slices.Repeat([]float64{l.at(n)}, forks)})
	}
	return out
}

var (
	fiveDecades  = []float64{10, 100, 1000, 1e4, 1e5, 1e6}
	threeDecades = []float64{10, 100, 1000, 1e4}
	oneDecade    = []float64{100, 200, 500, 1000}
	powersOfTwo  = []float64{16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192}
)

// Without noise every law is found, whatever its scale and fixed part.
func TestComplexityExact(t *testing.T) {
	for _, ns := range [][]float64{fiveDecades, threeDecades, oneDecade, powersOfTwo, {1, 2, 4, 10}} {
		for _, curve := range Curves() {
			for _, scale := range []float64{1e-9, 2.41, 1e12} {
				for _, fixed := range []float64{0, 3} {
					l := law{curve, fixed * scale * curve.At(ns[1]), scale}
					if curve == CurveConstant {
						l.fixed = 0
					}
					if l.at(ns[0]) == 0 {
						continue // log 1: a cost of nothing is an obstacle
					}
					c := FitComplexity(exactly(l, 6, ns...), ComplexityOptions{Resamples: 10})
					if c.Curve != curve || c.Obstacle != "" || c.Share != 1 || c.Rival != "" {
						t.Fatalf("%+v over %v: %+v", l, ns, c)
					}
					near(t, "coefficient", c.Fit.Coefficient, scale, 1e-6)
					if math.Abs(c.Fit.Fixed-l.fixed) > 1e-6*l.at(ns[0]) || c.Fit.RMS > 1e-6 {
						t.Errorf("%+v over %v: fixed %v, rms %v", l, ns, c.Fit.Fixed, c.Fit.RMS)
					}
					near(t, "lo", c.Lo, scale, 1e-6)
					near(t, "hi", c.Hi, scale, 1e-6)
				}
			}
		}
	}
}

func TestComplexityObstacles(t *testing.T) {
	linear := law{CurveLinear, 0, 2}
	spoilt := func(x float64) []Sized {
		s := exactly(linear, 3, fiveDecades...)
		s[2].Values[1] = x
		return s
	}
	for _, c := range []struct {
		name     string
		sizes    []Sized
		obstacle Obstacle
		n        int
	}{
		{"none", nil, FewSizes, 0},
		{"three", exactly(linear, 6, 10, 1000, 1e5), FewSizes, 3},
		{"the same one", exactly(linear, 6, 10, 10, 1000, 1e5), FewSizes, 3},
		{"below 1", exactly(linear, 6, 0, 0.5, -3, 10, 1000, 1e5, math.NaN(), math.Inf(1)), FewSizes, 3},
		{"dropHopeless", exactly(linear, 6, 100, 300, 600, 999), NarrowSizes, 4},
		{"just wide enough", exactly(linear, 6, 100, 300, 600, 1000), "", 4},
		{"unsorted", exactly(linear, 6, 1000, 100, 600, 300), "", 4},
		{"zero", spoilt(0), NotPositive, 6},
		{"negative", spoilt(-1), NotPositive, 6},
		{"NaN", spoilt(math.NaN()), NotPositive, 6},
		{"infinite", spoilt(math.Inf(1)), NotPositive, 6},
		{"no fork", append(exactly(linear, 6, 1, 2, 3), Sized{N: 40}), NotPositive, 4},
		{"one size twice", exactly(linear, 6, 10, 10, 100, 1000, 1000), FewSizes, 3},
	} {
		got := FitComplexity(c.sizes, ComplexityOptions{Resamples: 50})
		if got.Obstacle != c.obstacle || got.Sizes != c.n || (got.Curve == "") != (c.obstacle != "") {
			t.Errorf("%s: %+v", c.name, got)
		}
		if c.obstacle != "" && (got.Fit != CurveFit{} || got.Confidence != 0 || !math.IsInf(got.Hi, 1)) {
			t.Errorf("%s: %+v", c.name, got)
		}
	}
}

// Growth that is none of the curves is called rough, or by no name at all.
func TestComplexityNoCurve(t *testing.T) {
	for _, c := range []struct {
		name string
		f    func(n float64) float64
		want Curve // "": none
	}{
		{"n^1.5", func(n float64) float64 { return n * math.Sqrt(n) }, ""},
		{"n^4", func(n float64) float64 { return n * n * n * n }, ""},
		{"root", math.Sqrt, ""},
		{"falling", func(n float64) float64 { return 1000 / math.Sqrt(n) }, ""},
		{"log²", func(n float64) float64 { return math.Pow(math.Log2(n), 2) }, CurveLog},
		{"a hump", func(n float64) float64 { return 1 + 10/(1+math.Pow(math.Log10(n)-3, 2)) }, CurveConstant},
		{"n + n²", func(n float64) float64 { return 3000*n + n*n }, ""},
		{"n log n and caches", func(n float64) float64 { return n * math.Log2(n) * (1 + 4/(1+math.Pow(3e3/n, 2))) }, CurveLinearLog},
	} {
		r := seeded(1)
		var sizes []Sized
		for _, n := range fiveDecades {
			s := Sized{n, draws(r, lognormalShape(0.02), 20)}
			for i := range s.Values {
				s.Values[i] *= c.f(n)
			}
			sizes = append(sizes, s)
		}
		x := FitComplexity(sizes, ComplexityOptions{})
		if x.Curve != c.want || (x.Obstacle == NoCurve) != (c.want == "") || x.Share < 0.9 || x.Fit.Curve == "" || !x.Fit.Rough() {
			t.Errorf("%s: %+v", c.name, x)
		}
		if near := FitComplexity(exactly(law{CurveLinear, 0, 1}, 3, fiveDecades...), ComplexityOptions{}); near.Fit.Rough() {
			t.Errorf("rough: %+v", near)
		}
	}
}

// One fork a size is enough for a curve, and not for a word on how sure it is.
func TestComplexityOneFork(t *testing.T) {
	c := FitComplexity(exactly(law{CurveLinear, 5, 2}, 1, threeDecades...), ComplexityOptions{})
	if c.Curve != CurveLinear || c.Resamples != 0 || c.Confidence != 0 || c.Lo != 0 || !math.IsInf(c.Hi, 1) || c.Share != 0 {
		t.Errorf("%+v", c)
	}
	c = FitComplexity(exactly(law{CurveLinear, 5, 2}, 5, threeDecades...), ComplexityOptions{Resamples: -1})
	if c.Curve != CurveLinear || c.Resamples != 0 || c.Confidence != 0 {
		t.Errorf("%+v", c)
	}
	for _, confidence := range []float64{1, 2, nan, -1} {
		c = FitComplexity(exactly(law{CurveLinear, 5, 2}, 5, threeDecades...), ComplexityOptions{Confidence: confidence})
		if c.Confidence != 0 || c.Share != 1 || !math.IsInf(c.Hi, 1) {
			t.Errorf("confidence %v: %+v", confidence, c)
		}
	}
}

// The same input gives the same result, scaled input the scaled result, and no
// argument is changed.
func TestComplexityInvariant(t *testing.T) {
	r := seeded(2)
	sizes := noisy(r, law{CurveLinearLog, 100, 2}, 0.05, 10, fiveDecades)
	slices.Reverse(sizes)
	before := exactCopy(sizes)
	a := FitComplexity(sizes, ComplexityOptions{Seed: 7})
	if b := FitComplexity(sizes, ComplexityOptions{Seed: 7}); !reflect.DeepEqual(a, b) {
		t.Errorf("%+v, then %+v", a, b)
	}
	if !reflect.DeepEqual(sizes, before) {
		t.Error("the arguments were changed")
	}
	if b := FitComplexity(sizes, ComplexityOptions{Seed: 8}); b.Lo == a.Lo || b.Fit != a.Fit {
		t.Errorf("another seed: %+v, then %+v", a, b)
	}
	slices.Reverse(sizes)
	if b := FitComplexity(sizes, ComplexityOptions{Seed: 7}); !reflect.DeepEqual(a, b) {
		t.Errorf("in another order %+v, then %+v", a, b)
	}
	for i := range sizes {
		for j := range sizes[i].Values {
			sizes[i].Values[j] *= 1024
		}
	}
	b := FitComplexity(sizes, ComplexityOptions{Seed: 7})
	near(t, "coefficient", b.Fit.Coefficient, 1024*a.Fit.Coefficient, 1e-9)
	near(t, "fixed", b.Fit.Fixed, 1024*a.Fit.Fixed, 1e-9)
	near(t, "hi", b.Hi, 1024*a.Hi, 1e-9)
	near(t, "rms", b.Fit.RMS, a.Fit.RMS, 1e-9)
	if b.Share != a.Share || b.Curve != a.Curve {
		t.Errorf("scaled: %+v, not %+v", b, a)
	}
}

func exactCopy(sizes []Sized) []Sized {
	out := slices.Clone(sizes)
	for i := range out {
		out[i].Values = slices.Clone(out[i].Values)
	}
	return out
}

// noisy draws forks around a law.
func noisy(r *rand.Rand, l law, noise float64, forks int, ns []float64) []Sized {
	var out []Sized
	for _, n := range ns {
		s := Sized{N: n}
		for range forks {
			s.Values = append(s.Values, l.at(n)*math.Exp(noise*r.NormFloat64()))
		}
		out = append(out, s)
	}
	return out
}

// The better form of each curve is there to be looked at, with the chosen one
// among them.
func TestComplexityFits(t *testing.T) {
	c := FitComplexity(exactly(law{CurveLinear, 50, 2}, 6, fiveDecades...), ComplexityOptions{})
	var curves []Curve
	for _, f := range c.Fits {
		curves = append(curves, f.Curve)
	}
	if !reflect.DeepEqual(curves, Curves()) || !slices.Contains(c.Fits, c.Fit) {
		t.Errorf("%+v", c)
	}
	// n³ cannot be computed; the others can.
	c = FitComplexity(exactly(law{CurveLinear, 0, 2}, 6, 1e10, 1e50, 1e100, 1e120), ComplexityOptions{Resamples: 10})
	if c.Curve != CurveLinear || len(c.Fits) != len(Curves())-1 {
		t.Errorf("%+v", c)
	}
}

// Resampling allocates for the draws, not for each of them.
func TestComplexityAllocations(t *testing.T) {
	sizes := noisy(seeded(3), law{CurveLinearLog, 100, 2}, 0.05, 10, fiveDecades)
	count := func(resamples int) float64 {
		return testing.AllocsPerRun(10, func() { FitComplexity(sizes, ComplexityOptions{Resamples: resamples}) })
	}
	if few, many := count(10), count(500); many > few+1 {
		t.Errorf("%v allocations for 10 resamplings, %v for 500", few, many)
	}
}

func FuzzComplexity(f *testing.F) {
	f.Add(uint64(1), 10.0, 1000.0, 1.0, 5.0)
	f.Add(uint64(2), 1e-300, 1e300, math.MaxFloat64, 1e-320)
	f.Add(uint64(3), 1.0, 1e102, 1e-300, 1e300)
	f.Add(uint64(4), math.Inf(1), math.NaN(), 0.0, -1.0)
	f.Fuzz(func(t *testing.T, seed uint64, n1, n2, y1, y2 float64) {
		r := seeded(seed)
		var sizes []Sized
		for range 3 + r.IntN(5) {
			x := r.Float64()
			s := Sized{N: n1 + x*(n2-n1)}
			for range r.IntN(4) {
				s.Values = append(s.Values, y1+r.Float64()*(y2-y1))
			}
			sizes = append(sizes, s, Sized{n1, []float64{y1}}, Sized{n2, []float64{y2}})
		}
		c := FitComplexity(sizes, ComplexityOptions{Resamples: 20})
		if (c.Curve == "") != (c.Obstacle != "") || c.Curve != "" && c.Curve != c.Fit.Curve {
			t.Errorf("%+v", c)
		}
		if c.Curve != "" && (!(c.Fit.RMS <= MaxRMS) || !(c.Fit.Coefficient >= 0) || !(c.Fit.Fixed >= 0)) {
			t.Errorf("%+v", c)
		}
		if c.Curve != "" && c.Confidence > 0 && !(c.Lo <= c.Hi) || !(c.Share >= 0 && c.Share+c.RivalShare <= 1+1e-12) {
			t.Errorf("%+v", c)
		}
	})
}

func BenchmarkComplexity(b *testing.B) {
	sizes := noisy(seeded(3), law{CurveLinearLog, 100, 2}, 0.05, 20, fiveDecades)
	for b.Loop() {
		FitComplexity(sizes, ComplexityOptions{})
	}
}
