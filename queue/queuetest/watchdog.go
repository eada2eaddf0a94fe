package queuetest

import (
	"runtime"
	"sync/atomic"
	"time"
)

// A watchdog ends a round in which all workers wait for each other. A worker counts
// as stalled when all its calls have failed for stallTime. A worker that the system
// does not run makes no calls and does not count.
type watchdog struct {
	running atomic.Int32 // workers that have not finished
	stalled atomic.Int32 // workers without success
	gaveUp  atomic.Bool
}

// stallTime is how long a stressWorker gets nothing done before it counts as stalled,
// and stallCalls how many calls it has made in that time.
const (
	// A worker counts as stalled when it has had no success for stallTime and at
	// least stallCalls calls.
	stallTime  = time.Second
	stallCalls = 5000
)

// stall is the state of one worker.
type stall struct {
	failures int
	since    time.Time
	counted  bool
}

// note records whether a call succeeded. After a failure it yields.
func (w *watchdog) note(s *stall, done bool) {
	if done {
		if s.counted {
			w.stalled.Add(-1)
		}
		*s = stall{}
		return
	}
	if s.failures++; s.failures == 1 {
		s.since = time.Now()
	}
	runtime.Gosched()
	if s.failures < stallCalls || s.failures%256 != 0 || time.Since(s.since) < stallTime {
		return
	}
	if !s.counted {
		s.counted = true
		w.stalled.Add(1)
	}
	if w.stalled.Load() == w.running.Load() {
		w.gaveUp.Store(true)
	}
}

// finish is called by a worker that has ended.
func (w *watchdog) finish(s *stall) {
	w.running.Add(-1)
	if s.counted {
		w.stalled.Add(-1)
	}
}

func (w *watchdog) stuck() bool { return w.gaveUp.Load() }
