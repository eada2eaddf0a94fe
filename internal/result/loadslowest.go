package result

import (
	"cmp"
	"slices"

	"github.com/tarebench/tare/record"
)

// slowestOf returns the operations that took longest in the windows of a side, with their times since start, ns of the
// monotonic clock: as many as the window that lists most.
func slowestOf(windows []*loadPhase, start int64) (all []record.SlowOperation) {
	most := 0
	for _, p := range windows {
		most = max(most, len(p.last.Slowest))
		for _, o := range p.last.Slowest {
			d := p.last.Start - start
			o.Due, o.Start, o.End = o.Due+d, o.Start+d, o.End+d
			all = append(all, o)
		}
	}
	slices.SortStableFunc(all, func(a, b record.SlowOperation) int { return cmp.Compare(b.Response(), a.Response()) })
	return all[:min(most, len(all))]
}
