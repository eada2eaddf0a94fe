package stat

import (
	"math"
	"testing"
)

// side returns forks whose best iterations are good and whose medians are typical, each times 1 + i/1000.
func side(good, typical float64, n int) Forks {
	var f Forks
	for i := range n {
		x := 1 + float64((i*7)%n)/1000
		f.Undisturbed = append(f.Undisturbed, good*x)
		f.Typical = append(f.Typical, typical*x)
	}
	return f
}

// TestCompareForks is the rule of the verdict: which quantity decides, and what it says.
func TestCompareForks(t *testing.T) {
	old := side(100, 120, 20)
	for _, test := range []struct {
		name   string
		new    Forks
		rate   bool
		want   Verdict
		by     string
		ratio  float64
		expect func(Comparison) bool
	}{
		{"nothing", side(100, 120, 20), false, Equivalent, ByUndisturbed, 1, nil},
		{"both slower", side(110, 132, 20), false, Slower, ByUndisturbed, 1.1, nil},
		{"both faster", side(90, 108, 20), false, Faster, ByUndisturbed, 0.9, nil},
		{"a higher rate", side(110, 132, 20), true, Faster, ByUndisturbed, 1.1, nil},
		{"undisturbed alone", side(110, 120, 20), false, Slower, ByUndisturbed, 1.1, nil},
		{"typical alone", side(100, 126, 20), false, Slower, ByTypical, 1.05, nil},
		{"typical alone, a lower rate", side(100, 114, 20), true, Slower, ByTypical, 0.95, nil},
		{"typical by less than matters", side(100, 122, 20), false, Equivalent, ByUndisturbed, 1, nil},
		{"opposite", side(110, 108, 20), false, Undecided, ByUndisturbed, 1.1, func(c Comparison) bool { return c.Opposite() && c.ForksNeeded == 0 }},
		{"few forks", side(110, 132, 3), false, Undecided, ByUndisturbed, 1.1, func(c Comparison) bool { return math.IsInf(c.Hi, 1) && c.ForksNeeded >= 4 }},
	} {
		from := old
		if test.name == "few forks" {
			from = side(100, 120, 3)
		}
		c := CompareForks(from, test.new, Options{HigherIsBetter: test.rate, Resamples: -1})
		if c.Verdict != test.want || c.By != test.by || math.Abs(c.Ratio/test.ratio-1) > 0.002 || c.Test != TestSavage || test.expect != nil && !test.expect(c) {
			t.Errorf("%s: %s by %s, ratio %v, want %s by %s, %v (%+v)", test.name, c.Verdict, c.By, c.Ratio, test.want, test.by, test.ratio, c)
		}
		if c.Verdict == Equivalent != within(c.Bound, c.Options.Threshold) {
			t.Errorf("%s: %s with a bound of %v", test.name, c.Verdict, c.Bound)
		}
		if c.Old != Median(from.Typical) || c.Typical.Old != c.Old || c.Undisturbed.New != Median(test.new.Undisturbed) {
			t.Errorf("%s: levels %v, %+v, %+v", test.name, c.Old, c.Typical, c.Undisturbed)
		}
	}
}

// TestCompareForksCorrected: a corrected p takes a verdict back, and the two quantities are corrected alike.
func TestCompareForksCorrected(t *testing.T) {
	c := CompareForks(side(100, 120, 6), side(104, 126, 6), Options{Resamples: -1})
	if c.Verdict != Slower || !(c.P <= 0.05) {
		t.Fatalf("%+v", c)
	}
	if x := c.WithAdjustedP(0.051); x.Verdict != Undecided || x.ForksNeeded <= 6 || x.P != c.P {
		t.Errorf("%+v", x)
	}
	if x := c.WithAdjustedP(0.049); x.Verdict != Slower {
		t.Errorf("%+v", x)
	}
	typical := CompareForks(side(100, 120, 20), side(100, 126, 20), Options{Resamples: -1})
	if x := typical.WithAdjustedP(0.06); x.Verdict != Undecided || x.By != ByTypical {
		t.Errorf("%+v", x)
	}
}

// TestCompareForksWithoutRatio: what Savage cannot compare, Compare does.
func TestCompareForksWithoutRatio(t *testing.T) {
	f := side(100, 120, 6)
	bad := Forks{Typical: f.Typical, Undisturbed: []float64{-1, 1, 1, 1, 1, 1}}
	for name, c := range map[string]Comparison{
		"negative": CompareForks(bad, f, Options{Resamples: -1}),
		"empty":    CompareForks(Forks{}, f, Options{Resamples: -1}),
		"exact":    CompareForks(f, f, Options{Resamples: -1, Exact: true}),
	} {
		if c.Test == TestSavage || c.By != "" {
			t.Errorf("%s: %+v", name, c)
		}
	}
}

// TestCompareForksLevel: sides that do not differ are called different in at most 5 % of the cases, though two
// quantities are tested.
func TestCompareForksLevel(t *testing.T) {
	rnd := seeded(15)
	const runs = 600
	wrong := 0
	for range runs {
		var s [2]Forks
		for i := range s {
			for range 8 {
				x, y := math.Exp(0.05*rnd.NormFloat64()), rnd.ExpFloat64()
				s[i].Undisturbed = append(s[i].Undisturbed, x)
				s[i].Typical = append(s[i].Typical, x*(1+0.1*y))
			}
		}
		if c := CompareForks(s[0], s[1], Options{Resamples: -1}); c.P <= 0.05 {
			wrong++
		}
	}
	t.Logf("seed 15: %d of %d", wrong, runs)
	if e := ClopperPearson(wrong, runs, 0.999); e.Lo > 0.05 {
		t.Errorf("%d of %d called different", wrong, runs)
	}
}

// TestSmallest: a change of the size that Smallest says is found, a smaller one is not.
func TestSmallest(t *testing.T) {
	rnd := seeded(16)
	for range 40 {
		a, b := draws(rnd, normalShape(0.05), 10), draws(rnd, normalShape(0.05), 10)
		compare := func(f float64) Comparison {
			y := make([]float64, len(b))
			for i, x := range b {
				y[i] = f * x
			}
			return CompareForks(Forks{a, a}, Forks{y, y}, Options{Resamples: -1})
		}
		found := func(c Comparison) bool {
			return c.P <= 0.05*(1+1e-9) && (c.Undisturbed.Ratio.Lo > 1 || c.Typical.Ratio.Lo > 1)
		}
		f := Smallest(compare(1))
		if f == 1 && !found(compare(1)) || f > 1 && (!found(compare(f*1.0001)) || found(compare(f*0.9999))) {
			t.Errorf("%v", f)
		}
	}
}
