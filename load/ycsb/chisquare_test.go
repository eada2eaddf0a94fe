package ycsb

import (
	"fmt"
	"math"
	"testing"
)

// chiSquare compares counts with the masses that a distribution gives them. Seeds in tests
// are fixed, so that a verdict does not change from run to run; and a right distribution
// would fail for one seed in a million.
type chiSquare struct {
	counts []int
	masses []float64
}

func (c *chiSquare) add(count int, mass float64) {
	c.counts, c.masses = append(c.counts, count), append(c.masses, mass)
}

// check fails if the counts are too far from the masses.
func (c *chiSquare) check(t *testing.T, what string) {
	t.Helper()
	for _, fault := range c.faults() {
		t.Errorf("%s: %s", what, fault)
	}
}

// faults says what is implausible. Masses are expected to add up to 1, and
// neighbours that expect fewer than ten draws are taken together.
func (c *chiSquare) faults() (faults []string) {
	total, sum := 0, 0.0
	for i, n := range c.counts {
		total += n
		sum += c.masses[i]
	}
	if math.Abs(sum-1) > 1e-9 {
		faults = append(faults, fmt.Sprintf("the masses of the distribution add up to %.12f", sum))
	}
	chi, cells := 0.0, 0
	n, want := 0.0, 0.0
	for i := range c.counts {
		n += float64(c.counts[i])
		want += c.masses[i] * float64(total)
		if c.counts[i] == 0 && c.masses[i]*float64(total) > 50 {
			faults = append(faults, fmt.Sprintf("no draw of %d, where %.0f are expected", i, c.masses[i]*float64(total)))
		}
		if want >= 10 || (i == len(c.counts)-1 && want > 0) {
			chi += (n - want) * (n - want) / want
			cells++
			n, want = 0, 0
		}
	}
	if n > 0 {
		faults = append(faults, fmt.Sprintf("%v draws where the distribution has none", n))
	}
	df := float64(cells - 1)
	if limit := df + 5*math.Sqrt(2*df) + 15; chi > limit {
		faults = append(faults, fmt.Sprintf("chi square of %d draws is %.1f, of %v degrees of freedom: at most %.1f is plausible", total, chi, df, limit))
	}
	return faults
}

// TestChiSquareFinds: the test of the tests. A distribution that is off by some percent
// must not pass, nor draws where there should be none.
func TestChiSquareFinds(t *testing.T) {
	r := random{}
	r.start(4, 4)
	var counts [10]int
	for range 100000 {
		counts[r.below(10)]++
	}
	right, wrong, none := chiSquare{}, chiSquare{}, chiSquare{}
	for i, n := range counts {
		right.add(n, 0.1)
		wrong.add(n, 0.1+0.008*float64(i%2)-0.004)
		none.add(n, [10]float64{0, 1}[i])
	}
	right.check(t, "right distribution")
	if len(wrong.faults()) != 1 {
		t.Errorf("a distribution that is off by 4 %% passes: %q", wrong.faults())
	}
	if len(none.faults()) != 2 {
		t.Errorf("draws where the distribution has none pass: %q", none.faults())
	}
}
