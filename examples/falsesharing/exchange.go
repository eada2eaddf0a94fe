package main

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// exchange has one goroutine offer and another poll for a while, and returns the items
// per second that arrived. The queue is known by its interface only, as it is to code
// that was written before there was a second kind.
func exchange(q queue, d time.Duration) float64 {
	var stop atomic.Bool
	var group sync.WaitGroup
	group.Go(func() {
		for i := 0; !stop.Load(); {
			if q.Offer(i) {
				i++
			} else {
				runtime.Gosched()
			}
		}
	})
	arrived := 0
	group.Go(func() {
		for !stop.Load() {
			if _, ok := q.Poll(); ok {
				arrived++
			} else {
				runtime.Gosched()
			}
		}
	})
	begin := time.Now()
	time.Sleep(d)
	stop.Store(true)
	took := time.Since(begin)
	group.Wait()
	return float64(arrived) / took.Seconds()
}

// measure alternates between both kinds; each begins half of the rounds.
func measure(rounds int, d time.Duration) (denseRates, paddedRates []float64) {
	for round := range rounds {
		if round%2 == 0 {
			denseRates = append(denseRates, exchange(newDense(), d))
			paddedRates = append(paddedRates, exchange(newPadded(), d))
		} else {
			paddedRates = append(paddedRates, exchange(newPadded(), d))
			denseRates = append(denseRates, exchange(newDense(), d))
		}
	}
	return denseRates, paddedRates
}
