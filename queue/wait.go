package queue

import (
	"context"
	"runtime"
	"strconv"
	"sync/atomic"
)

// A Wait is how the calls of a [Blocking] wait. They differ in what they cost while
// there is nothing to do, and in how soon they notice that there is.
type Wait int

const (
	// Park waits like Adaptive for some microseconds and then sleeps until it is
	// woken, like a channel. It costs nothing while idle and waking takes some
	// microseconds, more if the machine is busy. The right one unless you know.
	Park Wait = iota
	// Adaptive is a [Backoff]: most throughput when elements come all the time,
	// and a core lost meanwhile. Idle for long, it looks once per millisecond.
	Adaptive
	// Yield lets other goroutines run after each look. For more goroutines than
	// cores where Park's sleeping is too slow; loses a core.
	Yield
	// Spin looks again and again: the least latency for single elements, bought
	// with throughput and a core for each waiting goroutine. With fewer free
	// cores than waiting goroutines it is the slowest of all. It yields now and
	// then, so that it ends even with one core.
	Spin
)

// String returns the name of the constant.
func (w Wait) String() string {
	switch w {
	case Park:
		return "Park"
	case Adaptive:
		return "Adaptive"
	case Yield:
		return "Yield"
	case Spin:
		return "Spin"
	}
	return "Wait(" + strconv.Itoa(int(w)) + ")"
}

// vainUntilPark is how many waits in vain come before sleeping.
const vainUntilPark = 6

// A side is what those who wait on one side of a queue have in common.
type side struct {
	lot
	count  func() uint64 // elements that this side has handed over; nil if unknown
	few    int           // as in Backoff
	many   int
	memory atomic.Uint64 // length and before as in Backoff, from one call to the next
	last   atomic.Uint64 // count at the last wait
}

// A stay is one call's waiting.
type stay struct {
	side *side
	wait Wait
	back Backoff
	spot *spot // where the call is registered for being woken
	n    int
}

func (s *side) begin(w Wait) stay {
	m := s.memory.Load()
	st := stay{side: s, wait: w, back: Backoff{length: int(m >> 32), before: int(uint32(m) >> 1), few: s.few, many: s.many}}
	st.back.worked = (s.few + s.many) / 2 // neither few nor many: leaves the length as it is
	if s.count != nil {
		st.back.worked = int(min(s.count()-s.last.Load(), noBound>>33))
	}
	return st
}

// registered says that a wake-up that is sent from now on will not be missed. The
// caller looks once more, thoroughly, before it pauses again.
func (s *stay) registered() bool { return s.spot != nil }

// pause waits a little, or registers, or sleeps.
func (s *stay) pause(ctx context.Context, closed <-chan struct{}) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	s.n++
	switch {
	case s.wait == Spin:
		if s.n%retriesBetweenYields == 0 {
			runtime.Gosched()
		}
	case s.wait == Yield:
		runtime.Gosched()
	case s.spot != nil:
		return s.sleep(ctx, closed)
	case s.wait == Park && s.back.vain >= vainUntilPark:
		s.spot = s.side.join()
	default:
		s.back.Wait()
	}
	return nil
}

func (s *stay) sleep(ctx context.Context, closed <-chan struct{}) error {
	select {
	case <-s.spot.wake:
		s.side.recycle(s.spot)
		s.spot = nil
		return nil
	case <-closed:
		return nil // the caller sees that it is closed
	case <-ctx.Done():
		return ctx.Err()
	}
}

// end ends the waiting, whatever came of it.
func (s *stay) end() {
	if s.spot != nil {
		s.side.quit(s.spot)
	}
	s.side.memory.Store(uint64(s.back.length)<<32 | uint64(s.back.before)<<1)
	if s.side.count != nil {
		s.side.last.Store(s.side.count())
	}
}
