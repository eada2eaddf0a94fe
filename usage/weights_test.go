package usage

import (
	"math"
	"slices"
	"sync"
	"testing"
)

// weights is a known division of work: worker i does i units, and all of them the
// same unit of work, a chain of additions and multiplications that no cache and no
// other thread can speed up or slow down.
const weights = 6

// sharedOut has six workers do 1 to 6 units each and returns the CPU time of each
// of them per unit. All wait until each worker has one task.
func sharedOut(t testing.TB, p *Pool, unit int) (perUnit [weights]float64) {
	t.Helper()
	p.Reset()
	var ready sync.WaitGroup
	ready.Add(weights)
	var thread [weights]int
	for w := range weights {
		p.Go(func() {
			thread[w] = threadID()
			ready.Done()
			ready.Wait()
			chain((w + 1) * unit)
		})
	}
	p.Wait()
	for _, x := range p.Workers().Each {
		w := slices.Index(thread[:], x.Thread)
		if x.CPU.Count != 1 || w < 0 {
			t.Fatalf("worker %+v of threads %v", x, thread)
		}
		perUnit[w] = float64(x.CPU.Sum) / float64(w+1)
	}
	return perUnit
}

var chained uint64

//go:noinline
func chain(n int) {
	x := uint64(n)
	for range n {
		x = x*6364136223846793005 + 1442695040888963407
	}
	if x == 0 {
		chained = x
	}
}

// off is how far the furthest worker is from the middle one, relative to it.
func off(perUnit []float64) (most float64) {
	middle := median(perUnit)
	for _, x := range perUnit {
		most = max(most, math.Abs(x/middle-1))
	}
	return most
}

func median(xs []float64) float64 {
	s := slices.Sorted(slices.Values(xs))
	return (s[(len(s)-1)/2] + s[len(s)/2]) / 2
}

// TestWeights: the CPU time of locked workers is that of their work. A thread's
// clock stands still while others run, so that a busy machine does not spoil it; but
// processors that share a core slow each other down, so one good try must do.
func TestWeights(t *testing.T) {
	if noThreadCPU != "" {
		t.Skip(noThreadCPU)
	}
	p := NewPool(weights)
	defer p.Close()
	var seen []float64
	for range 20 {
		perUnit := sharedOut(t, p, 2_000_000)
		if seen = append(seen, off(perUnit[:])); slices.Min(seen) < 0.05 {
			return
		}
	}
	t.Errorf("the CPU time per unit of work is off by %.3f among the workers", seen)
}

// BenchmarkWeights prints by how many per cent the CPU time of the furthest of six
// workers, which do 1 to 6 units of work, is off the middle one's per unit:
// typical-% is the median of its iterations, worst-% the most, and lasting-% is what
// is off when each worker has the median of its iterations.
func BenchmarkWeights(b *testing.B) {
	if noThreadCPU != "" {
		b.Skip(noThreadCPU)
	}
	p := NewPool(weights)
	defer p.Close()
	var each []float64
	var byWorker [weights][]float64
	for b.Loop() {
		perUnit := sharedOut(b, p, 10_000_000)
		each = append(each, 100*off(perUnit[:]))
		for w, x := range perUnit {
			byWorker[w] = append(byWorker[w], x)
		}
	}
	var medians []float64
	for _, xs := range byWorker {
		medians = append(medians, median(xs))
	}
	b.ReportMetric(median(each), "typical-%")
	b.ReportMetric(slices.Max(each), "worst-%")
	b.ReportMetric(100*off(medians), "lasting-%")
	b.ReportMetric(median(medians)/1e6, "unit-ms")
}
