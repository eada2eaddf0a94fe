package stat

import (
	"math"
	"testing"
)

// times returns n values around centre that spread evenly by ±spread.
func times(n int, centre, spread float64) []float64 {
	xs := make([]float64, n)
	for i := range xs {
		xs[i] = centre * (1 + spread*(2*float64(i)/float64(n-1)-1))
	}
	return xs
}

func TestVerdicts(t *testing.T) {
	for _, c := range []struct {
		name    string
		a, b    []float64
		o       Options
		verdict Verdict
	}{
		{"slower", times(10, 100, 0.02), times(10, 110, 0.02), Options{}, Slower},
		{"faster", times(10, 110, 0.02), times(10, 100, 0.02), Options{}, Faster},
		{"rate up", times(10, 100, 0.02), times(10, 110, 0.02), Options{HigherIsBetter: true}, Faster},
		{"rate down", times(10, 110, 0.02), times(10, 100, 0.02), Options{HigherIsBetter: true}, Slower},
		{"alike", times(20, 100, 0.01), times(20, 100.1, 0.01), Options{}, Equivalent},
		{"differs, but too little", times(20, 100, 0.001), times(20, 101, 0.001), Options{}, Equivalent},
		{"the same at a finer threshold", times(20, 100, 0.001), times(20, 101, 0.001), Options{Threshold: 0.005}, Slower},
		{"every change matters", times(20, 100, 0.001), times(20, 100, 0.001), Options{Threshold: -1}, Undecided},
		{"noisy", times(10, 100, 0.3), times(10, 105, 0.3), Options{}, Undecided},
		{"too few", times(3, 100, 0.01), times(3, 200, 0.01), Options{}, Undecided},
		{"enough at 0.9", times(3, 100, 0.01), times(3, 200, 0.01), Options{Confidence: 0.9}, Slower},
		{"senseless confidence", times(9, 100, 0.01), times(9, 200, 0.01), Options{Confidence: 1.5}, Undecided},
		{"constant, equal", []float64{5, 5, 5, 5}, []float64{5, 5, 5, 5}, Options{}, Equivalent},
		{"constant, not equal", []float64{5, 5, 5, 5}, []float64{6, 6, 6, 6}, Options{}, Slower},
		{"on the threshold", []float64{100, 100, 100, 100}, []float64{103, 103, 103, 103}, Options{}, Equivalent},
		{"zeros", []float64{0, 0, 0, 0}, []float64{0, 0, 0, 0}, Options{}, Equivalent},
		{"from zero", []float64{0, 0, 0, 0}, []float64{6, 7, 8, 9}, Options{}, Slower},
		{"to zero", []float64{6, 7, 8, 9}, []float64{0, 0, 0, 0}, Options{}, Faster},
		{"negative", []float64{-6, 7, 8, 9}, []float64{1, 2, 3, 4}, Options{}, Undecided},
		{"NaN", []float64{nan, 7, 8, 9}, []float64{1, 2, 3, 4}, Options{}, Undecided},
		{"nothing", nil, nil, Options{}, Undecided},
		{"one side", []float64{1}, nil, Options{}, Undecided},

		{"exact, more", []float64{5, 5}, []float64{6}, Options{Exact: true}, More},
		{"exact, less", []float64{6, 6}, []float64{5, 5}, Options{Exact: true}, Less},
		{"exact, same", []float64{5, 5}, []float64{5, 5}, Options{Exact: true}, Same},
		{"exact, zero", []float64{0, 0}, []float64{0, 0}, Options{Exact: true}, Same},
		{"exact, from zero", []float64{0, 0}, []float64{1, 1}, Options{Exact: true}, More},
		{"exact, negative", []float64{-3}, []float64{-4}, Options{Exact: true}, Less},
		{"exact, NaN", []float64{nan}, []float64{-4}, Options{Exact: true}, Undecided},
		{"exact, nothing", nil, []float64{-4}, Options{Exact: true}, Undecided},
		{"varies, disjoint", []float64{5, 6}, []float64{7, 7}, Options{Exact: true}, More},
		{"varies, overlaps", []float64{5, 6, 9}, []float64{7, 7, 7}, Options{Exact: true}, Undecided},
		{"varies, a little", append(times(9, 1000, 0), 1001), append(times(9, 1000, 0), 1002), Options{Exact: true}, Equivalent},
		{"varies, grows", append(times(9, 1000, 0), 1201), append(times(9, 1200, 0), 1000), Options{Exact: true}, More},
	} {
		got := Compare(c.a, c.b, c.o)
		if got.Verdict != c.verdict {
			t.Errorf("%s: %s, want %s: %+v", c.name, got.Verdict, c.verdict, got)
		}
		if got.Verdict != Undecided && got.ForksNeeded != 0 {
			t.Errorf("%s: decided, but %d forks needed", c.name, got.ForksNeeded)
		}
		varies := c.o.Exact && len(c.name) > 6 && c.name[:6] == "varies"
		if got.Varies != varies {
			t.Errorf("%s: Varies is %v", c.name, got.Varies)
		}
	}
}

