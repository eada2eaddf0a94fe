package result

import (
	"cmp"
	"strings"

	"github.com/tarebench/tare/internal/base/diagnosis"
	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/stat"
)

// memoryLimitExcess is the share by which the peak of a fork may be above GOMEMLIMIT.
const memoryLimitExcess = 0.05

// aboveMemoryLimit warns if forks had more resident memory than GOMEMLIMIT: the runtime collects more often near that
// limit, but it does not refuse memory. The pages of the binary, which the limit does not count, are subtracted as a
// whole.
func (b *Builder) aboveMemoryLimit(c *caseData) *derivedWarning {
	limit := b.goMemoryLimit(c.line.Side)
	if limit <= 0 || len(c.timed) == 0 {
		return nil
	}
	var peaks []float64
	for i := range c.timed {
		f := &c.timed[i].line
		size := int64(0)
		if x := b.bins[f.Bin]; x != nil {
			size = x.Size
		}
		if f.MaxRSS > 0 {
			peaks = append(peaks, float64(f.MaxRSS-size))
		}
	}
	if len(peaks) == 0 {
		return nil
	}
	peak := stat.Median(peaks)
	if peak <= limit*(1+memoryLimitExcess) {
		return nil
	}
	return &derivedWarning{Warn: *diagnosis.Warn(diagnosis.MemoryLimit, diagnosis.Facts{"limit": bytesText(limit), "peak": bytesText(peak)}), figure: bytesText(peak), severity: peak / limit}
}

// goMemoryLimit returns GOMEMLIMIT of the forks of a side in bytes; 0 if it is not set or off.
func (b *Builder) goMemoryLimit(side string) float64 {
	if b.run == nil {
		return 0
	}
	text := cmp.Or(b.run.Config.MemoryLimit, b.run.Env.GOMEMLIMIT)
	settings := b.run.Config.Setenv
	for _, s := range b.run.Sides {
		if s.Name == side {
			settings = append(settings[:len(settings):len(settings)], s.Setenv...)
		}
	}
	for _, kv := range settings {
		if v, ok := strings.CutPrefix(kv, "GOMEMLIMIT="); ok {
			text = v
		}
	}
	n, _ := units.ParseSize(text)
	return n
}

func bytesText(n float64) string {
	s := units.ScaleOf("B", n)
	return s.Number(n, 3) + " " + s.Whole()
}
