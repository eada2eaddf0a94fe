package testing

import (
	"runtime"
	"strconv"
	"syscall"
	"time"
)

// tareUsage reports the CPU time of all threads from the first start of the timer to its last stop, by
// two system calls outside of the timed part. The figures of the collector are those that testing
// reads.
var tareUsage = tarePart{process: tareUsageProcess, begin: tareUsageBegin, end: tareUsageEnd, values: tareUsageValues, written: tareUsageWritten}

// Benchmarks run one after the other.
var (
	tareUsage0, tareUsage1 syscall.Rusage
	tareUsageGC0           float64 // the collector's CPU time since the start of the process, s
	tareUsageGC1           float64
	tareUsageStart         time.Time
)

func tareUsageProcess() { tareUsageStart = time.Now() }

func tareUsageBegin(b *B) {
	tareUsageGC0 = tareUsageGC()
	syscall.Getrusage(syscall.RUSAGE_SELF, &tareUsage0)
}

func tareUsageEnd(b *B) {
	syscall.Getrusage(syscall.RUSAGE_SELF, &tareUsage1)
	tareUsageGC1 = tareUsageGC()
}

// tareUsageGC is an estimate by the runtime, brought up to date at the end of each
// cycle: the collector's share of GOMAXPROCS since the start of the process.
func tareUsageGC() float64 {
	return memStats.GCCPUFraction * time.Since(tareUsageStart).Seconds() * float64(runtime.GOMAXPROCS(0))
}

func tareUsageValues(b *B, v *tareLine) {
	wall := b.tare.end - b.tare.begin
	if wall < tareUsageLeast { // the two calls themselves would be most of the time
		return
	}
	user := tareUsage1.Utime.Nano() - tareUsage0.Utime.Nano()
	sys := tareUsage1.Stime.Nano() - tareUsage0.Stime.Nano()
	n := float64(max(b.N, 1))
	v.float("user-ns/op", float64(user)/n)
	v.float("sys-ns/op", float64(sys)/n)
	v.float("cpu-ns/op", float64(user+sys)/n)
	v.float("cores", float64(user+sys)/float64(wall))
	if s := b.duration.Seconds(); s > 0 {
		v.float("alloc-B/s", float64(b.netBytes)/s)
	}
	if b.tare.gc > 0 {
		v.float("gc-cpu-share", min(1, max(0, tareUsageGC1-tareUsageGC0)/(float64(wall)/1e9*float64(runtime.GOMAXPROCS(0)))))
	}
	v.float("voluntary-switches/op", float64(tareUsage1.Nvcsw-tareUsage0.Nvcsw)/n)
	v.float("involuntary-switches/op", float64(tareUsage1.Nivcsw-tareUsage0.Nivcsw)/n)
	v.float("page-faults/op", float64(tareUsage1.Minflt-tareUsage0.Minflt+tareUsage1.Majflt-tareUsage0.Majflt)/n)
}

// tareUsageLeast is the shortest window, in ns, that is reported.
const tareUsageLeast = 1e6

// tareUsageWritten writes warnings about what the figures lack, or include besides the benchmark.
func tareUsageWritten(b *B) {
	t := b.tare
	if t.iter != 2 {
		return
	}
	switch wall := t.end - t.begin; {
	case wall < tareUsageLeast:
		tareWarn("not-available", "window", "window", strconv.Itoa(int(wall/1000))+" µs")
	case float64(b.duration) < 0.9*float64(wall):
		tareWarn("stopped-included", "usage", "share", strconv.Itoa(int(100-100*int64(b.duration)/wall))+" %")
	}
}
