package load

import (
	"slices"

	"github.com/tarebench/tare/internal/base/clock"
	"github.com/tarebench/tare/internal/numbers/pace"
)

// timing holds the clocks of a run. Tests have a fake one.
type timing struct {
	cycles *clock.Cycles // stamps of workers; the zero Cycles reads clock.Now
	mode   pace.Mode     // how workers wait

	// virtual returns a worker's clock, which then is used for both.
	virtual func() pace.Clock

	fake bool // the clock's cost is not measured
}

func newTiming(c Config) (timing, error) {
	mode, err := c.mode()
	if err != nil {
		return timing{}, err
	}
	cycles, _ := clock.NewCycles()
	return timing{cycles: cycles, mode: mode}, nil
}

// Clock returns the clock that a run uses: "tsc", the processor's counter, or
// "monotonic" and why the counter cannot be trusted.
func Clock() string {
	c, why := clock.NewCycles()
	if why == "" {
		return c.Source()
	}
	return c.Source() + ": " + why
}

// cost returns the cost of a clock read in ns, the median of several batches, because
// half of them may be disturbed.
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
