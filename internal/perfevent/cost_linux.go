package perfevent

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"time"

	"golang.org/x/sys/unix"
)

// How a sample's cost is measured.
const (
	costFrequency = 9973 // often enough to see it in so short a time
	costSlices    = 64
	costSlice     = time.Millisecond
	mostSteps     = 1 << 30
)

// Cost measures for how long a sample interrupts a program: how much longer slices of a
// loop last that are sampled, by the event of the name, than those in between that are
// not, divided by the samples in one. Of both kinds the lower quartile is taken, because
// many slices may be interrupted by whatever else the machine does. The loop runs on a
// thread of this process and takes some 0.15 s of its time. Slices are timed by the
// thread's CPU time, or if the kernel does not charge interrupts to who is interrupted,
// by the clock. A cost that drowns is not known: an error.
func Cost(event string) (time.Duration, error) {
	k, err := parseKind(event)
	if err != nil {
		return 0, err
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	a := k.attributes(min(costFrequency, mostFrequency()), leastPages, false, false)
	a.Bits &^= unix.PerfBitInherit | unix.PerfBitEnableOnExec
	fd, err := unix.PerfEventOpen(a, 0, -1, -1, unix.PERF_FLAG_FD_CLOEXEC)
	if err != nil {
		return 0, fmt.Errorf("perfevent: %s: %w", k, err)
	}
	defer unix.Close(fd)
	r, _, err := mapRing(fd, leastPages)
	if err != nil {
		return 0, err
	}
	defer r.close()
	return costOf(fd, r)
}

func costOf(fd int, r *ring) (time.Duration, error) {
	steps := 1 << 10
	for steps < mostSteps && spin(steps).cpu < costSlice { // by the clock it may seem long enough because it had to wait
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
		buf = r.take(buf[:0])
		samples += len(buf) / sampleSize
	}
	if samples == 0 {
		return 0, errDrowns
	}
	each := float64(samples) / costSlices
	return choose(more(on, off, slice.ofCPU)/each, more(on, off, slice.ofWall)/each)
}

var errDrowns = errors.New("perfevent: what a sample costs drowns in what else the machine does")

// choose takes what a sample costs by CPU time, in ns, unless that is less than any
// interrupt takes, so that they cannot be in it.
func choose(cpu, wall float64) (time.Duration, error) {
	const interrupt = 1000
	if cpu < interrupt {
		cpu = wall
	}
	if cpu < 1 {
		return 0, errDrowns
	}
	return time.Duration(cpu), nil
}

// slice is how long a loop took.
type slice struct{ cpu, wall time.Duration }

func (s slice) ofCPU() time.Duration  { return s.cpu }
func (s slice) ofWall() time.Duration { return s.wall }

// more is how much more some slices took than others, in ns.
func more(on, off []slice, of func(slice) time.Duration) float64 {
	return float64(quartile(on, of) - quartile(off, of))
}

// quartile is that which a quarter is below.
func quartile(xs []slice, of func(slice) time.Duration) time.Duration {
	all := make([]time.Duration, 0, len(xs))
	for _, x := range xs {
		all = append(all, of(x))
	}
	slices.Sort(all)
	return all[len(all)/4]
}

// spin runs a loop that has so many steps.
func spin(steps int) slice {
	x := uint64(steps) | 1
	cpu, start := threadTime(), time.Now()
	for range steps {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
	}
	s := slice{wall: time.Since(start), cpu: threadTime() - cpu}
	if x == 0 { // never, but the compiler does not know
		return slice{}
	}
	return s
}
