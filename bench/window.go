package bench

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/tarebench/tare/internal/clock"
	"github.com/tarebench/tare/record"
)

// A window is one time of measuring: all workers of all roles run the body of
// their role, and those operations count that are done while all are at work.
type window struct {
	crews    []*crew
	workers  []*Worker
	length   time.Duration // of the window, or
	count    int64         // operations of all workers together
	grace    time.Duration
	patience time.Duration // with claims, as the constant has it
	seed     record.Seed
	iter     int   // windows of the same benchmark before
	tunes    bool  // a sampling step is to be found first
	tare     int64 // of one latency, ns

	pool    pool
	entered roll // who has come to Next
	tuning  roll // who has begun to look what an operation takes
	tuned   roll // who knows
	noted   roll // whose own window has ended
	done    chan struct{}

	start, clear signal // the controller's: begin with the bodies, begin with the teardowns
	opened       signal
	exhausted    signal // all operations are claimed
	ended        signal // the phase over has come
	back         signal // all bodies have come back
	stopped      signal // something failed

	ready, gone sync.WaitGroup

	mu                  sync.Mutex
	phase               int64
	openedAt, closedAt  int64 // ns
	openTold, closeTold int64 // ns, when all workers had been told of it
	out                 int   // workers that have not come back
	errs                []error
}

// A crew is the workers of one role in one window.
type crew struct {
	cfg     *Role
	ops     int64 // operations per Next, unless a worker says otherwise
	sampled bool
	k       int64     // sampling step; 0: to be found
	tracks  []*tracks // one per worker; nil without latencies
	pacing  *pacing   // nil: as fast as it can
	workers []*Worker
}

// signal is something that happens at most once. Firing allocates nothing.
type signal struct {
	fired atomic.Bool
	ch    chan struct{}
}

func (s *signal) fire() {
	if s.fired.CompareAndSwap(false, true) {
		close(s.ch)
	}
}

// roll is a roll-call: it fires when all workers have answered, each once.
type roll struct {
	signal
	missing atomic.Int64
}

// add reports whether this was the last.
func (r *roll) add() bool {
	if r.missing.Add(-1) > 0 {
		return false
	}
	r.fire()
	return true
}

// newWindow makes the window of the crews; what they do is up to the caller.
func newWindow(crews []*crew) *window {
	win := &window{crews: crews, patience: patience, phase: entering, done: make(chan struct{})}
	for _, s := range []*signal{
		&win.entered.signal, &win.tuning.signal, &win.tuned.signal, &win.noted.signal,
		&win.start, &win.clear, &win.opened, &win.exhausted, &win.ended, &win.back, &win.stopped,
	} {
		s.ch = make(chan struct{})
	}
	return win
}

// man gives the window its workers.
func (win *window) man() {
	for _, c := range win.crews {
		win.tunes = win.tunes || (c.sampled && c.k == 0)
		for i := range c.cfg.Workers {
			w := newWorker(win, c, i)
			c.workers = append(c.workers, w)
			win.workers = append(win.workers, w)
		}
	}
	win.out = len(win.workers)
	for _, r := range []*roll{&win.entered, &win.tuning, &win.tuned, &win.noted} {
		r.missing.Store(int64(win.out))
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
		w.lim.Store(phase)
	}
	switch {
	case phase == opening:
		win.openTold = clock.Now()
		win.opened.fire()
	case phase <= closing && first:
		win.closeTold = clock.Now()
		close(win.done)
	}
	if phase == over {
		win.ended.fire()
	}
}

// startSchedules makes operations due, a moment after the window has opened:
// that is when it opens for those who keep a schedule.
func (win *window) startSchedules() {
	for _, c := range win.crews {
		if c.pacing != nil {
			win.openedAt += int64(lead)
			c.pacing.base = win.openedAt
			c.pacing.end = win.openedAt + int64(win.length)
		}
	}
}

// enter is told by each worker at its first Next.
func (win *window) enter() {
	if win.entered.add() && !win.tunes {
		win.advance(opening)
	}
}

// note is told by each worker when its own window has ended.
func (win *window) note() {
	if win.noted.add() {
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
