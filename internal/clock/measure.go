package clock

import (
	"slices"
	"time"
)

// Tare is what the clock and an empty loop weigh, in nanoseconds.
type Tare struct {
	Read       float64 // one call of Now
	Resolution float64 // step of the clock; 0 if it was not seen to move
	Loop       float64 // one iteration of an empty "for range b.N" loop
}

// How Measure spends its time. A batch is long against one clock reading and
// short against a scheduler's time slice (1 ms and more), so that a preemption
// spoils one batch of many. The budgets are limits for slow clocks; with a
// usual one all of it takes 3 ms.
const (
	batchTime  = 20 * time.Microsecond
	batchCount = 51
	readBudget = 8 * time.Millisecond
	loopBudget = 12 * time.Millisecond
)

// Measure weighs the clock and the empty loop, on the spot. It takes less than
// 30 ms of one core, usually 3.
//
// Read is the median of some 50 batches: it stands for what a reading typically
// costs, and half of the batches may be disturbed before it moves.
//
// Loop is the minimum of some 50 batches: it is a floor, below which no
// benchmark loop can get, and whatever interferes (preemption, interrupts, a
// busy sibling thread) can only add to it. Its shape is that of a benchmark's
// loop over b.N. A processor may run the same loop at half the speed at another
// address, so a benchmark's own floor can differ by a factor of two.
func Measure() Tare {
	res := resolution()
	read, _ := batches(batchSize(readBatch, res), readBudget, readBatch)
	_, loop := batches(batchSize(loopBatch, res), loopBudget, loopBatch)
	return Tare{Read: read, Resolution: res, Loop: loop}
}

// resolution reads the clock in a row and looks at the steps. What clock_getres
// says is no help: Linux says 1 ns wherever it has high-resolution timers, and
// the tsc of the EPYC on which this was written moves in steps of 10 ns.
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

// batchSize finds how many operations fill a batch: batchTime, and in any case
// 50 steps of the clock.
func batchSize(run func(n int) int64, resolution float64) int {
	want := max(int64(batchTime), int64(50*resolution))
	want = min(want, int64(time.Millisecond))
	n := 16
	for n < 1<<24 && quickest(n, run) < want {
		n *= 2
	}
	return n
}

// quickest returns the least of three runs: who has no processor in one of them
// must not take a few operations for many.
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

// readBatch returns the time that n clock readings take.
func readBatch(n int) int64 {
	start := Now()
	var last int64
	for range n {
		last = Now()
	}
	return last - start
}

// loopBatch returns the time that n iterations of an empty loop take. The clock
// reading in it is a thousandth of a batch and is not subtracted.
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
