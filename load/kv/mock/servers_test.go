package mock

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// erlangC returns the probability that an operation waits in M/M/k with a load of a servers (Erlang's C formula), by the
// recursion of his B formula.
func erlangC(k int, a float64) float64 {
	b := 1.0
	for i := 1; i <= k; i++ {
		b = a * b / (float64(i) + a*b)
	}
	rho := a / float64(k)
	return b / (1 - rho + rho*b)
}

// TestErlangC: with Poisson arrivals and exponential delays the servers are M/M/k. No clock is involved. The seed is fixed; waits
// are alike for long, so the bounds are wide beside those of independent values.
func TestErlangC(t *testing.T) {
	const n, mean = 2_000_000, float64(time.Millisecond)
	for _, c := range []struct {
		k   int
		rho float64
	}{{1, 0.5}, {1, 0.8}, {3, 0.7}, {16, 0.8}} {
		t.Run(fmt.Sprintf("%d servers, %v busy", c.k, c.rho), func(t *testing.T) {
			rng := rand.New(rand.NewPCG(11, uint64(c.k)))
			s, l := newServers(c.k), delays{shape: exponential, delay: time.Duration(mean)}
			load := c.rho * float64(c.k) // in servers
			now, waited, sum := 0.0, 0, 0.0
			for range n {
				now += -math.Log(1-rng.Float64()) * mean / load
				d, _ := l.next(rng)
				if wait := s.serve(int64(now), d, nil) - int64(now) - int64(d); wait > 0 {
					waited++
					sum += float64(wait)
				}
			}
			wait := erlangC(c.k, load)
			if got := float64(waited) / n; math.Abs(got/wait-1) > 0.02 {
				t.Errorf("%.4f waited, want %.4f", got, wait)
			}
			want := wait * mean / (float64(c.k) - load)
			if got := sum / n; math.Abs(got/want-1) > 0.05 {
				t.Errorf("mean wait %.0f ns, want %.0f", got, want)
			}
		})
	}
}

// TestFirstComeFirstServed holds the heap against a search for the earliest server.
func TestFirstComeFirstServed(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 14))
	for k := 1; k <= 9; k++ {
		s, plain := newServers(k), make([]int64, k)
		now := int64(0)
		for i := range 2000 {
			now += rng.Int64N(100)
			d := rng.Int64N(int64(150 * k))
			least := 0
			for j := range plain {
				if plain[j] < plain[least] {
					least = j
				}
			}
			plain[least] = max(now, plain[least]) + d
			if got := s.serve(now, time.Duration(d), nil); got != plain[least] {
				t.Fatalf("%d servers, operation %d: ends at %d, want %d", k, i, got, plain[least])
			}
		}
		slices.Sort(plain)
		free := slices.Sorted(slices.Values(s.free))
		if !slices.Equal(free, plain) {
			t.Errorf("%d servers are free at %v, want %v", k, free, plain)
		}
	}
}

// TestPeriodicStalls holds the end of work against a walk through every nanosecond.
func TestPeriodicStalls(t *testing.T) {
	p := &periodic{epoch: 5, every: 10, length: 3} // stalls from 15 to 18, 25 to 28, …
	stalled := func(at int64) bool { return at >= 15 && (at-5)%10 < 3 }
	for start := int64(0); start < 60; start++ {
		for work := int64(0); work < 40; work++ {
			at := start
			for stalled(at) {
				at++
			}
			for left := work; left > 0; at++ {
				if !stalled(at) {
					left--
				}
			}
			if start < 5 { // before the epoch nothing stalls
				continue
			}
			if got := p.after(start, time.Duration(work)); got != at {
				t.Fatalf("%d ns from %d end at %d, want %d", work, start, got, at)
			}
		}
	}
	if got := p.between(17, 36); len(got) != 3 || got[0].Start != 15 || got[2].Start != 35 || got[0].Length != 3 {
		t.Errorf("%v", got)
	}
	if got := p.between(0, 15); len(got) != 0 {
		t.Errorf("%v", got)
	}
	if (*periodic)(nil).after(7, 8) != 15 || (*periodic)(nil).between(0, 100) != nil {
		t.Error("no stalls")
	}
}

// TestStallsInQueue: what is served during a stall ends later by it, and what comes meanwhile waits.
func TestStallsInQueue(t *testing.T) {
	s, p := newServers(1), &periodic{epoch: 0, every: 100, length: 50}
	for i, c := range []struct{ now, service, want int64 }{{90, 20, 160}, {110, 10, 170}, {170, 40, 260}} {
		if got := s.serve(c.now, time.Duration(c.service), p); got != c.want {
			t.Errorf("operation %d ends at %d, want %d", i, got, c.want)
		}
	}
}