func TestCompareFields(t *testing.T) {
	a, b := times(12, 100, 0.04), times(12, 102, 0.04)
	c := Compare(a, b, Options{Seed: 5})
	near(t, "Old", c.Old, 100, 1e-12)
	near(t, "New", c.New, 102, 1e-12)
	hl, u, boot := HodgesLehmann(a, b, 0.95), MannWhitney(a, b), BootstrapRatio(a, b, 0, 0.95, 5)
	if c.Ratio != hl.Value || c.Lo != hl.Lo || c.Hi != hl.Hi || c.Confidence != hl.Confidence || c.P != u.P || c.AdjustedP != u.P {
		t.Errorf("%+v is not %+v, %+v", c, hl, u)
	}
	if c.BootstrapRatio != boot.Value || c.BootstrapLo != boot.Lo || c.BootstrapHi != boot.Hi {
		t.Errorf("%+v is not %+v", c, boot)
	}
	near(t, "Bound", c.Bound, max(c.Hi, 1/c.Lo)-1, 1e-12)
	if c.Verdict != Undecided || c.ForksNeeded <= 12 || c.ForksNeeded > 100 {
		t.Errorf("%s, %d more", c.Verdict, c.ForksNeeded)
	}
	if c.Options.Confidence != 0.95 || c.Options.Threshold != 0.03 || c.Options.Resamples != 10_000 {
		t.Errorf("defaults: %+v", c.Options)
	}
	if again := Compare(a, b, Options{Seed: 5}); again != c {
		t.Error("not deterministic")
	}
	if c := Compare(a, b, Options{Resamples: -1}); !math.IsNaN(c.BootstrapRatio) || c.Ratio != hl.Value {
		t.Errorf("without bootstrap: %+v", c)
	}
}

func TestAdjust(t *testing.T) {
	a := times(8, 100, 0.03)
	cs := []Comparison{
		Compare(a, times(8, 107, 0.03), Options{}),   // p = 0.00016
		Compare(a, times(8, 102.6, 0.03), Options{}), // p = 0.0499
		Compare([]float64{1}, []float64{2}, Options{Exact: true}),
		Compare(a, times(8, 100, 0.03), Options{}),
	}
	before := cs[1]
	if cs[0].Verdict != Slower || cs[1].Verdict != Slower {
		t.Fatalf("%+v", cs)
	}
	out := Adjust(cs, Holm)
	if out[0].Verdict != Slower || out[1].Verdict != Undecided || out[2].Verdict != More {
		t.Errorf("%s, %s, %s", out[0].Verdict, out[1].Verdict, out[2].Verdict)
	}
	near(t, "adjusted p", out[0].AdjustedP, 3*cs[0].P, 1e-12) // the exact one does not count
	near(t, "adjusted p", out[1].AdjustedP, 2*cs[1].P, 1e-12)
	if out[1].P != before.P || out[1].ForksNeeded <= 8 || out[1].ForksNeeded > 40 {
		t.Errorf("%+v", out[1])
	}
	if cs[1] != before {
		t.Error("argument changed")
	}
	if back := out[1].WithAdjustedP(before.P); back != before {
		t.Errorf("%+v, want %+v", back, before)
	}
	if c := cs[0].WithAdjustedP(nan); c != cs[0] {
		t.Errorf("%+v", c)
	}
}

// Simulated: with the forks that are said to be needed, about half of the
// undecided comparisons are decided, and most with half as many again.
func TestForksNeeded(t *testing.T) {
	r := seeded(1)
	decided, decidedMore, n := 0, 0, 0
	for range 150 {
		a, b := lognormalShape(0.05), lognormalShape(0.05)
		shift := math.Exp(0.06)
		draw := func(n int) Comparison {
			old, new := draws(r, a, n), draws(r, b, n)
			for i := range new {
				new[i] *= shift
			}
			return Compare(old, new, Options{Resamples: -1})
		}
		c := draw(6)
		if c.Verdict != Undecided {
			continue
		}
		n++
		if c.ForksNeeded <= 6 {
			t.Fatalf("%d forks needed of 6", c.ForksNeeded)
		}
		decided += int(indicator(draw(min(c.ForksNeeded, 50)).Verdict != Undecided))
		decidedMore += int(indicator(draw(min(c.ForksNeeded*3/2, 50)).Verdict != Undecided))
	}
	t.Logf("of %d: %d, %d", n, decided, decidedMore)
	if n < 40 || decided < n*4/10 || decidedMore < n*6/10 {
		t.Errorf("of %d, %d decided as said, %d with half as many again", n, decided, decidedMore)
	}
	if c := Compare([]float64{1, 2}, []float64{3, 4}, Options{}); c.ForksNeeded != 4 {
		t.Errorf("two forks a side: %d needed", c.ForksNeeded)
	}
	if c := Compare([]float64{-1, 2}, []float64{3, 4}, Options{}); c.ForksNeeded != 0 {
		t.Errorf("no ratio: %d needed", c.ForksNeeded)
	}
}

func TestValidate(t *testing.T) {
	for _, o := range []Options{{}, {Confidence: 0.99, Threshold: -1, Resamples: -1}} {
		if err := o.Validate(); err != nil {
			t.Error(err)
		}
	}
	want := "confidence 1 is not between 0 and 1\nthreshold NaN is not a finite number"
	if err := (Options{Confidence: 1, Threshold: nan}).Validate(); err == nil || err.Error() != want {
		t.Errorf("%v", err)
	}
}
