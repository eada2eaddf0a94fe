package pace

import (
	"math"
	"runtime"
	"sync/atomic"

	"github.com/tarebench/tare/internal/clock"
)

// spin is the right to spin, held by the waiting worker whose operation is due
// first. One who comes with an earlier due time takes it away: if the first to
// come kept it, others would be late for as long as that one has to wait.
//
// Those without it sleep. They do not loop with runtime.Gosched: loops on all
// Ps keep the scheduler from ever asking the network poller, so that answers,
// and the timers of the sleeping workers with them, lie around until the
// runtime's monitor looks, 10 ms later.
type spin struct {
	due atomic.Int64 // of the worker that spins, or free, or stopped
}

const (
	nobody  = math.MaxInt64
	stopped = math.MinInt64
)

func (s *spin) reset() { s.due.Store(nobody) }

func (s *spin) stop() { s.due.Store(stopped) }

func (s *spin) isStopped() bool { return s.due.Load() == stopped }

// until spins up to due, if no operation is due earlier, and returns the time
// at the end: due is not reached if somebody earlier came, or the stop.
func (s *spin) until(due, now int64, yield bool) int64 {
	if !s.take(due) {
		return now
	}
	for now < due && s.due.Load() == due {
		if yield {
			runtime.Gosched()
		}
		now = clock.Now()
	}
	s.due.CompareAndSwap(due, nobody)
	return now
}

// take fails for a due time equal to the spinner's, so that the value in due
// names one worker only.
func (s *spin) take(due int64) bool {
	for {
		first := s.due.Load()
		if due >= first {
			return false
		}
		if s.due.CompareAndSwap(first, due) {
			return true
		}
	}
}
