package aatest

import (
	"math"
	"slices"
	"time"

	"github.com/tarebench/tare/record"
	"github.com/tarebench/tare/stat"
)

// Needed is the number of windows of each way, over all benchmarks, below which
// a self-test reports that it has too few: with 40, a true rate of 5 % can be
// distinguished from one of 20 %.
const Needed = 40

// Result is what a self-test found. Shares, rates and changes are fractions of
// 1, durations nanoseconds. Bounds are those of 95 % intervals.
type Result struct {
	Run        *record.Run `json:"run"`
	Window     int         `json:"window"`    // values a side in a window
	Needed     int         `json:"needed"`    // windows of each way
	Budget     int64       `json:"needs_ns"`  // that would give so many; 0: this one did, or not known
	This       Way         `json:"this_way"`  // forks, interleaved
	Usual      Way         `json:"usual_way"` // -test.count=N, before and after
	Smallest   Smallest    `json:"smallest"`  // change that this way finds
	Pairs      Pairs       `json:"pairs"`     // how much alike neighbours are
	Benchmarks []Benchmark `json:"benchmarks"`
	Steal      stat.Number `json:"steal"`   // share of the machine's CPU time
	Load       float64     `json:"load"`    // average of a minute, at the start; 0: not known
	Took       int64       `json:"took_ns"` // from the first process to the last
	Verdict    Verdict     `json:"verdict"`
	Notes      []Note      `json:"notes"`        // warnings of the record
	Partial    string      `json:"partial"`      // why the run is not complete; "" if it is
	CutOff     bool        `json:"cut_off"`      // the record has no end
	Failed     int         `json:"forks_failed"` // processes that failed
}

// Note is a warning of the record.
type Note struct {
	Code   string `json:"code"`
	Text   string `json:"text"`
	Advice string `json:"advice,omitempty"`
}

// Way is how one of the two ways did.
type Way struct {
	Windows    int         `json:"windows"`   // that could be judged
	Lost       int         `json:"lost"`      // that could not: a process failed or is missing
	Different  int         `json:"different"` // called different by the U test
	Rate       stat.Number `json:"rate"`      // of false positives
	Lo         stat.Number `json:"lo"`        // by Clopper and Pearson
	Hi         stat.Number `json:"hi"`
	Difference Difference  `json:"difference_p95"`
	Took       int64       `json:"took_ns"` // lives of its processes
}

// Difference is the 95th percentile of |difference of medians|, relative to side A's.
type Difference struct {
	Value stat.Number `json:"value"`
	Lo    stat.Number `json:"lo"`
	Hi    stat.Number `json:"hi"` // +Inf with too few windows
}

// Benchmark is what was found with one benchmark.
type Benchmark struct {
	Pkg      string      `json:"pkg"`
	Name     string      `json:"name"`
	This     Way         `json:"this_way"`
	Usual    Way         `json:"usual_way"`
	Smallest Change      `json:"smallest"`
	Median   stat.Number `json:"median_ns"` // of the forks, ns/op
	Spread   Spread      `json:"spread"`
	Failed   int         `json:"forks_failed,omitempty"`
	Why      string      `json:"why,omitempty"` // the last one failed
}

// Result returns what the data mean. What is of the record is the caller's to fill in.
func (d *Data) Result() *Result {
	r := &Result{
		Window: d.Window, Needed: Needed, Load: d.Load, Steal: stat.Number(d.steal()), Took: d.span.to - d.span.from,
		Benchmarks: []Benchmark{}, Notes: []Note{},
	}
	var forks, usual way
	for _, x := range d.list {
		r.Benchmarks = append(r.Benchmarks, x.result())
		r.Failed += x.failed
		forks.add(x.forks)
		usual.add(x.usual)
	}
	r.This, r.Usual = forks.result(), usual.result()
	r.Smallest = smallest(forks.usable(), r.Window)
	r.Pairs = pairs(forks.usable())
	r.Budget = r.budget()
	r.Verdict = judge(r)
	return r
}

func (w *way) add(x way) {
	w.windows = append(w.windows, x.windows...)
	w.took += x.took
}

func (w *way) result() Way {
	ws := w.usable()
	n, different := count(ws)
	cp := stat.ClopperPearson(different, n, stat.DefaultConfidence)
	return Way{
		Windows: n, Lost: len(w.windows) - n, Different: different,
		Rate: stat.Number(cp.Value), Lo: stat.Number(cp.Lo), Hi: stat.Number(cp.Hi),
		Difference: differenceOf(ws), Took: int64(w.took),
	}
}

func differenceOf(ws []*window) Difference {
	ds := make([]float64, len(ws))
	for i, w := range ws {
		ds[i] = w.difference()
	}
	e := stat.QuantileInterval(ds, 0.95, stat.DefaultConfidence)
	return Difference{stat.Number(e.Value), stat.Number(max(0, e.Lo)), stat.Number(e.Hi)}
}

func (x *benchmark) result() Benchmark {
	forks := x.forks.usable()
	var values []float64
	for _, w := range forks {
		values = append(append(values, w.a...), w.b...)
	}
	return Benchmark{
		Pkg: x.pkg, Name: x.name, This: x.forks.result(), Usual: x.usual.result(),
		Smallest: change(forks), Median: stat.Number(stat.Median(values)), Spread: x.spread(),
		Failed: x.failed, Why: x.why,
	}
}

// steal returns the share of the machine's CPU time: of the whole run if that is known,
// else of the lives of the processes.
func (d *Data) steal() float64 {
	if d.Steal > 0 || d.lived == 0 || d.Cores == 0 {
		return d.Steal
	}
	return float64(d.stole) / float64(d.lived) / float64(d.Cores)
}

// windows returns the number of windows that each way has at least.
func (r *Result) windows() int { return min(r.This.Windows, r.Usual.Windows) }

// budget returns the time that Needed windows would take if they take as long as
// those so far, a tenth more for good measure, in steps of 10 s.
func (r *Result) budget() int64 {
	n := r.windows()
	if n == 0 || n >= Needed {
		return 0
	}
	const step = 10 * time.Second
	d := 1.1 * float64(r.Took) * Needed / float64(n)
	return int64(math.Ceil(d/float64(step))) * int64(step)
}

// sortedCopy returns a copy of xs in ascending order.
func sortedCopy(xs []float64) []float64 {
	xs = slices.Clone(xs)
	slices.Sort(xs)
	return xs
}
