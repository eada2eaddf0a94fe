package servers

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tarebench/tare/load"
	"github.com/tarebench/tare/record"
)

// Against measures what tare costs: the operations per second of a target in a
// closed loop, over those of bare loops with as many workers. The two take turns
// of a second in one run, and the ratio is the median of those of neighbours,
// because a server's speed changes from second to second. Each turn of the target
// connects anew, which is part of it.
//
// Bare returns what worker n calls; each call is one operation.
func Against(b *testing.B, workers int, target load.Target, bare func(n int) func() error) {
	b.Helper()
	loops := make([]func() error, workers)
	for i := range loops {
		loops[i] = bare(i)
	}
	var ratios, rates []float64
	first := uint64(0)
	for b.Loop() {
		before := bareTurn(b, loops)
		totals, err := load.Run(context.Background(), target, load.Config{Workers: workers, Duration: turn, First: first},
			func(record.Line) error { return nil })
		if err != nil {
			b.Fatal(err)
		}
		for class, n := range totals.Errors {
			b.Fatalf("%d errors of class %s: %s", n, class, totals.First[class])
		}
		first += uint64(totals.Started)
		rate := float64(totals.Completed) / (float64(totals.Length) / 1e9)
		rates = append(rates, rate)
		ratios = append(ratios, rate/((before+bareTurn(b, loops))/2))
	}
	b.ReportMetric(median(rates), "op/s")
	b.ReportMetric(median(ratios), "tare/bare")
}

const turn = time.Second

// bareTurn returns the operations per second of one turn.
func bareTurn(b *testing.B, loops []func() error) float64 {
	b.Helper()
	var stop atomic.Bool
	var wg sync.WaitGroup
	counts := make([]int, len(loops))
	errs := make([]error, len(loops))
	began := time.Now()
	for i, do := range loops {
		wg.Go(func() {
			n := 0
			for ; !stop.Load() && errs[i] == nil; n++ {
				errs[i] = do()
			}
			counts[i] = n
		})
	}
	time.Sleep(turn)
	stop.Store(true)
	wg.Wait()
	took := time.Since(began).Seconds()
	sum := 0
	for i, n := range counts {
		if errs[i] != nil {
			b.Fatal(errs[i])
		}
		sum += n
	}
	return float64(sum) / took
}

func median(x []float64) float64 {
	x = slices.Sorted(slices.Values(x))
	return (x[(len(x)-1)/2] + x[len(x)/2]) / 2
}
