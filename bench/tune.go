package bench

import (
	"sync/atomic"
	"time"
)

// tune finds how long a worker's operation takes, roughly, before the window
// opens.
type tune struct {
	t, n int64
	ns   atomic.Int64 // per operation, in thousandths; 0: not known
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

// tuneTime is how long operations are looked at to find the sampling step;
// workers that have not ended one are waited for a little longer.
const (
	tuneTime  = 5 * time.Millisecond
	tuneGrace = 20 * tuneTime // many workers take turns on few processors
)

// setSteps gives each role the sampling step that fits its operations: all of
// its workers the same, since samples are to weigh the same. Of a role that has
// not done any in that time, an operation takes long.
func (win *window) setSteps() {
	for _, c := range win.crews {
		least := int64(0) // whoever was interrupted took longer
		for _, w := range c.workers {
			if ns := w.tune.ns.Load(); ns > 0 && (least == 0 || ns < least) {
				least = ns
			}
		}
		c.k = stepFor(float64(least) / 1000)
	}
}
