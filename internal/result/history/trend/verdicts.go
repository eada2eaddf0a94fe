package trend

import (
	"time"

	"github.com/tarebench/tare/internal/result/history"
)

// judged is a verdict with the points that it lies between.
type judged struct {
	*history.Verdict
	before, after int
	time          time.Time
}

type verdicts map[rowKey][]judged

// verdicts returns what measuring again said, by the points of the commits that were compared.
func (t *Trends) verdicts() verdicts {
	points, out := t.pointsByHash(), verdicts{}
	for _, e := range t.entries {
		for i := range e.Verdicts {
			v := &e.Verdicts[i]
			before, ok := points[v.Before]
			after, also := points[v.After]
			if ok && also {
				key := rowKey{v.Key, v.Unit}
				out[key] = append(out[key], judged{v, before, after, e.Time})
			}
		}
	}
	return out
}

// about returns the newest verdict on a change of level at a point: it compared a commit before with that one or a later one.
func (v verdicts) about(key rowKey, at int) *history.Verdict {
	var best *judged
	for i := range v[key] {
		if x := &v[key][i]; x.before < at && at <= x.after && (best == nil || x.time.After(best.time)) {
			best = x
		}
	}
	if best == nil {
		return nil
	}
	return best.Verdict
}
