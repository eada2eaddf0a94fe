package unanswered

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/tarebench/tare/hist"
)

// TestLost holds the percentile of a histogram with lost values beyond against
// sorted values.
func TestLost(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 1))
	for range 300 {
		var h hist.Histogram
		var xs []float64
		for range 1 + rng.IntN(200) {
			x := rng.Int64N(1000) // exact in a histogram of 3 digits
			h.Record(x)
			xs = append(xs, float64(x))
		}
		lost := rng.IntN(30)
		for range lost {
			xs = append(xs, math.Inf(1))
		}
		slices.Sort(xs)
		p := []float64{50, 90, 99, 99.9, 100}[rng.IntN(5)]
		rank := (len(xs)*int(p*10) + 999) / 1000 // exact: ⌈p/100 × n⌉
		if got, _ := new(Waits).Percentile(&h, p, float64(lost)); got != xs[rank-1] {
			t.Fatalf("p%g of %d values, %d lost: %v, want %v", p, len(xs), lost, got, xs[rank-1])
		}
	}
}

// TestBounds holds the bounds against all that may have been: however long the operations
// that were never answered would have taken, the percentile is not less, and where it is not
// marked it is what is shown.
func TestBounds(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 1))
	for range 300 {
		var answered, waited hist.Histogram
		var least, endless []float64
		for range 1 + rng.IntN(200) {
			x := rng.Int64N(1000) // exact in a histogram of 3 digits
			answered.Record(x)
			least, endless = append(least, float64(x)), append(endless, float64(x))
		}
		for range rng.IntN(40) {
			x := rng.Int64N(1500)
			waited.Record(x)
			least, endless = append(least, float64(x)), append(endless, math.Inf(1))
		}
		slices.Sort(least)
		slices.Sort(endless)
		var w Waits
		w.Add(&waited, 1)
		p := []float64{50, 90, 99, 99.9, 100}[rng.IntN(5)]
		rank := (len(least)*int(p*10) + 999) / 1000
		low, high := least[rank-1], endless[rank-1]
		got, atLeast := w.Percentile(&answered, p, 0)
		if exact := high <= low*close; atLeast == exact || exact && got != high || !exact && got != low {
			t.Fatalf("p%g of %d and %d: %v, a bound: %v; it is from %v to %v", p, answered.Count(), waited.Count(), got, atLeast, low, high)
		}
	}
}

// TestShares: half of the operations of an unknown kind are of this one.
func TestShares(t *testing.T) {
	var answered, waited hist.Histogram
	answered.RecordN(1000, 50)
	waited.RecordN(5000, 100)
	var w Waits
	w.Add(&waited, 0.5)
	if n := w.Count(); n != 50 {
		t.Errorf("%v operations, want 50", n)
	}
	if n := w.Longer(1000); n != 50 {
		t.Errorf("%v operations older than 1000 ns, want 50", n)
	}
	if x, atLeast := w.Percentile(&answered, 50, 0); x != 1000 || atLeast {
		t.Errorf("p50 %v, a bound: %v", x, atLeast)
	}
	if x, atLeast := w.Percentile(&answered, 51, 0); x < 4990 || !atLeast {
		t.Errorf("p51 %v, a bound: %v", x, atLeast)
	}
	if m := w.Mean(&answered); m < 2995 || m > 3005 {
		t.Errorf("mean %v, want 3000", m)
	}
	if x, atLeast := new(Waits).Percentile(&answered, 99, 0); x != 1000 || atLeast {
		t.Errorf("without any: p99 %v, a bound: %v", x, atLeast)
	}
}
