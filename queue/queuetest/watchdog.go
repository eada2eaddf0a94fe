package queuetest

import (
	"runtime"
	"sync/atomic"
	"time"
)

// A watchdog ends a round in which everybody waits for everybody. A party
// counts as stalled when its own calls failed all the time for a while, so that
// one that the system does not let run, perhaps in the middle of a call that
// holds up the others, is not taken for a fault of the queue.
type watchdog struct {
	running atomic.Int32 // parties that have not left
	stalled atomic.Int32 // those that get nothing done
	gaveUp  atomic.Bool
}

// stallTime is how long a party gets nothing done before it counts as stalled,
// and stallCalls how many calls it has made in that time.
const (
	stallTime  = time.Second
	stallCalls = 5000
)

// stall is one party's view.
type stall struct {
	failures int
	since    time.Time
	counted  bool
}

// saw notes whether a call got something done. After a failure it lets others
// run.
func (w *watchdog) saw(s *stall, done bool) {
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

// leave is called by a party that has finished.
func (w *watchdog) leave(s *stall) {
	w.running.Add(-1)
	if s.counted {
		w.stalled.Add(-1)
	}
}

func (w *watchdog) stuck() bool { return w.gaveUp.Load() }
