package bench

import (
	"slices"
	"testing"
	"time"

	"github.com/tarebench/tare/internal/base/clock"
)

// BenchmarkFloor compares what loops cost that do nothing: over b.N, b.Loop, a
// single worker's Next, and the Next of two roles at once, at a good place (see
// emptyBody). Links differ in where the others lie:
//
//	tare bench --layouts 8 --bench Floor ./bench
func BenchmarkFloor(b *testing.B) {
	b.Run("range", func(b *testing.B) {
		for range b.N {
		}
	})
	b.Run("loop", func(b *testing.B) {
		for b.Loop() {
		}
	})
	b.Run("next", func(b *testing.B) {
		Run(b, emptyBody)
	})
	b.Run("group2", func(b *testing.B) {
		Group(b, Average(),
			Role{Name: "one", Workers: 1, Body: emptyBody},
			Role{Name: "two", Workers: 1, Body: emptyBody})
	})
}

// BenchmarkNext reports how many times as long as loops over b.N such over Next take, in rounds in turn: the median over
// rounds, of the quickest of four places each (x-range), and of the means over places (x-range-mean). A loop takes twice as
// long where it lies across two cache lines; one over Next has 17 bytes, over b.N 8. Links differ in where they lie:
//
//	tare bench --layouts 8 --bench '^BenchmarkNext$' ./bench
func BenchmarkNext(b *testing.B) {
	var over, next, best, mean []float64
	for range b.N {
		var overN, overNext [len(places)]float64
		for i, p := range places {
			var n int
			n, overNext[i] = emptyWindow(b, p.next)
			start := clock.Now()
			p.n(&counted{n})
			overN[i] = float64(clock.Now()-start) / float64(n)
		}
		over, next = append(over, slices.Min(overN[:])), append(next, slices.Min(overNext[:]))
		best = append(best, slices.Min(overNext[:])/slices.Min(overN[:]))
		mean = append(mean, sum(overNext[:])/sum(overN[:]))
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(median(over), "range-ns")
	b.ReportMetric(median(next), "next-ns")
	b.ReportMetric(median(best), "x-range")
	b.ReportMetric(median(mean), "x-range-mean")
}

// emptyWindow returns the operations of a body in a window of half a millisecond, and their time, ns.
func emptyWindow(b *testing.B, body func(*Worker)) (n int, ns float64) {
	win := newWindow([]*roleGroup{{cfg: &Role{Workers: 1, Body: body}, ops: 1}})
	win.grace, win.seed, win.length = defaultGrace, defaultSeed, time.Millisecond/2
	win.addWorkers()
	if o := win.run(doNothing, doNothing); o.err != nil {
		b.Fatal(o.err)
	}
	s := scoreOf("", win.workers)
	return int(s.ops), s.nsPerOp
}

// counted stands for a testing.B.
type counted struct{ N int }

// places are the same loops behind instructions of different lengths.
var places = [...]struct {
	n    func(*counted)
	next func(*Worker)
}{{overN0, overNext0}, {overN1, overNext1}, {overN2, overNext2}, {overN3, overNext3}}

var place [4]int

func overN0(c *counted) {
	for range c.N {
	}
}

func overN1(c *counted) {
	place[0] += 1000
	for range c.N {
	}
}

func overN2(c *counted) {
	place[0] += 1000
	place[1] += 1000
	for range c.N {
	}
}

func overN3(c *counted) {
	place[0] += 1000
	place[1] += 1000
	place[2] += 1000
	for range c.N {
	}
}

func overNext0(w *Worker) {
	for w.Next() {
	}
}

func overNext1(w *Worker) {
	place[0] += 1000
	for w.Next() {
	}
}

func overNext2(w *Worker) {
	place[0] += 1000
	place[1] += 1000
	for w.Next() {
	}
}

func overNext3(w *Worker) {
	place[0] += 1000
	place[1] += 1000
	place[2] += 1000
	for w.Next() {
	}
}

func median(v []float64) float64 {
	slices.Sort(v)
	return v[len(v)/2]
}

func sum(v []float64) (s float64) {
	for _, x := range v {
		s += x
	}
	return s
}
