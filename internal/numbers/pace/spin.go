package pace

import (
	"math"
	"runtime"
	"sync/atomic"

	"github.com/tarebench/tare/internal/base/clock"
)

// spin is the right to spin, held by the waiting worker whose operation is due first.
// A worker with an earlier due time takes it over; otherwise it would be late while
// the holder waits.
//
// The other workers sleep. They do not loop with runtime.Gosched: loops on all Ps keep
// the scheduler from polling the network, so that responses and the timers of
// sleeping workers are delayed until the runtime's monitor polls, 10 ms later.
type spin struct {
	due atomic.Int64 // of the worker that spins, or free, or stopped
}

const (
	free    = math.MaxInt64
	stopped = math.MinInt64
)

func (s *spin) reset() { s.due.Store(free) }

func (s *spin) stop() { s.due.Store(stopped) }

func (s *spin) isStopped() bool { return s.due.Load() == stopped }

// until spins up to due unless another operation is due earlier, and returns the time
// at the end. That is before due if a worker with an earlier due time came, or the
// group was stopped.
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
	s.due.CompareAndSwap(due, free)
	return now
}

// take takes the right to spin. It fails for a due time equal to the holder's, so
// that the value of due identifies one worker.
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
