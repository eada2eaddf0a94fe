package bench

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/tarebench/tare/internal/base/clock"
	"github.com/tarebench/tare/record"
)

// A window is one measurement: all workers run the body of their role, and operations count while all are
// running.
type window struct {
	roleGroups []*roleGroup
	workers    []*Worker
	length     time.Duration // of the window, or
	count      int64         // operations of all workers together
	grace      time.Duration
	patience   time.Duration // see the constant
	seed       record.Seed
	iter       int   // windows of the same benchmark before
	tunes      bool  // a sampling step must be found first
	overhead   int64 // of timing one operation, ns

	pool         pool
	entered      latch // workers that have reached Next
	tuning       latch // workers that have begun to time operations
	tuned        latch // workers that have ended that
	windowsEnded latch // workers whose own window has ended
	done         chan struct{}

	start, teardown signal // fired by run: begin the bodies, begin the teardowns
	opened          signal
	exhausted       signal // all operations are claimed
	ended           signal // phase over has begun
	returned        signal // all bodies have returned
	stopped         signal // something failed

	ready, exited sync.WaitGroup

	mu                          sync.Mutex
	phase                       int64
	openedAt, closedAt          int64 // ns
	openNotified, closeNotified int64 // ns, when all workers had been notified
	bodiesRunning               int   // bodies that have not returned
	errs                        []error
}

// A roleGroup is one role in one window, with its workers.
type roleGroup struct {
	cfg     *Role
	ops     int64 // operations per Next; a worker may change its own
	sampled bool
	k       int64         // sampling step; 0: not known yet
	hists   []*latencySet // one per worker; nil without latencies
	pacing  *pacing       // nil: no schedule
	workers []*Worker
}

// signal is an event that happens at most once. Firing allocates nothing.
type signal struct {
	fired atomic.Bool
	ch    chan struct{}
}

func (s *signal) fire() {
	if s.fired.CompareAndSwap(false, true) {
		close(s.ch)
	}
}

// latch is a countdown latch: it fires after each worker has called add once.
type latch struct {
	signal
	missing atomic.Int64
}

// add reports whether this was the last worker.
func (r *latch) add() bool {
	if r.missing.Add(-1) > 0 {
		return false
	}
	r.fire()
	return true
}

// newWindow returns a window of these roles. The caller sets its length or count, and then calls addWorkers.
func newWindow(roleGroups []*roleGroup) *window {
	win := &window{roleGroups: roleGroups, patience: patience, phase: entering, done: make(chan struct{})}
	for _, s := range []*signal{
		&win.entered.signal, &win.tuning.signal, &win.tuned.signal, &win.windowsEnded.signal,
		&win.start, &win.teardown, &win.opened, &win.exhausted, &win.ended, &win.returned, &win.stopped,
	} {
		s.ch = make(chan struct{})
	}
	return win
}

// addWorkers creates the window's workers.
func (win *window) addWorkers() {
	for _, c := range win.roleGroups {
		win.tunes = win.tunes || (c.sampled && c.k == 0)
		for i := range c.cfg.Workers {
			w := newWorker(win, c, i)
			c.workers = append(c.workers, w)
			win.workers = append(win.workers, w)
		}
	}
	win.bodiesRunning = len(win.workers)
	for _, r := range []*latch{&win.entered, &win.tuning, &win.tuned, &win.windowsEnded} {
		r.missing.Store(int64(win.bodiesRunning))
	}
	win.pool.left.Store(win.count)
}

// advance begins a phase, unless a later one has begun.
func (win *window) advance(phase int64) {
	win.mu.Lock()
	defer win.mu.Unlock()
	if phase >= win.phase {
		return
	}
	first := win.phase > closing
	win.phase = phase
	switch {
	case phase == opening:
		win.openedAt = clock.Now()
		win.startSchedules()
	case phase <= closing && first:
		win.closedAt = clock.Now()
	}
	for _, w := range win.workers {
		w.notify(phase)
	}
	switch {
	case phase == opening:
		win.openNotified = clock.Now()
		win.opened.fire()
	case phase <= closing && first:
		win.closeNotified = clock.Now()
		close(win.done)
	}
	if phase == over {
		win.ended.fire()
	}
}

// startSchedules begins the schedules a moment (lead) after the window has opened. For Rate, the window opens
// then.
func (win *window) startSchedules() {
	for _, c := range win.roleGroups {
		if c.pacing != nil {
			win.openedAt += int64(lead)
			c.pacing.base = win.openedAt
			c.pacing.end = win.openedAt + int64(win.length)
		}
	}
}

// enter is called by each worker at its first Next.
func (win *window) enter() {
	if win.entered.add() && !win.tunes {
		win.advance(opening)
	}
}

// workerEnded is called by each worker when its own window has ended.
func (win *window) workerEnded() {
	if win.windowsEnded.add() {
		win.advance(over)
	}
}

// stop ends the window early because of an error.
func (win *window) stop(err error) {
	win.mu.Lock()
	win.errs = append(win.errs, err)
	win.mu.Unlock()
	win.stopped.fire()
	win.advance(over)
}

func (win *window) now() int64 {
	win.mu.Lock()
	defer win.mu.Unlock()
	return win.phase
}
