package instrument

import (
	"encoding/binary"
	"math"
	"math/bits"
	"math/rand/v2"
	"testing"
)

// TestTally puts tallies together as goroutines leave them, and compares with what
// all values say at once.
func TestTally(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	var sum tally
	var all []float64
	for part := range 5 {
		d := &decoder{b: make([]byte, callBytes)}
		put := func(at int, v uint64) { binary.NativeEndian.PutUint64(d.b[at:], v) }
		n := []int{1, 0, 1000, 10, 2}[part]
		var total, first, square uint64
		lo, hi := uint64(math.MaxUint64), uint64(0)
		for i := range n {
			v := 1_000_000 + r.Uint64N(1000)
			if i == 0 {
				first = v
			}
			total, lo, hi = total+v, min(lo, v), max(hi, v)
			off := int64(v - first)
			square += uint64(off * off)
			all = append(all, float64(v))
		}
		put(callCalls, uint64(n))
		put(callTimed, uint64(n))
		put(callSum, total)
		put(callMin, lo)
		put(callMax, hi)
		put(callFirst, first)
		put(callSquare, math.Float64bits(float64(square)))
		got, err := d.readTally(0)
		if err != nil {
			t.Fatal(err)
		}
		sum.add(got)
	}
	var mean, squares float64
	lo, hi := math.Inf(1), 0.0
	for _, v := range all {
		mean += v / float64(len(all))
		lo, hi = min(lo, v), max(hi, v)
	}
	for _, v := range all {
		squares += (v - mean) * (v - mean)
	}
	if int(sum.timed) != len(all) || sum.min != lo || sum.max != hi || math.Abs(sum.mean-mean) > 1e-6 || math.Abs(sum.squares/squares-1) > 1e-9 {
		t.Errorf("got  %+v\nwant %d from %g to %g, mean %g, squares %g", sum, len(all), lo, hi, mean, squares)
	}
}

// TestBucket: buckets touch, and the one that the probes choose for a time holds it.
func TestBucket(t *testing.T) {
	last := 0.0
	for o := range octaves {
		for s := range subs {
			from, to := bucket(o, s)
			if from != last || to <= from || (to-from)/max(from, subs) > 1.0/subs {
				t.Fatalf("octave %d, bucket %d: from %g to %g, after %g", o, s, from, to, last)
			}
			last = to
		}
	}
	for range 1000 {
		d := rand.Uint64() >> (16 + rand.IntN(48))
		octave, sub := bits.Len64(d|7)-3, d // as in tareExit
		if octave > 0 {
			sub >>= octave - 1
		}
		if from, to := bucket(octave, int(sub&7)); float64(d) < from || float64(d) >= to {
			t.Errorf("%d is in the bucket from %g to %g", d, from, to)
		}
	}
}

// TestVariance: of totals estimated from the first call and some that are drawn, as many
// are within two standard errors of the truth as should be.
func TestVariance(t *testing.T) {
	const calls, timed, rounds = 1000, 600, 400
	r := rand.New(rand.NewPCG(3, 4))
	lengths := make([]float64, calls)
	for i := range lengths {
		lengths[i] = 1000 * r.ExpFloat64()
	}
	lengths[0] = 50_000 // as first calls are
	truth := 0.0
	for _, d := range lengths {
		truth += d
	}
	within, sum := 0, 0.0
	for range rounds {
		rest := lengths[1:]
		r.Shuffle(len(rest), func(i, j int) { rest[i], rest[j] = rest[j], rest[i] })
		all := tally{callSet: callSet{calls: 1, timed: 1, heads: 1, sum: lengths[0], headSum: lengths[0]}, mean: lengths[0]}
		for _, d := range rest[:timed] {
			all.add(&tally{callSet: callSet{calls: 1, timed: 1, sum: d}, mean: d})
		}
		all.calls = calls
		got := all.estimate(all.sum, all.headSum)
		sum += got / rounds
		if math.Abs(got-truth) <= 2*math.Sqrt(all.variance(&all.callSet, got)) {
			within++
		}
	}
	// The first call is in the variance of the others, which makes it larger than need be.
	if share := float64(within) / rounds; share < 0.92 || math.Abs(sum/truth-1) > 0.005 {
		t.Errorf("%.3f of the totals were within 2 standard errors, their mean is %g of the truth", share, sum/truth)
	}
	for _, c := range []struct {
		calls, timed, heads uint64
		want, variance      float64
	}{{5, 5, 0, 20, 0}, {1, 1, 1, 20, 0}, {0, 0, 0, 20, 0}, {5, 1, 1, 35, 35 * 35}, {3, 0, 0, 20, 0}, {2, 2, 1, 20, 0}} {
		p := callSet{calls: c.calls, timed: c.timed, heads: c.heads, sum: 20, headSum: 7}
		got := p.estimate(20, 7)
		if v := (&tally{callSet: p, squares: 9}).variance(&p, got); got != c.want || v != c.variance {
			t.Errorf("%+v: %g with variance %g", c, got, v)
		}
	}
}
