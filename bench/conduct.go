package bench

import (
	"errors"
	"fmt"
	"runtime"
	"time"

	"github.com/tarebench/tare/internal/clock"
)

// outcome is what a window gave besides the ledgers of its workers.
type outcome struct {
	opened, closed int64  // ns
	bytes, objects uint64 // allocated while the bodies ran
	err            error
}

// run runs the window. begin is called just before the bodies are.
func (win *window) run(begin func()) outcome {
	for _, w := range win.workers {
		win.ready.Add(1)
		win.gone.Add(1)
		go w.live()
	}
	win.ready.Wait()

	var before, after runtime.MemStats
	time.Sleep(time.Nanosecond) // a goroutine's first sleep allocates its timer
	begin()
	runtime.ReadMemStats(&before) // stops the world, but nobody is at work
	win.start.fire()
	win.conduct()
	win.awaitBodies()
	runtime.ReadMemStats(&after)

	win.clear.fire()
	win.gone.Wait()
	win.mu.Lock()
	defer win.mu.Unlock()
	win.align()
	return outcome{
		opened: win.openedAt, closed: win.closedAt,
		bytes: after.TotalAlloc - before.TotalAlloc, objects: after.Mallocs - before.Mallocs,
		err: errors.Join(win.errs...),
	}
}

// conduct leads the window through its phases.
func (win *window) conduct() {
	if win.tunes && win.comesIn(&win.entered.signal) {
		win.advance(tuning)
		win.await(&win.tuning.signal, tuneGrace)
		win.await(nil, tuneTime)
		win.advance(tuned)
		win.await(&win.tuned.signal, tuneGrace)
		win.setSteps()
		win.advance(opening)
	}
	if !win.comesIn(&win.opened) {
		return
	}
	if win.count > 0 {
		win.awaitExhaustion()
		elapsed := time.Duration(clock.Now() - win.openedAt)
		win.await(&win.ended, min(win.grace, win.patience+elapsed)) // others work off their claims
	} else {
		win.await(nil, win.length-time.Duration(clock.Now()-win.openedAt))
	}
	win.advance(closing)
}

// comesIn waits until all workers have come to their first Next, which s tells.
// If one does not within the grace the window fails, and closes for the others;
// who it was is found out when they have come back.
func (win *window) comesIn(s *signal) bool {
	if !win.await(s, win.grace) {
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

// awaitExhaustion waits until all operations are claimed, or nobody has claimed
// any for the length of the grace: then what holds them up is told to give up, as
// at the end of any window.
func (win *window) awaitExhaustion() {
	for left := win.pool.left.Load(); win.await(&win.exhausted, win.grace) && !win.exhausted.fired.Load(); {
		now := win.pool.left.Load()
		if now == left {
			return
		}
		left = now
	}
}

const (
	// patience is the least time in which those who have claimed operations may
	// do them when none are left to claim.
	patience = 100 * time.Millisecond

	// How often the window is looked at: soon, then rarely, so that looking does
	// not disturb what is measured.
	firstLook  = 20 * time.Microsecond
	rarestLook = 50 * time.Millisecond
)

// await waits for a signal, nil for none, at most for d. It reports whether the
// window goes on: false when it was stopped by an error.
//
// It looks now and then: to be woken up by one of several channels would allocate
// in the midst of what is measured.
func (win *window) await(s *signal, d time.Duration) bool {
	start := clock.Now()
	for look := firstLook; ; look = min(2*look, rarestLook) {
		left := d - time.Duration(clock.Now()-start)
		switch {
		case win.stopped.fired.Load():
			return false
		case left <= 0 || (s != nil && s.fired.Load()):
			return true
		}
		time.Sleep(min(look, left))
	}
}

// awaitBodies waits for the bodies to come back, and gives up on those that do
// not within the grace.
func (win *window) awaitBodies() {
	if win.backWithin(win.grace) {
		return
	}
	if late := win.late(); len(late) > 0 {
		win.stop(stuck(late, win.grace))
	}
	if win.backWithin(patience) {
		return
	}
	win.mu.Lock()
	defer win.mu.Unlock()
	for _, w := range win.workers {
		if !w.back {
			w.given = true
			win.gone.Done()
		}
	}
}

func (win *window) backWithin(d time.Duration) bool {
	start := clock.Now()
	for look := firstLook; !win.back.fired.Load(); look = min(2*look, rarestLook) {
		left := d - time.Duration(clock.Now()-start)
		if left <= 0 {
			return false
		}
		time.Sleep(min(look, left))
	}
	return true
}

// late are the workers that keep the window from ending: those who have not
// ended their own, or if all have, those who have not come back.
func (win *window) late() []*Worker {
	win.mu.Lock()
	defer win.mu.Unlock()
	var out []*Worker
	for _, w := range win.workers {
		if !w.back && (win.phase == over || !w.ended.Load()) {
			out = append(out, w)
		}
	}
	return out
}
