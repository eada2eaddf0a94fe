package footprint

import (
	"runtime"
	"time"
)

const (
	settlePause  = 20 * time.Millisecond // between collections, for finalizers and cleanups
	settleRounds = 10                    // collections at most
)

// Heap is the number of bytes in live objects of the heap.
type Heap int64

// SettledHeap collects garbage until the heap no longer shrinks, at most ten times, and returns what lives. Objects of a
// sync.Pool are freed by the second collection, those with a finalizer by the one after it ran. It takes some ten
// milliseconds and more with a large heap.
func SettledHeap() Heap {
	var s runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&s)
	least := s.HeapAlloc
	for range settleRounds - 1 {
		time.Sleep(settlePause)
		runtime.GC()
		runtime.ReadMemStats(&s)
		if s.HeapAlloc >= least {
			break
		}
		least = s.HeapAlloc
	}
	return Heap(least)
}

// Benchmark is what [Heap.Report] needs of a *testing.B.
type Benchmark interface {
	StopTimer()
	ReportMetric(n float64, unit string)
}

// Report is called at the end of a benchmark, on the settled heap from before its subjects were made. It stops the timer
// and reports as metrics
//
//	heap-settled-B   live heap while the subjects live, collected until it no longer shrinks
//	heap-growth-B    the same minus h
//	subject-B        what the subjects weigh, by [Measure]; nothing if no subject is given
//
// It needs no flags and no tool: go test -bench prints the metrics. Growth contains everything that was allocated since and
// still lives, such as buffers of goroutines. Compare the two: what only growth contains cannot be reached from the
// subjects.
func (h Heap) Report(b Benchmark, subjects ...any) {
	b.StopTimer()
	now := SettledHeap()
	b.ReportMetric(float64(now), "heap-settled-B")
	b.ReportMetric(float64(now-h), "heap-growth-B")
	if len(subjects) > 0 {
		b.ReportMetric(float64(Measure(subjects...).Bytes), "subject-B")
	}
	runtime.KeepAlive(subjects)
}
