package bench

import (
	"sync/atomic"
	"time"
)

// tune estimates the time of a worker's operation before the window opens.
type tune struct {
	t, n int64
	ns   atomic.Int64 // per operation, in thousandths; 0: unknown
}

func (u *tune) begin(w *Worker, t int64) {
	u.t, u.n = t, w.completed()
	w.win.tuning.add()
}

func (u *tune) end(w *Worker, t int64) {
	if n := w.completed() - u.n; u.t > 0 && n > 0 {
		u.ns.Store(max(1, (t-u.t)*1000/n))
	}
	w.win.tuned.add()
}

// tuneTime is how long operations are timed to find the sampling step, and tuneGrace how much longer to wait
// for workers without a complete operation.
const (
	tuneTime  = 5 * time.Millisecond
	tuneGrace = 20 * tuneTime // many workers take turns on few processors
)

// setSteps sets each role's sampling step from the time of its operations. All workers of a role have the same
// step, so that samples have the same weight. A role without a complete operation samples all.
func (win *window) setSteps() {
	for _, c := range win.roleGroups {
		least := int64(0) // the minimum, because interruptions only add time
		for _, w := range c.workers {
			if ns := w.tune.ns.Load(); ns > 0 && (least == 0 || ns < least) {
				least = ns
			}
		}
		c.k = stepFor(float64(least) / 1000)
	}
}
