package cli

import (
	"math"
	"time"

	"github.com/tarebench/tare/internal/env"
)

// others watches what other processes have of the machine's processors.
type others struct {
	start  time.Time
	before env.CPUTimes
	bad    error // why it is not known
}

// leastWatched is how long they are watched at least: the kernel counts in steps of 10 ms.
const leastWatched = 300 * time.Millisecond

func watchOthers() *others {
	o := &others{start: time.Now()}
	o.before, o.bad = env.ReadCPU()
	return o
}

// share is what they had, or a hypervisor took, since then: from 0 to 1, of all processors.
// What a program had itself is no part of it. 0 where it is not known.
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

// othersOf is the share of all time in which neither the program ran nor nothing, in hundredths.
func othersOf(d env.CPUTimes, own time.Duration) float64 {
	all := d.Total()
	if all <= 0 {
		return 0
	}
	x := float64(d.Busy()+d.Steal-own) / float64(all)
	return math.Round(100*math.Min(math.Max(x, 0), 1)) / 100
}
