package bench

import (
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"runtime"
	"sync/atomic"

	"github.com/tarebench/tare/internal/base/cacheline"
	"github.com/tarebench/tare/internal/base/clock"
)

// A Worker is one goroutine of a role in one window. Its methods, except Done, are for that goroutine only.
type Worker struct {
	// The two words of Next (see calls.go). They are first, because instructions with short offsets are shorter.
	left   int32 // fast calls until the next slow one
	notice int32 // a phase that has begun, as a distance from fresh, or 0; written by other goroutines, too

	next       int64 // the call that is slow at the latest
	n          int64 // the last call that was slow
	win        *window
	role       *roleGroup
	index      int
	opsPerNext int64 // operations per Next
	stage      stage
	err        error  // first error
	ready      bool   // Setup succeeded
	goroutine  string // its number in runtime.Stack
	stackHead  [stackHeadBytes]byte
	stackBusy  atomic.Bool // stackHead is in use
	rand       *rand.Rand
	seed       uint64

	ended     atomic.Bool // the worker's own window has ended
	returned  bool        // the body has returned; guarded by win.mu
	abandoned bool        // the window went on without it; guarded by win.mu

	seen      int64 // the last phase handled
	finished  bool  // Next has returned false
	own       workerWindow
	claim     claim
	batch     batch
	tune      tune
	sample    sampler
	rateState rateState
	hists     *latencySet
	counters  []*Counter
	spare     []Counter // preallocated
	lead      [2]int64  // see emptyBody
}

// A paddedWorker is a Worker that shares no cache line with its neighbours.
type paddedWorker struct {
	_      cacheline.Line
	worker Worker
	_      cacheline.Line
}

// stage is the stage of a worker's goroutine.
type stage uint8

const (
	preparing stage = iota
	running
	tearingDown
)

func newWorker(win *window, role *roleGroup, index int) *Worker {
	p := &paddedWorker{worker: Worker{win: win, role: role, index: index, opsPerNext: role.ops, next: 1, seen: fresh}}
	w := &p.worker
	w.notify(entering)
	w.seed = workerSeed(role.cfg.Name, index)
	w.rand = rand.New(rand.NewPCG(uint64(win.seed), w.seed))
	w.counters, w.spare = make([]*Counter, 0, spareCounters), make([]Counter, spareCounters)
	w.claim.at = never
	w.batch.init(role.cfg.Batch)
	if role.hists != nil {
		w.hists = role.hists[index]
		w.hists.reset()
	}
	w.sample.init(w)
	w.rateState.init(w)
	return w
}

// Next reports whether to do another operation. The body of a role loops over it:
//
//	for w.Next() {
//		operation()
//	}
//
// BenchmarkFloor compares it with a loop over b.N.
func (w *Worker) Next() bool {
	if atomic.LoadInt32(&w.notice) == 0 { // first: then left is counted down at full speed
		if w.left--; w.left >= 0 {
			return true
		}
	}
	return w.slow()
}

// Done returns a channel that is closed when the window closes, for a body that waits for something that may
// no longer come. An operation that it interrupts does not count.
func (w *Worker) Done() <-chan struct{} { return w.win.done }

// Index returns the worker's number within its role, from 0.
func (w *Worker) Index() int { return w.index }

// Role returns the name of the worker's role, "" if it has none.
func (w *Worker) Role() string { return w.role.cfg.Name }

// SetOps sets the number of operations per Next, if only the running benchmark knows it. It must be called
// before the loop; n must be at least 1.
func (w *Worker) SetOps(n int) {
	if n < 1 {
		panic("bench: SetOps: must be at least 1")
	}
	if w.n > 0 {
		panic("bench: SetOps: must be called before Next")
	}
	w.opsPerNext = int64(n)
}

// Rand returns the worker's own source of random numbers. They follow from the seed, the name of the role and
// the index, and are the same in every window of a process. The seed is 1, or the hexadecimal number in the
// environment variable TARE_SEED. tare uses another seed in each round, so that its intervals cover the random
// choices.
func (w *Worker) Rand() *rand.Rand { return w.rand }

// workerSeed returns a seed that differs between workers.
func workerSeed(role string, index int) uint64 {
	h := fnv.New64a()
	h.Write([]byte(role))
	return h.Sum64() + uint64(index)
}

// slow is the slow path of Next.
func (w *Worker) slow() bool {
	t := clock.Now() // first, because a timed operation has just ended
	w.beginSlow()
	switch {
	case w.stage != running:
		panic("bench: Next may be called only in the Body of a role")
	case w.rateState.pacing != nil:
		return w.nextDue()
	}
	w.sample.end(t)
	for {
		due := w.notified()
		if due < w.seen {
			t = clock.Now() // a phase has begun, maybe only since t
		}
		if !w.handleDue(due, t) {
			return false
		}
		if w.endSlow(due, w.nextSlow()) {
			break
		}
	}
	w.sample.begin(w.n)
	return true
}

const never = math.MaxInt64

// nextSlow returns the next call of Next that must take the slow path.
func (w *Worker) nextSlow() int64 {
	if w.seen == entering { // other workers need the processor to reach Next
		runtime.Gosched()
		return w.n + 1
	}
	if w.closesNext() {
		return w.n + 1
	}
	return min(w.claim.at, w.batch.at, w.sample.nextSlow(w.n))
}

// completed returns the number of completed Nexts.
func (w *Worker) completed() int64 { return w.n - 1 }

// name returns the worker's name in messages.
func (w *Worker) name() string {
	if w.role.cfg.Name == "" {
		return fmt.Sprintf("worker %d", w.index)
	}
	return fmt.Sprintf("role %s worker %d", w.role.cfg.Name, w.index)
}
