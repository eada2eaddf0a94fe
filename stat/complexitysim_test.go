package stat

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/tarebench/tare/internal/testkit/testutil"
)

// plain chooses as Google benchmark does: one coefficient for each curve, the
// least sum of squared absolute errors.
func plain(sizes []Sized) Curve {
	best, least := CurveConstant, math.Inf(1)
	for _, c := range Curves() {
		var ff, fy, squares float64
		for _, s := range sizes {
			f := c.At(s.N)
			ff, fy = ff+f*f, fy+f*Median(s.Values)
		}
		for _, s := range sizes {
			e := Median(s.Values) - fy/ff*c.At(s.N)
			squares += e * e
		}
		if squares < least {
			best, least = c, squares
		}
	}
	return best
}

// The rate at which each known law is found, beside that of plain least squares:
// with no fixed part, with one as large as the growing part at the smallest n,
// and with one ten times as large. go test -run ComplexityHits -v prints it.
//
// least holds the rates in percent that must be reached, for fork noise of 1, 3
// and 10 %. They are what the data allow: over one decade from 100 to 1000,
// 10·log₂100 + log₂n grows by 5 % in all, and no rule finds that under noise.
func TestComplexityHits(t *testing.T) {
	const trials, forks = 200, 10
	for _, grid := range []struct {
		name  string
		ns    []float64
		least map[string][3]float64 // law → rates; else all
		all   [3]float64
	}{
		{"6 sizes, 10 … 1e6", fiveDecades, nil, [3]float64{98, 98, 97}},
		{"10 sizes, 16 … 8192", powersOfTwo, map[string][3]float64{"10 + log n": {98, 98, 85}}, [3]float64{98, 98, 96}},
		{"4 sizes, 10 … 10 000", threeDecades, map[string][3]float64{"10 + log n": {98, 98, 82}}, [3]float64{98, 98, 95}},
		{"4 sizes, 100 … 1000", oneDecade, map[string][3]float64{
			"1 + log n": {97, 95, 70}, "10 + log n": {85, 15, 0}, "1 + n": {98, 97, 80}, "10 + n": {97, 90, 80},
			"1 + n log n": {97, 95, 45}, "10 + n log n": {85, 45, 0},
		}, [3]float64{97, 97, 90}},
	}[:testutil.Pick(1, 4)] {
		t.Logf("%-22s %21s   %21s", grid.name, "this, noise 1, 3, 10 %", "plain least squares")
		for _, curve := range Curves() {
			for _, fixed := range []float64{0, 1, 10} {
				if curve == CurveConstant && fixed > 0 {
					continue
				}
				name := strings.TrimPrefix(fmt.Sprintf("%v + %s", fixed, curve), "0 + ")
				want, special := grid.least[name]
				if !special {
					want = grid.all
				}
				var line, theirs strings.Builder
				for i, noise := range []float64{0.01, 0.03, 0.1} {
					r, hits, others := seeded(uint64(i)), 0, 0
					for range trials {
						sizes := noisy(r, law{curve, fixed * curve.At(grid.ns[0]), 1}, noise, forks, grid.ns)
						hits += int(indicator(FitComplexity(sizes, ComplexityOptions{Resamples: -1}).Curve == curve))
						others += int(indicator(plain(sizes) == curve))
					}
					rate := 100 * float64(hits) / trials
					fmt.Fprintf(&line, " %5.1f %%", rate)
					fmt.Fprintf(&theirs, " %5.1f %%", 100*float64(others)/trials)
					if rate < want[i] {
						t.Errorf("%s, %s, noise %v: found in %.1f %%, want %v %%", grid.name, name, noise, rate, want[i])
					}
				}
				t.Logf("  %-20s %s   %s", name, &line, &theirs)
			}
		}
	}
}

// Sizes that differ by luck, each for itself and much more than its forks say,
// as by alignment and caches, are no growth.
func TestComplexityJitter(t *testing.T) {
	const trials = 300
	for _, jitter := range []float64{0.03, 0.1} {
		for _, ns := range [][]float64{oneDecade, threeDecades, fiveDecades, powersOfTwo} {
			r, hits := seeded(4), 0
			for range trials {
				sizes := noisy(r, law{CurveConstant, 0, 100}, 0.01, 10, ns)
				for i := range sizes {
					luck := math.Exp(jitter * r.NormFloat64())
					for j := range sizes[i].Values {
						sizes[i].Values[j] *= luck
					}
				}
				hits += int(indicator(FitComplexity(sizes, ComplexityOptions{Resamples: -1}).Curve == CurveConstant))
			}
			t.Logf("jitter %v, %d sizes: constant in %.1f %%", jitter, len(ns), 100*float64(hits)/trials)
			if hits < trials*80/100 {
				t.Errorf("jitter %v over %v: constant in %d of %d", jitter, ns, hits, trials)
			}
		}
	}
}

// What Share and the interval of the coefficient are worth: where the choice is
// hard, one that holds in 95 % of the resamplings is right about as often.
func TestComplexityShare(t *testing.T) {
	const trials = 250
	r := seeded(5)
	sure, right, covered, chosen := 0, 0, 0, 0
	for i := range trials {
		l := law{Curves()[1+i%3], 0, 2}
		l.fixed = 3 * l.curve.At(oneDecade[0])
		c := FitComplexity(noisy(r, l, 0.05, 20, oneDecade), ComplexityOptions{Resamples: 200, Seed: uint64(i)})
		if c.Share >= 0.95 {
			sure++
			right += int(indicator(c.Curve == l.curve))
		}
		c = FitComplexity(noisy(r, law{l.curve, 0, 2}, 0.05, 20, fiveDecades), ComplexityOptions{Resamples: 200, Seed: uint64(i)})
		if c.Curve == l.curve {
			chosen++
			covered += int(indicator(c.Lo <= 2 && 2 <= c.Hi))
		}
	}
	t.Logf("%d of %d choices hold in 95 %%, of these %d are right; the interval covers %d of %d", sure, trials, right, covered, chosen)
	if sure < trials/5 || right < sure*85/100 {
		t.Errorf("%d of %d choices hold in 95 %%, of these %d are right", sure, trials, right)
	}
	if chosen < trials*9/10 || covered < chosen*88/100 {
		t.Errorf("the interval covers %d of %d", covered, chosen)
	}
}
