package perfevent

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// Parameters of Cost.
const (
	costFrequency = 9973 // high, to measure the cost in a short time
	costSlices    = 64
	costSlice     = time.Millisecond
	maxSteps      = 1 << 30
)

// Cost returns how long one sample of the named event interrupts a program. It runs a loop on a thread of this
// process for about 0.15 s, alternately sampled and not sampled. The cost is the difference between the
// lower quartiles of both, divided by the samples per slice; the quartile excludes slices that something
// else interrupted. It uses the thread's CPU time, or the wall time if the kernel does not charge
// interrupts to the interrupted thread. It fails if the difference is not measurable. The cost of an event is
// measured once per process.
func Cost(event string) (time.Duration, error) {
	costs.Lock()
	defer costs.Unlock()
	if cost, ok := costs.of[event]; ok {
		return cost, nil
	}
	cost, err := measureCost(event)
	if err == nil {
		costs.of[event] = cost
	}
	return cost, err
}

// costs has the costs that were measured, by the names of events.
var costs = struct {
	sync.Mutex
	of map[string]time.Duration
}{of: map[string]time.Duration{}}

func measureCost(event string) (time.Duration, error) {
	k, err := parseEvent(event)
	if err != nil {
		return 0, err
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	a := k.attributes(min(costFrequency, frequencyLimit()), minPages, false, false)
	a.Bits &^= unix.PerfBitInherit | unix.PerfBitEnableOnExec
	fd, err := unix.PerfEventOpen(a, 0, -1, -1, unix.PERF_FLAG_FD_CLOEXEC)
	if err != nil {
		return 0, fmt.Errorf("perfevent: %s: %w", k, err)
	}
	defer unix.Close(fd)
	r, _, err := mapRing(fd, minPages)
	if err != nil {
		return 0, err
	}
	defer r.close()
	return costOf(fd, r)
}

func costOf(fd int, r *ring) (time.Duration, error) {
	steps := 1 << 10
	for steps < maxSteps && spin(steps).cpu < costSlice { // not by wall time, which includes waiting
		steps *= 2
	}
	var on, off []slice
	samples := 0
	var buf []byte
	for range costSlices {
		if err := unix.IoctlSetInt(fd, unix.PERF_EVENT_IOC_ENABLE, 0); err != nil {
			return 0, fmt.Errorf("perfevent: switching an event on: %w", err)
		}
		on = append(on, spin(steps))
		if err := unix.IoctlSetInt(fd, unix.PERF_EVENT_IOC_DISABLE, 0); err != nil {
			return 0, fmt.Errorf("perfevent: switching an event off: %w", err)
		}
		off = append(off, spin(steps))
		buf = r.drain(buf[:0])
		samples += len(buf) / sampleSize
	}
	if samples == 0 {
		return 0, errNotMeasurable
	}
	each := float64(samples) / costSlices
	return chooseCost(excess(on, off, slice.ofCPU)/each, excess(on, off, slice.ofWall)/each)
}

var errNotMeasurable = errors.New("perfevent: the cost of a sample is not measurable on this busy machine")

// chooseCost returns the cost in CPU time, both in ns, or the cost in wall time if the CPU time is less than
// any interrupt takes: then it does not include interrupts.
func chooseCost(cpu, wall float64) (time.Duration, error) {
	const interrupt = 1000
	if cpu < interrupt {
		cpu = wall
	}
	if cpu < 1 {
		return 0, errNotMeasurable
	}
	return time.Duration(cpu), nil
}

// slice is the duration of one run of the loop.
type slice struct{ cpu, wall time.Duration }

func (s slice) ofCPU() time.Duration  { return s.cpu }
func (s slice) ofWall() time.Duration { return s.wall }

// excess returns the difference between the lower quartiles of two lists, in ns.
func excess(on, off []slice, of func(slice) time.Duration) float64 {
	return float64(quartile(on, of) - quartile(off, of))
}

// quartile returns the lower quartile.
func quartile(xs []slice, of func(slice) time.Duration) time.Duration {
	all := make([]time.Duration, 0, len(xs))
	for _, x := range xs {
		all = append(all, of(x))
	}
	slices.Sort(all)
	return all[len(all)/4]
}

// spin runs a loop of that many steps and returns its duration.
func spin(steps int) slice {
	x := uint64(steps) | 1
	cpu, start := threadTime(), time.Now()
	for range steps {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
	}
	s := slice{wall: time.Since(start), cpu: threadTime() - cpu}
	if x == 0 { // never true, but keeps the compiler from removing the loop
		return slice{}
	}
	return s
}
