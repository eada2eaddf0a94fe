package load

import (
	"context"
	"fmt"
	"math"
	"sync"
	"sync/atomic"
	"time"

	"github.com/tarebench/tare/internal/base/cacheline"
	"github.com/tarebench/tare/internal/base/clock"
	"github.com/tarebench/tare/internal/numbers/pace"
)

// A worker is one goroutine that sends operations, with the state that others read.
type worker struct {
	_         cacheline.Line
	e         *engine
	n         int
	target    Worker
	describer Describer // the same, if it is one
	ctx       context.Context
	shard     *shard
	cycles    *clock.Cycles
	virtual   pace.Clock // of tests, instead of cycles
	pacer     pace.Clock // nil in a closed loop
	timer     Timer
	observe   func(Operation) // may be nil
	due       int64           // of the operation in flight; its start in a closed loop
	count     uint64          // operations completed
	k         uint64          // number of the operation in flight, as the target was given it
	kind      int             // of the operation in flight
	part      part            // of it, the one that took longest
	paused    int64           // time that it has paused, ns
	hasPermit bool            // the worker holds one of the engine's permits
	sentFor   int64           // of one that was cut: how long it was in flight without its pauses, ns

	_      cacheline.Line
	state  atomic.Uint64 // twice the operations completed, and 1 while one is in flight
	flight atomic.Int64  // when the one in flight was due; in a closed loop only of one that was cut
	parts  atomic.Uint64 // parts of operations that were answered
	cut    atomic.Bool   // the last one was cancelled at the end and never completed

	mu     sync.Mutex
	failed map[failure]int64
	worst  backlog // the latest operation since the last call of takeWorst
	_      cacheline.Line
}

// backlog is an operation that was sent late.
type backlog struct {
	k   uint64 // the operation, from 0, among those of all load generators
	now int64  // when it was to be sent
	due int64
}

func (w *worker) now() int64 {
	if w.virtual != nil {
		return w.virtual.Now()
	}
	return w.cycles.Now()
}

// begin returns the time at which an operation begins.
func (w *worker) begin() int64 {
	if w.virtual != nil {
		return w.virtual.Now()
	}
	return w.cycles.Begin()
}

// after returns the time, which is not before one that was read earlier.
func (w *worker) after(earlier int64) int64 {
	now := w.now()
	if now < earlier {
		w.e.backwards.Add(1)
		return earlier
	}
	return now
}

// closed sends one operation after the other until none is left.
//
// It does not reset the state between two operations: that would cost one more locked
// instruction for the 30 ns in which none is in flight.
func (w *worker) closed() {
	e := w.e
	if !w.awaitStart() {
		return
	}
	for n, last := uint64(1), w.now(); ; {
		k, end := e.claim(n)
		if k == end {
			return
		}
		var ended int64
		for ; k < end; k++ {
			if e.share != nil { // the first and the last of them are its own
				k = e.config.First + e.share.Next(k-e.config.First)
			}
			if e.stopped.Load() {
				return
			}
			if !w.prepare(k) {
				return
			}
			w.state.Store(2*w.count + 1)
			start := w.begin()
			w.due = start
			err := w.target.Do(w.ctx, &w.timer)
			ended = w.after(start)
			if !w.done(start, ended-w.paused, false, err) || ended >= e.deadline {
				return
			}
		}
		if ended-last < blockTime {
			n = min(2*n, mostBlock)
		} else {
			n = max(n/2, 1)
		}
		last = ended
	}
}

// awaitStart waits until the phase begins. It returns false if the run was stopped before.
func (w *worker) awaitStart() bool {
	for {
		d := w.e.start - w.e.clock()
		if d <= 0 {
			return true
		}
		select {
		case <-time.After(time.Duration(d)):
		case <-w.e.stopping:
			return false
		}
	}
}

