package bench

import (
	"runtime"
	"runtime/metrics"
	"time"

	"github.com/tarebench/tare/internal/clock"
)

// forReal is the world outside of tests.
func forReal() forWorld {
	return forWorld{now: clock.Now, weigh: forWeigh, collect: forCollect, cycles: forCycles}
}

// forCollect forces a full collection and waits until it has really happened.
// runtime.GC blocks until its cycle is complete and swept; that it was one is
// taken from the runtime's own count.
func forCollect() bool {
	return confirmed(forCycles, runtime.GC, func() { time.Sleep(time.Millisecond) })
}

// confirmed collects until the count of cycles has moved. It gives up after many
// attempts, since a program that is merely not tidy can still be measured.
func confirmed(cycles func() uint64, collect, pause func()) bool {
	before := cycles()
	for range 100 {
		collect()
		if cycles() > before {
			return true
		}
		pause()
	}
	return false
}

// forCycles returns the number of garbage collections that the process has
// completed. Unlike runtime.ReadMemStats it stops nothing.
func forCycles() uint64 {
	s := []metrics.Sample{{Name: "/gc/cycles/total:gc-cycles"}}
	metrics.Read(s)
	return s[0].Value.Uint64()
}

// forWeigh weighs the instrument, in some 5 ms.
func forWeigh() (t Tare, step int64) {
	w := clock.Measure()
	return Tare{Read: w.Read, Loop: w.Loop, Call: weighCall(int64(w.Resolution))}, int64(w.Resolution)
}

// weighCall returns what the call of an empty function value takes: the least of
// some batches, because what interferes can only add to it.
func weighCall(step int64) float64 {
	long := min(max(int64(20*time.Microsecond), forBatchSteps*step), int64(time.Millisecond))
	n := 1 << 10
	took := callBatch(n, func() {})
	for took < long && n < 1<<24 {
		n *= 2
		took = callBatch(n, func() {})
	}
	for range 50 {
		took = min(took, callBatch(n, func() {}))
	}
	return float64(took) / float64(n)
}

// callBatch returns the time that n calls of f take, for an f that the compiler
// does not know.
//
//go:noinline
func callBatch(n int, f func()) int64 {
	start := clock.Now()
	for range n {
		f()
	}
	return clock.Now() - start
}
