package aatest

import (
	"slices"
	"time"

	"github.com/tarebench/tare/stat"
)

// Data is what the processes of a self-test gave, in numbers. Its zero value holds nothing;
// set Window before the first process is added.
type Data struct {
	Window int     // values a side in a window, the N of its sequence: 1 … MaxWindow
	Test   string  // of this way, as in the record: stat.TestSavage, else the U test
	Cores  int     // of the machine, for the share of its CPU time that was stolen
	Steal  float64 // that share over the whole run; 0: take it from the processes
	Load   float64 // load average of a minute at the start of the run; 0: not known

	list  []*benchmark
	span  span
	stole time.Duration // by the neighbours, over all CPUs, in the processes' lives
	lived time.Duration // of the processes
}

// Process is a process that has ended.
type Process struct {
	Benchmark int // what AddBenchmark returned
	Usual     bool
	Side      string        // SideA or SideB
	Round     int           // as in its Step
	Start     int64         // CLOCK_MONOTONIC, ns
	Wall      time.Duration // its life
	Overhead  time.Duration // tare's own time around it
	Steal     time.Duration // stolen from the machine's CPUs meanwhile, over all of them
	Values    []float64     // of the measured iterations, ns/op
	Measured  time.Duration // wall time of those
	Failed    bool
	Why       string // it failed
}

// span is the time from the first process's start to the last one's end, on
// CLOCK_MONOTONIC.
type span struct{ from, to int64 }

// benchmark is what was measured of one benchmark.
type benchmark struct {
	pkg, name string
	forks     way
	usual     way
	processes [][]float64 // values of each usual process, for the spread
	forkCost  []float64   // of each fork before its measured iteration, ns
	iterCost  []float64   // of each measured iteration, ns of wall time
	failed    int         // processes
	why       string      // the last one did
}

// way is one of the two ways of measuring.
type way struct {
	windows []*window
	took    time.Duration // lives of its processes
}

// at returns the window of a block, which is the last one or a new one.
func (w *way) at(block, n int) *window {
	i := slices.IndexFunc(w.windows, func(x *window) bool { return x.block == block })
	if i >= 0 {
		return w.windows[i]
	}
	w.windows = append(w.windows, newWindow(block, n))
	return w.windows[len(w.windows)-1]
}

// usable returns the windows that can be judged.
func (w *way) usable() []*window {
	var out []*window
	for _, x := range w.windows {
		if x.usable() {
			out = append(out, x)
		}
	}
	return out
}

// AddBenchmark adds a benchmark and returns its number, for its processes.
func (d *Data) AddBenchmark(pkg, name string) int {
	d.list = append(d.list, &benchmark{pkg: pkg, name: name})
	return len(d.list) - 1
}

// Add adds a process. One that failed gives no value.
func (d *Data) Add(p Process) {
	if p.Benchmark < 0 || p.Benchmark >= len(d.list) || p.Round < 1 {
		return
	}
	x := d.list[p.Benchmark]
	switch {
	case p.Failed:
		x.failed++
		x.why = p.Why
		return
	case p.Usual:
		x.addUsual(&p, d.Window)
	default:
		x.addFork(&p, d.Window, d.Test)
	}
	if d.span.from == 0 {
		d.span.from = p.Start
	}
	d.span.to = max(d.span.to, p.Start+int64(p.Wall))
	d.lived += p.Wall
	d.stole += p.Steal
}

// addFork takes a fork of this way: its value is the median of its measured
// iterations.
func (x *benchmark) addFork(p *Process, n int, test string) {
	if len(p.Values) == 0 {
		return
	}
	block, i := placeOf(p.Round, n)
	w := x.forks.at(block, n)
	w.test = test
	if at := w.side(p.Side); at != nil {
		at[i] = stat.Median(p.Values)
	}
	x.forks.took += p.Wall
	x.iterCost = append(x.iterCost, float64(p.Measured)/float64(len(p.Values)))
	x.forkCost = append(x.forkCost, max(0, float64(p.Wall-p.Measured))+float64(max(0, p.Overhead)))
}

// addUsual takes a process of the usual way: each iteration is a value.
func (x *benchmark) addUsual(p *Process, n int) {
	if len(p.Values) != n {
		return
	}
	copy(x.usual.at(p.Round, n).side(p.Side), p.Values)
	x.usual.took += p.Wall
	x.processes = append(x.processes, p.Values)
}
