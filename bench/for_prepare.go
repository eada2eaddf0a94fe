package bench

import (
	"runtime"
	"runtime/metrics"
	"time"

	"github.com/tarebench/tare/internal/base/clock"
)

// forReal returns the functions used outside of tests.
func forReal() forWorld {
	return forWorld{now: clock.Now, measureFloor: measureOverhead, collect: forCollect, cycles: forCycles}
}

// forCollect forces a full garbage collection and reports whether the runtime has counted it.
func forCollect() bool {
	return collectUntilCounted(forCycles, runtime.GC, func() { time.Sleep(time.Millisecond) })
}

// collectUntilCounted collects until the count of cycles has changed, at most 100 times, and reports whether
// it has.
func collectUntilCounted(cycles func() uint64, collect, pause func()) bool {
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

// forCycles returns the number of garbage collections that the process has completed. Unlike
// runtime.ReadMemStats it does not stop the world.
func forCycles() uint64 {
	s := []metrics.Sample{{Name: "/gc/cycles/total:gc-cycles"}}
	metrics.Read(s)
	return s[0].Value.Uint64()
}

// measureOverhead measures For's overhead and the step of the clock in ns. It takes about 5 ms.
func measureOverhead() (t Overhead, step int64) {
	w := clock.Measure()
	return Overhead{Read: w.Read, Loop: w.Loop, Call: measureCall(int64(w.Resolution))}, int64(w.Resolution)
}

// measureCall returns the time of a call of an empty function value in ns: the minimum over some batches,
// because interference only adds time.
func measureCall(step int64) float64 {
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

// callBatch returns the ns that n calls of f take. It is not inlined, so the compiler does not know f.
//
//go:noinline
func callBatch(n int, f func()) int64 {
	start := clock.Now()
	for range n {
		f()
	}
	return clock.Now() - start
}
