package clock

import (
	"slices"
	"time"
)

// Overhead is the cost of a clock read and of an empty loop, in nanoseconds.
type Overhead struct {
	Read       float64 // one call of Now
	Resolution float64 // step of the clock; 0 if the clock did not move
	Loop       float64 // one iteration of an empty "for range b.N" loop
}

// The time of Measure. A batch is long compared with one clock read and short compared
// with a scheduler's time slice (1 ms and more), so that a preemption affects one
// batch of many. The budgets are limits for slow clocks; usually all of it takes 3 ms.
const (
	batchTime  = 20 * time.Microsecond
	batchCount = 51
	readBudget = 8 * time.Millisecond
	loopBudget = 12 * time.Millisecond
)

// Measure measures the cost of a clock read and of an empty loop. It takes less than
// 30 ms of one core, usually 3.
//
// Read is the median of about 50 batches, the typical cost of a read. It is robust if
// up to half of the batches are disturbed.
//
// Loop is the minimum of about 50 batches, a lower limit of every benchmark loop:
// disturbances (preemption, interrupts, a busy sibling thread) can only add to it. Its shape is that of a benchmark's
// loop over b.N. A processor may run the same loop at half the speed at another
// address, so a benchmark's own floor can differ by a factor of two.
func Measure() Overhead {
	res := resolution()
	read, _ := batches(batchSize(readBatch, res), readBudget, readBatch)
	_, loop := batches(batchSize(loopBatch, res), loopBudget, loopBatch)
	return Overhead{Read: read, Resolution: res, Loop: loop}
}

// resolution returns the step of the clock from consecutive reads. clock_getres does
// not help: Linux returns 1 ns wherever it has high-resolution timers, but the tsc of
// an EPYC has steps of 10 ns.
func resolution() float64 {
	var stamps [2048]int64
	for i := range stamps {
		stamps[i] = Now()
	}
	steps := make([]int64, 0, len(stamps))
	for i := 1; i < len(stamps); i++ {
		steps = append(steps, stamps[i]-stamps[i-1])
	}
	if r := grain(steps); r > 0 {
		return float64(r)
	}
	return float64(wait()) // the clock stood still all the time
}

// wait returns the step of a clock too coarse for 2048 readings to see it move,
// or 0 if half a million of them do not.
func wait() int64 {
	start := Now()
	for range 500_000 {
		if t := Now(); t != start {
			return t - start
		}
	}
	return 0
}

// batchSize returns how many operations fill a batch: batchTime, and at least 50
// steps of the clock.
func batchSize(run func(n int) int64, resolution float64) int {
	want := max(int64(batchTime), int64(50*resolution))
	want = min(want, int64(time.Millisecond))
	n := 16
	for n < 1<<24 && quickest(n, run) < want {
		n *= 2
	}
	return n
}

// quickest returns the least of three runs, so that a preempted run does not count.
func quickest(n int, run func(n int) int64) int64 {
	return min(run(n), run(n), run(n))
}

// batches times batches of n operations until there are batchCount of them or
// the budget is spent, and returns the median and the minimum per operation.
func batches(n int, budget time.Duration, run func(n int) int64) (median, least float64) {
	var all []int64
	for end := Now() + int64(budget); len(all) < batchCount; {
		all = append(all, run(n))
		if Now() > end {
			break
		}
	}
	slices.Sort(all)
	return float64(all[len(all)/2]) / float64(n), float64(all[0]) / float64(n)
}

// readBatch returns the time of n clock reads.
func readBatch(n int) int64 {
	start := Now()
	var last int64
	for range n {
		last = Now()
	}
	return last - start
}

// loopBatch returns the time of n iterations of an empty loop. The clock read in it
// is a thousandth of a batch and is not subtracted.
func loopBatch(n int) int64 {
	c := counted{N: n}
	start := Now()
	spin(&c)
	return Now() - start
}

// counted stands for a testing.B.
type counted struct{ N int }

// spin is the loop of an empty benchmark. The compiler keeps it (checked with
// go tool objdump, Go 1.26.8: INCQ, CMPQ, JLT, as for "for range b.N {}" in a
// benchmark); noinline keeps N unknown to it.
//
//go:noinline
func spin(b *counted) {
	for range b.N {
	}
}