// open sends operations when they are due, until the schedule or the run ends.
func (w *worker) open() {
	e := w.e
	const longAgo = math.MinInt64
	ended := int64(longAgo) // when the last operation did, if nothing was waited for since
	for !e.stopped.Load() {
		i, due, ok := e.schedule.Claim()
		if !ok {
			return
		}
		at := e.start + int64(due)
		now := ended
		ended = longAgo
		if now <= at || e.config.OnLate != LateCatchUp { // otherwise it is late already
			now = w.now()
		}
		if now > at {
			switch w.late(i, at, now) {
			case leaveUnsent:
				return
			case dropIt:
				continue
			}
		}
		if !w.prepare(e.config.First + i) {
			return
		}
		waited := false
		if now <= at && w.now() < at {
			var err error
			if _, waited, err = w.pacer.Wait(at); err != nil {
				return // the run was stopped before the operation was due
			}
		}
		if e.pausing.Load() {
			act, late := w.acquirePermit(i, at)
			switch act {
			case leaveUnsent:
				return
			case dropIt:
				continue
			}
			waited = waited && !late
		}
		var more bool
		ended, more = w.send(at, waited)
		if e.pausing.Load() {
			w.releasePermit()
		}
		if !more {
			return
		}
	}
}

// prepare has the target prepare operation k. It ends the run and returns false if there is no such kind as the target
// chose.
func (w *worker) prepare(k uint64) bool {
	w.k, w.part = k, part{}
	w.kind = w.target.Prepare(k)
	if uint(w.kind) < uint(len(w.e.kinds)) {
		return true
	}
	w.e.stop(fmt.Errorf("worker %d: Prepare returned kind %d of %d: want an index into Kinds", w.n, w.kind, len(w.e.kinds)))
	return false
}

// send sends the operation that was prepared, and returns when it ended. The pacer's clock and that of the
// stamps may differ by some ns; an operation never starts before it is due.
func (w *worker) send(at int64, waited bool) (ended int64, more bool) {
	w.due = at
	w.flight.Store(at)
	w.state.Store(2*w.count + 1)
	start := max(w.begin(), at)
	err := w.target.Do(w.ctx, &w.timer)
	ended = w.after(start)
	more = w.done(start, ended-w.paused, waited, err)
	w.state.Store(2 * w.count)
	return ended, more
}

// done ends the operation in flight, which took from start to end without its pauses. It
// returns false if the run was over before: the operation then counts as unfinished.
func (w *worker) done(start, end int64, waited bool, err error) (more bool) {
	givenUp := w.e.sealed.Load()
	if instead := w.target.Done(err); instead != nil {
		err = instead
	}
	if givenUp {
		w.flight.Store(w.due + w.paused) // which are no part of what it had waited
		w.sentFor = end - start
		w.keepIfSlow(start, end, err, true)
		w.cut.Store(true)
		return false
	}
	w.record(w.kind, start, end, waited, err != nil && w.fail(err))
	w.keepIfSlow(start, end, err, false)
	w.paused = 0
	w.count++
	return true
}

// record records the times of an operation, or of one inside another.
func (w *worker) record(kind int, start, end int64, waited, failed bool) {
	l := w.shard
	good, bad := l.good[kind], l.failed[kind]
	if l.shared {
		l.mu.Lock()
	}
	switch {
	case failed && w.pacer != nil:
		bad.Record(end - w.due)
	case failed:
		bad.Record(end - start)
	case waited:
		good.Record(end-start, end-w.due, start-w.due)
	case w.pacer != nil:
		good.Record(end-start, end-w.due)
	default:
		good.Record(end - start)
	}
	if l.shared {
		l.mu.Unlock()
	}
	if w.observe != nil {
		due := w.due
		if w.pacer == nil {
			due = start
		}
		w.observe(Operation{kind, due, start, end, failed})
	}
}

// fail counts an error by its class and reports whether it is a failure.
func (w *worker) fail(err error) bool {
	class := Class(err)
	f := failure{kind: w.kind, class: class}
	if class != ClassNotFound { // frequent
		f.status = Status(err)
	}
	w.mu.Lock()
	seen := w.failed[f]
	w.failed[f] = seen + 1
	w.mu.Unlock()
	if seen == 0 {
		w.e.keepFirst(f, err)
	}
	if class == ClassNotFound {
		return false
	}
	w.e.countFailure()
	return true
}
