package bench

import (
	"errors"
	"fmt"
	"runtime"
	"time"

	"github.com/tarebench/tare/internal/base/clock"
)

// outcome is the result of a window, besides its workers' own windows.
type outcome struct {
	opened, closed int64  // ns
	bytes, objects uint64 // allocated while the bodies ran
	err            error
}

// run runs the window. It calls begin just before the bodies start, and end after they have returned; what their roles
// have set up then still lives.
func (win *window) run(begin, end func()) outcome {
	for _, w := range win.workers {
		win.ready.Add(1)
		win.exited.Add(1)
		go w.run()
	}
	win.ready.Wait()

	var before, after runtime.MemStats
	time.Sleep(time.Nanosecond) // a goroutine's first sleep allocates its timer
	begin()
	runtime.ReadMemStats(&before) // stops the world, but no worker runs yet
	win.start.fire()
	win.runPhases()
	win.waitForBodies()
	runtime.ReadMemStats(&after)
	end()

	win.teardown.fire()
	win.exited.Wait()
	win.mu.Lock()
	defer win.mu.Unlock()
	win.align()
	return outcome{
		opened: win.openedAt, closed: win.closedAt,
		bytes: after.TotalAlloc - before.TotalAlloc, objects: after.Mallocs - before.Mallocs,
		err: errors.Join(win.errs...),
	}
}

// runPhases takes the window through its phases.
func (win *window) runPhases() {
	if win.tunes && win.waitForWorkers(&win.entered.signal) {
		win.advance(tuning)
		win.wait(&win.tuning.signal, tuneGrace)
		win.wait(nil, tuneTime)
		win.advance(tuned)
		win.wait(&win.tuned.signal, tuneGrace)
		win.setSteps()
		win.advance(opening)
	}
	if !win.waitForWorkers(&win.opened) {
		return
	}
	if win.count > 0 {
		win.waitForExhaustion()
		elapsed := time.Duration(clock.Now() - win.openedAt)
		win.wait(&win.ended, min(win.grace, win.patience+elapsed)) // the other workers finish their claims
	} else {
		win.wait(nil, win.length-time.Duration(clock.Now()-win.openedAt))
	}
	win.advance(closing)
}

// waitForWorkers waits for s, which fires when all workers have reached their first Next. If that takes longer
// than the grace, the window fails and closes.
func (win *window) waitForWorkers(s *signal) bool {
	if !win.wait(s, win.grace) {
		return false
	}
	if s.fired.Load() {
		return true
	}
	win.mu.Lock()
	win.errs = append(win.errs, fmt.Errorf("not all workers came to their first Next within %v", win.grace))
	win.mu.Unlock()
	win.advance(closing)
	return false
}

// waitForExhaustion waits until all operations are claimed, or none was claimed for the length of the grace.
func (win *window) waitForExhaustion() {
	for left := win.pool.left.Load(); win.wait(&win.exhausted, win.grace) && !win.exhausted.fired.Load(); {
		now := win.pool.left.Load()
		if now == left {
			return
		}
		left = now
	}
}

const (
	// patience is the least time that workers get to finish their claims when no operations are left.
	patience = 100 * time.Millisecond

	// The window is polled soon, then rarely, so that polling does not disturb the measurement.
	firstPoll   = 20 * time.Microsecond
	slowestPoll = 50 * time.Millisecond
)

// wait waits up to d for a signal, or for d if s is nil. It returns false if an error stopped the window.
//
// It polls, because a select over several channels would allocate during the measurement.
func (win *window) wait(s *signal, d time.Duration) bool {
	start := clock.Now()
	for poll := firstPoll; ; poll = min(2*poll, slowestPoll) {
		left := d - time.Duration(clock.Now()-start)
		switch {
		case win.stopped.fired.Load():
			return false
		case left <= 0 || (s != nil && s.fired.Load()):
			return true
		}
		time.Sleep(min(poll, left))
	}
}

// waitForBodies waits for the bodies to return. It abandons those that do not return within the grace.
func (win *window) waitForBodies() {
	if win.waitReturned(win.grace) {
		return
	}
	if late := win.late(); len(late) > 0 {
		win.stop(hungWorkers(late, win.grace))
	}
	if win.waitReturned(patience) {
		return
	}
	win.mu.Lock()
	defer win.mu.Unlock()
	for _, w := range win.workers {
		if !w.returned {
			w.abandoned = true
			win.exited.Done()
		}
	}
}

func (win *window) waitReturned(d time.Duration) bool {
	start := clock.Now()
	for poll := firstPoll; !win.returned.fired.Load(); poll = min(2*poll, slowestPoll) {
		left := d - time.Duration(clock.Now()-start)
		if left <= 0 {
			return false
		}
		time.Sleep(min(poll, left))
	}
	return true
}

// late returns the workers that keep the window from ending: those whose own window has not ended, or else
// those whose body has not returned.
func (win *window) late() []*Worker {
	win.mu.Lock()
	defer win.mu.Unlock()
	var out []*Worker
	for _, w := range win.workers {
		if !w.returned && (win.phase == over || !w.ended.Load()) {
			out = append(out, w)
		}
	}
	return out
}
