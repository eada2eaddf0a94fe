package result

import (
	"cmp"

	"github.com/tarebench/tare/record"
	"github.com/tarebench/tare/stat"
)

// thresholdOf returns the change that does not matter for a benchmark.
func (b *Builder) thresholdOf(c *record.Case) float64 {
	if b.thresholds != nil {
		if x := b.thresholds(c); x > 0 {
			return x
		}
		return b.threshold()
	}
	return cmp.Or(c.Threshold, b.threshold())
}

func (b *Builder) threshold() float64 {
	if b.run != nil && b.run.Config.Threshold > 0 {
		return b.run.Config.Threshold
	}
	return stat.DefaultThreshold
}
