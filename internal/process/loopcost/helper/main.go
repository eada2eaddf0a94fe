// Command loops measures benchmark loops without a body, as package testing runs them. Its arguments are values of
// GOMAXPROCS. It prints a JSON array of the loops.
package main

import (
	"encoding/json"
	"flag"
	"os"
	"runtime"
	"slices"
	"strconv"
	"testing"
)

// How often and how long each loop is measured. Disturbances only lengthen it, so the least counts. testing must choose N
// for RunParallel.
const (
	repeats  = 5
	many     = "300000x" // 0.1 ms and more
	time     = "3ms"
	once     = "1x"
	firsts   = 7
	parallel = "RunParallel"
)

type result struct {
	Form  string  `json:"form"`
	Procs int     `json:"procs"`
	Min   float64 `json:"min"`
	Max   float64 `json:"max"`
	First float64 `json:"first"`
}

var forms = []struct {
	name  string
	loops []func(*testing.B)
}{
	{"b.N", []func(*testing.B){n1, n2, n3, n4, n5}},
	{"b.Loop", []func(*testing.B){loop1, loop2, loop3}},
	{parallel, []func(*testing.B){inParallel}},
}

func main() {
	testing.Init()
	flag.Parse()
	var out []result
	for _, arg := range flag.Args() {
		procs, err := strconv.Atoi(arg)
		if err != nil || procs < 1 {
			os.Exit(2)
		}
		runtime.GOMAXPROCS(procs)
		for _, f := range forms {
			out = append(out, measure(f.name, procs, f.loops))
		}
	}
	if json.NewEncoder(os.Stdout).Encode(out) != nil {
		os.Exit(1)
	}
}

// measure measures the loops of one form.
func measure(form string, procs int, loops []func(*testing.B)) result {
	length := many
	if form == parallel {
		length = time
	}
	r := result{Form: form, Procs: procs}
	for _, l := range loops {
		x := slices.Min(timed(l, length, repeats))
		if r.Min == 0 || x < r.Min {
			r.Min = x
		}
		r.Max = max(r.Max, x)
	}
	first := timed(loops[0], once, firsts)
	slices.Sort(first)
	r.First = first[len(first)/2]
	return r
}

// timed returns the ns per operation of some runs.
func timed(loop func(*testing.B), length string, count int) []float64 {
	flag.Set("test.benchtime", length)
	var out []float64
	for range count {
		r := testing.Benchmark(loop)
		out = append(out, float64(r.T.Nanoseconds())/float64(max(1, r.N)))
	}
	return out
}
