// Command burn spends CPU time in known places: of three parts two are burn's and one
// is half's. "sleep" only sleeps, "profile FILE" has Go's own profiler look on, and
// "forever" does not end. "longer N" does N times as much. What it was asked for is done when it says so.
package main

import (
	"fmt"
	"os"
	"runtime/pprof"
	"strconv"
	"time"
)

var sink uint64

//go:noinline
func burn(n int) {
	x := sink | 1
	for range n {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
	}
	sink = x
}

//go:noinline
func half(n int) {
	x := sink | 1
	for range n {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
	}
	sink = x
}

func main() {
	times, step, rounds := 30, 1, 0
	switch word(1) {
	case "sleep":
		time.Sleep(20 * time.Millisecond)
		return
	case "forever":
		step = 0
	case "profile":
		f, err := os.Create(word(2))
		if err == nil {
			err = pprof.StartCPUProfile(f)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		defer f.Close()
		defer pprof.StopCPUProfile()
		times *= 2
	case "longer":
		n, err := strconv.Atoi(word(2))
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		times *= n
	case "die":
		defer func() { os.Exit(3) }()
	}
	for i := 0; i < times; i += step {
		burn(2_000_000)
		half(1_000_000)
		if rounds++; rounds == times {
			fmt.Println("burnt")
		}
	}
}

func word(n int) string {
	if n < len(os.Args) {
		return os.Args[n]
	}
	return ""
}
