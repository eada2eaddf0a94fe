package pace

import (
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/tarebench/tare/internal/base/cacheline"
	"github.com/tarebench/tare/internal/base/clock"
)

// ErrStopped is returned by Wait after the group or its done channel is closed.
var ErrStopped = errors.New("pace: stopped")

// A Group is the workers of one schedule. At most one of them spins at any time. A
// process should have one group at a time, because two groups would spin on two
// cores.
type Group struct {
	mode   Mode
	single bool // GOMAXPROCS is 1: spinning must let others run
	_      cacheline.Line
	spin   spin
	_      cacheline.Line
	wake   wake
	latest atomic.Int64 // due time of the last call of Wait
	_      cacheline.Line

	mu      sync.Mutex
	pacers  []*Pacer
	stopped bool

	closed  chan struct{} // ends the watcher of done
	closing sync.Once
	watcher sync.WaitGroup
}

// NewGroup returns a group without workers. When done is closed, all waiting ends
// with ErrStopped within tens of µs; a nil channel never stops it. The caller must
// call Close.
//
// Spin needs a GOMAXPROCS of 2 or more: with one, the network would not be polled
// while a worker spins.
func NewGroup(mode Mode, done <-chan struct{}) (*Group, error) {
	if int(mode) >= len(modeNames) {
		return nil, fmt.Errorf("pace: no such pacer: %v", mode)
	}
	single := runtime.GOMAXPROCS(0) < 2
	if mode == Spin && single {
		return nil, errors.New("pace: the pacer spin needs GOMAXPROCS of 2 or more; use hybrid")
	}
	g := &Group{mode: mode, single: single, closed: make(chan struct{})}
	g.spin.reset()
	g.wake.reset(clock.Now())
	if done != nil {
		g.watcher.Go(func() {
			select {
			case <-done:
				g.stop()
			case <-g.closed:
			}
		})
	}
	return g, nil
}

// Pacer returns a pacer for one more worker. On Linux it holds a descriptor; the
// error reports if none is left. After Close the error is ErrStopped.
func (g *Group) Pacer() (*Pacer, error) {
	var s sleeper
	if g.mode == Timer {
		s = newGoTimer()
	} else {
		var err error
		if s, err = newSleeper(); err != nil {
			return nil, fmt.Errorf("pace: pacer %v: %w", g.mode, err)
		}
	}
	p := &Pacer{group: g, sleeper: s}
	g.mu.Lock()
	defer g.mu.Unlock()
	select {
	case <-g.closed:
		return nil, errors.Join(ErrStopped, s.close())
	default:
	}
	g.pacers = append(g.pacers, p)
	if g.stopped {
		s.interrupt()
	}
	return p, nil
}

func (g *Group) stop() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.stopped {
		return
	}
	g.stopped = true
	g.spin.stop()
	for _, p := range g.pacers {
		p.sleeper.interrupt()
	}
}

// Close stops the group, releases the resources of its pacers, and returns when no
// goroutine of it is left. It may be called more than once. Workers should have
// returned from Wait before.
func (g *Group) Close() error {
	g.stop()
	g.mu.Lock()
	pacers := g.pacers
	g.pacers = nil
	g.closing.Do(func() { close(g.closed) })
	g.mu.Unlock()
	g.watcher.Wait()
	var errs []error
	for _, p := range pacers {
		errs = append(errs, p.sleeper.close())
	}
	return errors.Join(errs...)
}
