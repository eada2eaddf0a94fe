//go:build linux || darwin

// Command helper runs the reference loops: for each byte that it reads from descriptor 3 it runs them once and
// prints one line of JSON. It ends when descriptor 3 does. It is started by tare, never by hand.
package main

import (
	"encoding/json"
	"os"
	"slices"
	"syscall"
	"time"
)

// repeats is the number of times that each loop is timed. Each takes about 0.8 ms on an undisturbed machine.
const repeats = 5

// result is what is printed of one loop.
type result struct {
	Name   string  `json:"name"`
	Min    float64 `json:"min"`  // ns per step, quickest repeat
	Median float64 `json:"med"`  // ns per step, median of the repeats
	Wall   int64   `json:"wall"` // of all repeats, ns
	CPU    int64   `json:"cpu"`  // CPU time of this process meanwhile, all threads, ns
}

func main() {
	requests := os.NewFile(3, "requests")
	if _, err := requests.Stat(); err != nil {
		os.Stderr.WriteString("tare's reference loops are started by tare, not by hand\n")
		os.Exit(2)
	}
	loops, err := newLoops()
	if err != nil {
		os.Stderr.WriteString(err.Error() + "\n")
		os.Exit(1)
	}
	out := json.NewEncoder(os.Stdout)
	var request [1]byte
	for {
		if n, err := requests.Read(request[:]); n == 0 || err != nil {
			return
		}
		results := make([]result, len(loops))
		for i := range loops {
			results[i] = loops[i].measure()
		}
		if out.Encode(results) != nil {
			return
		}
	}
}

// A loop is steps of one kind of work.
type loop struct {
	name  string
	steps int
	run   func(steps int)
}

func (l *loop) measure() result {
	times := make([]float64, repeats)
	cpu, begin := cpuTime(), time.Now()
	for i := range times {
		start := time.Now()
		l.run(l.steps)
		times[i] = float64(time.Since(start)) / float64(l.steps)
	}
	r := result{Name: l.name, Wall: int64(time.Since(begin)), CPU: cpuTime() - cpu}
	slices.Sort(times)
	r.Min, r.Median = times[0], times[repeats/2]
	return r
}

// cpuTime returns the CPU time of this process in ns.
func cpuTime() int64 {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return u.Utime.Nano() + u.Stime.Nano()
}
