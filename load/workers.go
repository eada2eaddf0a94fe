package load

import (
	"errors"
	"fmt"
	"runtime/debug"
)

// A PanicError is a panic of a target, which ends the run.
type PanicError struct {
	Worker int    // from 0
	Value  any    // of the panic
	Stack  []byte // of its goroutine
}

func (p *PanicError) Error() string {
	return fmt.Sprintf("worker %d panicked: %s", p.Worker, Redact("", fmt.Sprint(p.Value)))
}

// Unwrap returns the panic's value, if that is an error.
func (p *PanicError) Unwrap() error {
	err, _ := p.Value.(error)
	return err
}

// errGoexit is the error of a target that ends its worker's goroutine.
var errGoexit = errors.New("runtime.Goexit was called")

// errNoWorker is the error of a target whose method Worker returns nil twice.
var errNoWorker = errors.New("Worker returned neither a worker nor an error")

// newWorker makes worker n without starting it.
func (e *engine) newWorker(n int, s *shard) (w *worker, err error) {
	w = &worker{
		e: e, n: n, ctx: e.workCtx, cycles: e.timing.cycles,
		shard: s, failed: make(map[failure]int64), observe: e.config.Observe,
	}
	w.timer.w = w
	defer func() {
		if v := recover(); v != nil {
			w, err = nil, &PanicError{n, v, debug.Stack()}
		}
	}()
	if e.timing.virtual != nil {
		w.virtual = e.timing.virtual()
	}
	if e.schedule != nil {
		if w.pacer = w.virtual; w.virtual == nil {
			if w.pacer, err = e.group.Pacer(); err != nil {
				return nil, fmt.Errorf("worker %d: %w", n, err)
			}
		}
	}
	if w.target, err = e.target.Worker(e.workCtx, n); err != nil {
		return nil, fmt.Errorf("worker %d: %w", n, err)
	}
	if w.target == nil {
		return nil, fmt.Errorf("worker %d: %w", n, errNoWorker)
	}
	w.describer, _ = w.target.(Describer)
	return w, nil
}

// addWorker adds a worker to the list.
func (e *engine) addWorker(w *worker) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.workers = append(e.workers, w)
}

// startedWorkers returns the workers that were started.
func (e *engine) startedWorkers() []*worker {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.workers // only ever appended to
}

// run sends operations until there is nothing more to send, and closes the
// worker.
func (w *worker) run() {
	defer w.e.workerExited()
	defer w.close()
	defer w.leave()
	returned := false
	defer func() {
		if !returned {
			w.handlePanic(recover())
		}
	}()
	if w.pacer != nil {
		w.open()
	} else {
		w.closed()
	}
	w.state.Store(2 * w.count)
	returned = true
}

// leave gives back the permit of a worker that ends.
func (w *worker) leave() {
	if w.e.pausing.Load() {
		w.releasePermit()
	}
}

// handlePanic counts an operation in which the target panicked as failed, and ends
// the run.
func (w *worker) handlePanic(v any) {
	if v == nil {
		v = errGoexit
	}
	err := &PanicError{w.n, v, debug.Stack()}
	if w.state.Load() == 2*w.count+1 { // not in Prepare
		w.fail(err)
		if w.kind >= 0 && w.kind < len(w.e.kinds) {
			w.record(w.kind, w.due, w.now()-w.paused, false, true)
		}
		w.count++
	}
	w.state.Store(2 * w.count)
	w.e.stop(err)
}

func (w *worker) close() {
	defer func() {
		if v := recover(); v != nil {
			w.e.stop(&PanicError{w.n, v, debug.Stack()})
		}
	}()
	if err := w.target.Close(); err != nil {
		w.e.warn(workerClose(w.n, err))
	}
}

// grow adds a worker if an operation is due and no worker is idle: an idle one would have
// claimed it. An operation that were due less than a moment ago does not count, because a
// worker may be about to claim it. Opening a worker may take as long as a connection does,
// so each starts in its own goroutine, one at a time.
func (e *engine) grow(now int64) {
	const moment = 500_000 // ns
	if e.starting.Load() || e.cannotGrow.Load() || e.ordinary >= e.config.most() {
		return
	}
	due, ok := e.waiting.to(int64(e.schedule.Claimed()))
	if !ok || now-e.start-int64(due) <= moment {
		return
	}
	e.starting.Store(true)
	e.startWorker(e.shards[e.ordinary%e.ownShards], true, func() { e.starting.Store(false) })
	e.ordinary++
}

// startWorker creates a worker and runs it in a new goroutine. With hasPermit the worker holds a
// permit from the start. created is called once the worker was created or failed to be.
func (e *engine) startWorker(s *shard, hasPermit bool, created func()) {
	n := e.made
	e.made++
	e.running.Add(1)
	go func() {
		w, err := e.newWorker(n, s)
		if err != nil {
			e.cannotGrow.Store(true)
			e.warn(workerFailed(n, err))
			created()
			e.workerExited()
			return
		}
		w.hasPermit = hasPermit
		e.addWorker(w)
		created()
		w.run()
	}()
}

// workerExited notes that a goroutine has ended, and wakes the coordinator up after the
// last one.
func (e *engine) workerExited() {
	if e.running.Add(-1) == 0 {
		select {
		case e.allExited <- struct{}{}:
		default:
		}
	}
}
