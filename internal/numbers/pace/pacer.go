package pace

import (
	"github.com/tarebench/tare/internal/base/cacheline"
	"github.com/tarebench/tare/internal/base/clock"
)

// A Pacer makes one worker wait for due times. Only one goroutine at a time may
// use it. Waiting allocates nothing.
type Pacer struct {
	_       cacheline.Line
	group   *Group
	sleeper sleeper
	_       cacheline.Line
}

// Now returns the time on the clock of due times; see internal/base/clock.
func (p *Pacer) Now() int64 { return clock.Now() }

// Wait implements [Clock]. due is in nanoseconds of clock.Now: CLOCK_MONOTONIC
// on Linux.
func (p *Pacer) Wait(due int64) (now int64, waited bool, err error) {
	g := p.group
	now = clock.Now()
	waited = now < due
	idle := due-g.latest.Swap(due) > 2*lead
	for {
		if g.spin.isStopped() {
			return now, waited, ErrStopped
		}
		if now >= due {
			return now, waited, nil
		}
		if g.mode == Spin || (g.mode == Hybrid && due-now <= g.wake.margin(now)) {
			began := now
			now = g.spin.until(due, now, g.single)
			g.wake.spun.Add(now - began)
			if now >= due {
				continue
			}
		}
		target, first := due, false
		if g.mode == Hybrid || g.mode == Spin {
			target, first = g.wake.target(now, due, idle)
		}
		if err := p.sleeper.sleep(now, target); err != nil {
			if g.spin.isStopped() {
				err = ErrStopped // closed meanwhile
			}
			return clock.Now(), waited, err
		}
		now = clock.Now()
		if !first {
			g.wake.learn(now - target)
		}
	}
}
