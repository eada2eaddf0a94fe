package programrun

import (
	"math"
	"time"

	"github.com/tarebench/tare/internal/base/env"
)

// others measures how much of the processors' time other processes use.
type others struct {
	start  time.Time
	before env.CPUTimes
	bad    error // why it is not known
}

// leastWatched is the least time over which it measures: the kernel counts in steps of 10 ms.
const leastWatched = 300 * time.Millisecond

func watchOthers() *others {
	o := &others{start: time.Now()}
	o.before, o.bad = env.ReadCPU()
	return o
}

// share returns the part of all processors' time since the start that other processes used or a
// hypervisor took, from 0 to 1. own is the CPU time of the program itself. It is 0 where it is
// not known.
func (o *others) share(own time.Duration) float64 {
	if o.bad != nil {
		return 0
	}
	time.Sleep(leastWatched - time.Since(o.start))
	after, err := env.ReadCPU()
	if err != nil {
		return 0
	}
	return othersOf(after.Sub(o.before), own)
}

// othersOf returns the share of time in which something else than the program ran, in hundredths.
func othersOf(d env.CPUTimes, own time.Duration) float64 {
	all := d.Total()
	if all <= 0 {
		return 0
	}
	x := float64(d.Busy()+d.Steal-own) / float64(all)
	return math.Round(100*math.Min(math.Max(x, 0), 1)) / 100
}
