package main

import (
	"fmt"
	"sync"
	"time"
)

// beats works for a while (4) of every so long (3), for so long (2), and prints the share of the time
// that it worked, by its own account.
func beats() {
	began, busy := time.Now(), time.Duration(0)
	t := time.NewTicker(ms(3))
	defer t.Stop()
	for range t.C {
		from := time.Now()
		beat(ms(4))
		busy += time.Since(from)
		if time.Since(began) > ms(2) {
			break
		}
	}
	fmt.Println(busy.Seconds() / time.Since(began).Seconds())
}

//go:noinline
func beat(d time.Duration) {
	x := uint64(1)
	for end := time.Now().Add(d); time.Now().Before(end); {
		for range 3000 {
			x ^= x << 13
			x ^= x >> 7
		}
	}
	sink = x
}

// turns has two goroutines of which one waits while the other works for some µs, for so long (2).
func turns() {
	a, b := make(chan int), make(chan int)
	end := time.Now().Add(ms(2))
	var wg sync.WaitGroup
	wg.Go(func() {
		for n := range a {
			turn()
			b <- n
		}
		close(b)
	})
	wg.Go(func() {
		for time.Now().Before(end) {
			a <- 1
			<-b
			turn()
		}
		close(a)
	})
	wg.Wait()
}

//go:noinline
func turn() {
	x := uint64(1)
	for range 3000 {
		x ^= x << 13
		x ^= x >> 7
	}
}
