package queue

import (
	"context"
	"runtime"
	"strconv"
	"sync/atomic"
)

// A Wait is the wait strategy of a [Blocking]. Strategies differ in what waiting
// costs, and in how soon a waiting call notices a change.
type Wait int

const (
	// Park waits like Adaptive for some microseconds and then sleeps until it is
	// woken, like a channel. Sleeping costs no processor time. Waking takes some
	// microseconds, more if the machine is busy. Park is the default choice.
	Park Wait = iota
	// Adaptive waits with a [Backoff]. It has the highest throughput while elements
	// arrive continuously, and occupies a core. After a long idle time it checks the
	// queue once per millisecond.
	Adaptive
	// Yield lets other goroutines run after each attempt, and occupies a core. It is
	// for more goroutines than cores where Park's sleeping is too slow.
	Yield
	// Spin retries at once. It has the least latency for single elements, at the cost
	// of throughput and of a core for each waiting goroutine. With fewer free cores
	// than waiting goroutines it is the slowest strategy. It yields every 128
	// attempts, so that it ends even with one core.
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

// waitsUntilPark is the number of successive waits without an element after which a
// goroutine sleeps.
const waitsUntilPark = 6

// A waitSide is the state that all calls waiting on one side of a queue, producers or
// consumers, share.
type waitSide struct {
	waitList
	count  func() uint64 // elements that this side has handed over; nil if unknown
	few    int           // as in Backoff
	many   int
	memory atomic.Uint64 // Backoff's length and before, kept between calls
	last   atomic.Uint64 // count at the last wait
}

// A waitState is the state of one call that waits.
type waitState struct {
	waitSide *waitSide
	wait     Wait
	back     Backoff
	waiter   *waiter // the registration for a wake-up; nil before
	n        int
}

func (s *waitSide) begin(w Wait) waitState {
	m := s.memory.Load()
	st := waitState{waitSide: s, wait: w, back: Backoff{length: int(m >> 32), before: int(uint32(m) >> 1), few: s.few, many: s.many}}
	st.back.worked = (s.few + s.many) / 2 // neither few nor many: leaves the length as it is
	if s.count != nil {
		st.back.worked = int(min(s.count()-s.last.Load(), noBound>>33))
	}
	return st
}

// registered reports whether a wake-up from now on reaches the call. The caller then
// tries a strict method before it pauses again.
func (s *waitState) registered() bool { return s.waiter != nil }

// pause waits a little, registers the call, or sleeps until a wake-up. It returns the
// context's error when that has ended.
func (s *waitState) pause(ctx context.Context, closed <-chan struct{}) error {
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
	case s.waiter != nil:
		return s.sleep(ctx, closed)
	case s.wait == Park && s.back.emptyWaits >= waitsUntilPark:
		s.waiter = s.waitSide.add()
	default:
		s.back.Wait()
	}
	return nil
}

func (s *waitState) sleep(ctx context.Context, closed <-chan struct{}) error {
	select {
	case <-s.waiter.wake:
		s.waitSide.recycle(s.waiter)
		s.waiter = nil
		return nil
	case <-closed:
		return nil // the caller sees that it is closed
	case <-ctx.Done():
		return ctx.Err()
	}
}

// end cancels a registration and keeps what the Backoff learnt for later calls.
func (s *waitState) end() {
	if s.waiter != nil {
		s.waitSide.remove(s.waiter)
	}
	s.waitSide.memory.Store(uint64(s.back.length)<<32 | uint64(s.back.before)<<1)
	if s.waitSide.count != nil {
		s.waitSide.last.Store(s.waitSide.count())
	}
}
