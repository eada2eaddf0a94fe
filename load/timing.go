package load

import (
	"slices"

	"github.com/tarebench/tare/internal/clock"
	"github.com/tarebench/tare/internal/pace"
)

// timing is the time of a run. Tests have a fake one.
type timing struct {
	cycles *clock.Cycles // stamps of workers; the zero Cycles reads clock.Now
	mode   pace.Mode     // how workers wait

	// virtual returns a worker's clock, which then is used for both.
	virtual func() pace.Clock

	fake bool // the clock's cost means nothing
}

func newTiming(c Config) (timing, error) {
	mode, err := c.mode()
	if err != nil {
		return timing{}, err
	}
	cycles, _ := clock.NewCycles()
	return timing{cycles: cycles, mode: mode}, nil
}

// Clock says which clock a run takes its stamps from: "tsc", the processor's
// counter, or "monotonic" and why the counter cannot be trusted.
func Clock() string {
	c, why := clock.NewCycles()
	if why == "" {
		return c.Source()
	}
	return c.Source() + ": " + why
}

// cost returns what a reading of the clock costs in ns, the median of some
// batches: half of them may be disturbed.
func (t timing) cost() float64 {
	const batches, reads = 51, 500
	if t.fake {
		return 0
	}
	var took [batches]int64
	for i := range took {
		start, last := t.cycles.Now(), int64(0)
		for range reads {
			last = t.cycles.Now()
		}
		took[i] = last - start
	}
	slices.Sort(took[:])
	return float64(took[batches/2]) / reads
}
