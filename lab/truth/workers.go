package main

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/tarebench/tare/usage"
)

// workers holds the CPU time of each of six workers of a usage.Pool against the
// parts of work that it had, 1 to 6: against that share of what all of them took.
func workers(ctx context.Context, c config) ([]figure, error) {
	const n = 6
	figures := make([]figure, n)
	rounds := roundsIn(c.unit)
	for range c.forks {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		cpu, err := shares(n, rounds)
		if err != nil {
			return nil, err
		}
		var sum float64
		for _, t := range cpu {
			sum += t
		}
		for i, t := range cpu {
			f := &figures[i]
			f.name, f.unit, f.aim = fmt.Sprintf("worker with %d of 21 parts  cpu", i+1), "ms", 0.03
			f.got = append(f.got, t)
			f.truth = append(f.truth, sum*float64(i+1)/(n*(n+1)/2))
		}
	}
	return figures, nil
}

// shares has n workers do 1 to n parts, all at the same time, and returns their
// CPU times in ns. A barrier sees to it that each takes one task; the one that had
// more work took more time.
func shares(n, rounds int) ([]float64, error) {
	p := usage.NewPool(n)
	defer p.Close()
	var here sync.WaitGroup
	here.Add(n)
	for i := range n {
		p.Go(func() {
			here.Done()
			here.Wait()
			burn((i + 1) * rounds)
		})
	}
	p.Wait()
	w := p.Workers()
	if why := w.NotAvailable[usage.FigureCPU]; why != "" {
		return nil, fmt.Errorf("not available: %s", why)
	}
	var out []float64
	for _, each := range w.Each {
		out = append(out, float64(each.CPU.Sum))
	}
	slices.Sort(out)
	return out, nil
}

// burn does work that depends on nothing but its length.
func burn(rounds int) {
	x := uint64(88172645463325252)
	for range rounds {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
	}
	sink.Store(x)
}

var sink atomic.Uint64

// roundsIn returns how many rounds of burn take a time.
func roundsIn(d time.Duration) int {
	const trial = 1 << 20
	best := time.Duration(1 << 62)
	for range 5 {
		start := time.Now()
		burn(trial)
		best = min(best, time.Since(start))
	}
	return int(float64(trial) * float64(d) / float64(best))
}
