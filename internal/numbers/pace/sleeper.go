package pace

import "time"

// A sleeper blocks one goroutine until a time of the monotonic clock. It may wake up
// late, and early after an interrupt.
type sleeper interface {
	// sleep blocks until due, in CLOCK_MONOTONIC ns, or until interrupt. now is
	// a recent reading of the same clock.
	sleep(now, due int64) error
	// interrupt wakes the goroutine up, now or in its next sleep. It may be
	// called from another goroutine, and is final.
	interrupt()
	close() error
}

// goTimer sleeps by a timer of the Go runtime.
type goTimer struct {
	timer *time.Timer
	stop  chan struct{}
}

func newGoTimer() *goTimer {
	t := time.NewTimer(time.Hour)
	t.Stop()
	return &goTimer{timer: t, stop: make(chan struct{})}
}

func (t *goTimer) sleep(now, due int64) error {
	t.timer.Reset(time.Duration(due - now))
	select {
	case <-t.timer.C:
	case <-t.stop:
		t.timer.Stop()
	}
	return nil
}

func (t *goTimer) interrupt() { close(t.stop) }

func (t *goTimer) close() error { return nil }
