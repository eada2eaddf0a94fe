package main

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// kind is a kind of queue, or a way to use one.
type kind struct {
	name string
	new  func() queue
}

// kinds are pairs: one whose fields share a cache line, and the same with lines between.
var kinds = []kind{
	{"shared, interface", func() queue { return sharedByInterface{newShared()} }},
	{"padded, interface", func() queue { return apartByInterface{newApart()} }},
	{"shared, direct", func() queue { return sharedDirectly{newShared()} }},
	{"padded, direct", func() queue { return apartDirectly{newApart()} }},
}

// exchange has one goroutine offer and another poll for a while, and returns the items
// per second that arrived. What both read at each turn, stop, has its cache lines to itself, and what one writes at each
// turn is in its registers: otherwise the harness would have the fault that it is to show.
func exchange(q queue, d time.Duration) float64 {
	var stop struct {
		_ line
		atomic.Bool
		_ line
	}
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
	total := make(chan int, 1)
	group.Go(func() {
		arrived := 0
		for !stop.Load() {
			if _, ok := q.Poll(); ok {
				arrived++
			} else {
				runtime.Gosched()
			}
		}
		total <- arrived
	})
	begin := time.Now()
	time.Sleep(d)
	stop.Store(true)
	took := time.Since(begin)
	group.Wait()
	return float64(<-total) / took.Seconds()
}

// measure returns the rates of each kind in each round. Each round begins with another kind.
func measure(rounds int, d time.Duration) [][]float64 {
	rates := make([][]float64, len(kinds))
	for round := range rounds {
		for i := range kinds {
			k := (round + i) % len(kinds)
			rates[k] = append(rates[k], exchange(kinds[k].new(), d))
		}
	}
	return rates
}
