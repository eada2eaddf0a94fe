package pace

import (
	"github.com/tarebench/tare/internal/cacheline"
	"github.com/tarebench/tare/internal/clock"
)

// A Pacer makes one worker wait for due times. Only one goroutine at a time may
// use it. Waiting allocates nothing.
type Pacer struct {
	_       cacheline.Line
	group   *Group
	sleeper sleeper
	_       cacheline.Line
}

// Now returns the time on the clock of due times; see internal/clock.
func (p *Pacer) Now() int64 { return clock.Now() }

// Wait implements [Clock]. due is in nanoseconds of clock.Now: CLOCK_MONOTONIC
// on Linux.
func (p *Pacer) Wait(due int64) (now int64, waited bool, err error) {
	g := p.group
	now = clock.Now()
	waited = now < due
	for {
		if g.spin.isStopped() {
			return now, waited, ErrStopped
		}
		if now >= due {
			return now, waited, nil
		}
		if g.mode == Spin || (g.mode == Hybrid && due-now <= g.wake.margin.Load()) {
			if now = g.spin.until(due, now, g.single); now >= due {
				continue
			}
		}
		target := due
		if g.mode == Hybrid || g.mode == Spin {
			if t := due - g.wake.margin.Load(); t > now {
				target = t
			}
		}
		if err := p.sleeper.sleep(now, target); err != nil {
			if g.spin.isStopped() {
				err = ErrStopped // closed meanwhile
			}
			return clock.Now(), waited, err
		}
		now = clock.Now()
		g.wake.learn(now - target)
	}
}
