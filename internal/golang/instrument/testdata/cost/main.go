// Program cost holds functions that a benchmark instruments (probed…) against the same ones
// that it does not (plain…), in short turns, and prints medians in ns.
package main

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"sync"
	"time"
)

//go:noinline
func plainEmpty() {}

//go:noinline
func probedEmpty() {}

//go:noinline
func plainFib(n int) int {
	if n < 2 {
		return n
	}
	return plainFib(n-1) + plainFib(n-2)
}

//go:noinline
func probedFib(n int) int {
	if n < 2 {
		return n
	}
	return probedFib(n-1) + probedFib(n-2)
}

var sink uint64

// body takes about a microsecond: each step waits for the one before.
func plainBody() { sink = chain(sink) }

func probedBody() { sink = chain(sink) }

//go:noinline
func chain(x uint64) uint64 {
	for range 1030 {
		x = x*6364136223846793005 + 1442695040888963407
	}
	return x
}

const turn = 1000 // calls

// span is how long a turn takes, in ns per call.
func span(calls int, f func()) float64 {
	begin := time.Now()
	for range calls {
		f()
	}
	return float64(time.Since(begin).Nanoseconds()) / float64(calls)
}

// pair prints the medians of two functions in turns.
func pair(name string, rounds, calls int, plain, probed func()) {
	var a, b []float64
	for range rounds {
		a = append(a, span(calls, plain))
		b = append(b, span(calls, probed))
	}
	fmt.Println(name, median(a), median(b))
}

func median(v []float64) float64 {
	slices.Sort(v)
	return v[len(v)/2]
}

func together(goroutines, rounds int) {
	var wg sync.WaitGroup
	var mu sync.Mutex
	var all []float64
	for range goroutines {
		wg.Add(1)
		go func() {
			defer wg.Done()
			var mine []float64
			for range rounds {
				mine = append(mine, span(turn, probedEmpty)-span(turn, plainEmpty))
			}
			mu.Lock()
			defer mu.Unlock()
			all = append(all, median(mine))
		}()
	}
	wg.Wait()
	fmt.Println("together", goroutines, median(all))
}

func main() {
	rounds, _ := strconv.Atoi(os.Args[2])
	switch os.Args[1] {
	case "empty":
		pair("empty", rounds, turn, plainEmpty, probedEmpty)
	case "together":
		for range 2 {
			together(1, rounds)
			together(2, rounds)
		}
	case "body":
		pair("body", rounds, turn, plainBody, probedBody)
	case "fib":
		pair("fib", rounds, 1, func() { plainFib(27) }, func() { probedFib(27) })
	case "calls": // from 8 goroutines
		var wg sync.WaitGroup
		for range 8 {
			wg.Add(1)
			go func() {
				defer wg.Done()
				for range rounds / 8 {
					probedEmpty()
				}
			}()
		}
		wg.Wait()
	}
}
