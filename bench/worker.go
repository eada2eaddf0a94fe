package bench

import (
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"runtime"
	"sync/atomic"

	"github.com/tarebench/tare/internal/cacheline"
	"github.com/tarebench/tare/internal/clock"
)

// A Worker is one goroutine of a role in one window. Its methods, Done apart,
// are for that goroutine alone.
type Worker struct {
	_ cacheline.Line

	// The two words of Next. The slow way is taken at the lim-th call and after;
	// lim is a phase (see phase.go) while it is not positive.
	n   int64 // calls of Next
	lim atomic.Int64

	win   *window
	role  *crew
	index int
	per   int64 // operations per Next
	stage stage
	err   error  // what went wrong
	ready bool   // Setup went well
	goid  string // what runtime.Stack calls this goroutine
	rand  *rand.Rand
	seed  uint64

	ended atomic.Bool // the worker's own window has ended
	back  bool        // the body has come back; guarded by win.mu
	given bool        // up on: the window went on without it; likewise

	seen     int64 // the last phase dealt with
	said     bool  // Next has said that the window is over
	own      ledger
	claim    claim
	batch    batch
	tune     tune
	sample   sampler
	turn     turn
	tracks   *tracks
	counters []*Counter
	spare    []Counter // memory of the first few

	_ cacheline.Line
}

// stage is how far a worker is in its life.
type stage uint8

const (
	preparing stage = iota
	running
	clearing
)

func newWorker(win *window, role *crew, index int) *Worker {
	w := &Worker{win: win, role: role, index: index, per: role.ops, seen: fresh}
	w.seed = workerSeed(role.cfg.Name, index)
	w.rand = rand.New(rand.NewPCG(uint64(win.seed), w.seed))
	w.counters, w.spare = make([]*Counter, 0, fewCounters), make([]Counter, fewCounters)
	w.claim.at = never
	w.batch.init(role.cfg.Batch)
	if role.tracks != nil {
		w.tracks = role.tracks[index]
		w.tracks.reset()
	}
	w.sample.init(w)
	w.turn.init(w)
	return w
}

// Next tells whether to do another operation; the loop around it is the body of
// a role:
//
//	for w.Next() {
//		operation()
//	}
//
// It costs about what the loop over b.N does (see BenchmarkFloor). The increment
// stands on memory by intention: through a register each loop would wait for the
// store of the last one.
func (w *Worker) Next() bool {
	w.n++
	if w.n < w.lim.Load() {
		return true
	}
	return w.slow()
}

// Done is closed when the window closes, for a body that waits for something
// that may not come any more. The operation that it cuts off does not count.
func (w *Worker) Done() <-chan struct{} { return w.win.done }

// Index is the worker's number within its role, from 0.
func (w *Worker) Index() int { return w.index }

// Role is the name of the worker's role, "" if it has none.
func (w *Worker) Role() string { return w.role.cfg.Name }

// SetOps says that one Next stands for n operations, for a number that only the
// running benchmark knows. It must be called before the loop; n is at least 1.
func (w *Worker) SetOps(n int) {
	if n < 1 {
		panic("bench: SetOps: must be at least 1")
	}
	if w.n > 0 {
		panic("bench: SetOps: must be called before Next")
	}
	w.per = int64(n)
}

// Rand returns the worker's own source of random numbers. Its numbers follow
// from the seed, the name of the role and the index, in each window anew: they
// are the same in every window of a process. The seed is 1, or the hexadecimal
// number in the environment variable TARE_SEED; tare gives the forks of each round
// another, so that its intervals cover what is drawn.
func (w *Worker) Rand() *rand.Rand { return w.rand }

// workerSeed tells workers of the same seed apart.
func workerSeed(role string, index int) uint64 {
	h := fnv.New64a()
	h.Write([]byte(role))
	return h.Sum64() + uint64(index)
}

// slow is Next where more is to be done than counting.
func (w *Worker) slow() bool {
	t := clock.Now() // first: an operation that is timed has just ended
	switch {
	case w.stage != running:
		panic("bench: Next is for the Body of a role")
	case w.turn.pacing != nil:
		return w.paced()
	}
	w.sample.end(t)
	for {
		due := w.lim.Load()
		if due < w.seen {
			t = clock.Now() // a phase has begun, maybe only since t
		}
		if !w.visit(due, t) {
			return false
		}
		if w.lim.CompareAndSwap(due, w.until()) {
			break
		}
	}
	w.sample.begin(w.n)
	return true
}

const never = math.MaxInt64

// until is the call of Next that has to take the slow way again.
func (w *Worker) until() int64 {
	if w.seen == entering { // others need the processor to come in
		runtime.Gosched()
		return w.n + 1
	}
	if w.waitsToClose() {
		return w.n + 1
	}
	return min(w.claim.at, w.batch.at, w.sample.until(w.n))
}

// completed is the number of Nexts whose operation has been done.
func (w *Worker) completed() int64 { return w.n - 1 }

// name is what messages call the worker.
func (w *Worker) name() string {
	if w.role.cfg.Name == "" {
		return fmt.Sprintf("worker %d", w.index)
	}
	return fmt.Sprintf("role %s worker %d", w.role.cfg.Name, w.index)
}
