package load

import (
	"context"
	"errors"
	"time"
)

// Pause waits like a user who thinks before the next step of the operation. Neither the
// service nor the response time of the operation contains the pause.
//
// In an open loop the worker does not count meanwhile: the engine adds another, with a target
// worker of its own, so that the pauses of users need no larger Config.Workers or
// MaxOutstanding. These limit how many operations are sent at the same time. After the pause
// the operation waits until that is allowed again; this wait is part of its latencies. In
// a closed loop a worker is a user, and pauses hold it.
//
// Pause returns the context's cause if the context or the run ended before. An operation that
// pauses when the run gives it up is unfinished.
func (t *Timer) Pause(ctx context.Context, d time.Duration) error {
	w := t.w
	if w == nil {
		return wait(ctx, nil, d)
	}
	from := w.now()
	w.park()
	err := wait(ctx, w.ctx.Done(), d)
	w.paused += w.pauseEnd(from) - from
	if e := w.unpark(ctx); err == nil {
		err = e
	}
	return err
}

// pauseEnd returns when the pause that began at from has ended: at the latest when the run gave the
// operation up.
func (w *worker) pauseEnd(from int64) int64 {
	now := w.after(from)
	if w.ctx.Err() != nil && w.e.givenUp != 0 { // which was set before
		now = max(min(now, w.e.givenUp), from)
	}
	return now
}

// wait waits for a time. It returns an error if the context or the run ends before.
func wait(ctx context.Context, run <-chan struct{}, d time.Duration) error {
	if d <= 0 {
		return context.Cause(ctx)
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-run:
		return context.Canceled
	}
}

// Part records a part of an operation, of a kind, that began at from and ended at to, times of
// Now. Unlike Sub it records the service time only: a part is never due.
func (t *Timer) Part(kind int, from, to int64, err error) {
	w := t.w
	if w == nil || w.e.sealed.Load() {
		return
	}
	failed := err != nil && Class(err) != ClassNotFound
	w.recordService(kind, max(to-from, 0), failed)
	w.part.see(kind, to-from)
	if !failed {
		w.parts.Add(1)
	}
}

// recordService records the service time of a part of an operation.
func (w *worker) recordService(kind int, ns int64, failed bool) {
	l := w.shard
	if l.shared {
		l.mu.Lock()
	}
	if failed {
		l.failed[kind].Record(ns)
	} else {
		l.good[kind].Record(ns)
	}
	if l.shared {
		l.mu.Unlock()
	}
}

// park gives the worker's permit to others for the time of a pause.
func (w *worker) park() {
	e := w.e
	parked := e.parked.Add(1)
	if w.pacer == nil {
		return
	}
	e.pausing.Store(true)
	w.releasePermit()
	if parked > e.standIns.Load() {
		select {
		case e.parking <- struct{}{}:
		default:
		}
	}
}

// unpark takes a permit again.
func (w *worker) unpark(ctx context.Context) error {
	defer w.e.parked.Add(-1)
	if w.pacer == nil {
		return nil
	}
	if !w.e.permits.take(true, w.ctx.Done()) {
		if err := context.Cause(ctx); err != nil {
			return err
		}
		return context.Canceled
	}
	w.hasPermit = true
	return nil
}

// acquirePermit takes a permit for operation i, which is due at a time. It says what to do with the
// operation if it had to wait for one.
func (w *worker) acquirePermit(i uint64, at int64) (act lateAction, waited bool) {
	e := w.e
	if w.hasPermit || e.permits.tryTake() {
		w.hasPermit = true
		return sendIt, false
	}
	if !e.permits.take(false, e.stopping) {
		return leaveUnsent, true
	}
	w.hasPermit = true
	if act = w.late(i, at, w.now()); act != sendIt {
		w.releasePermit()
	}
	return act, true
}

// releasePermit gives the worker's permit back, if it has one.
func (w *worker) releasePermit() {
	if w.hasPermit {
		w.hasPermit = false
		w.e.permits.put()
	}
}

var errTooManyUsers = errors.New("more than 100000 users pause at the same time")

// mostUsers limits how many workers are added for those that pause.
const mostUsers = 100_000

// addStandIns adds a worker for each that pauses, so that as many as before can send. Their
// users stay for the next pauses.
func (e *engine) addStandIns() {
	for e.schedule != nil && e.standIns.Load() < e.parked.Load() && !e.cannotGrow.Load() {
		if e.standIns.Add(1) > mostUsers {
			e.cannotGrow.Store(true)
			e.warn(workerFailed(e.made, errTooManyUsers))
			return
		}
		e.startWorker(e.standInShard(), false, func() {})
	}
}

// standInShard returns the shard of the next worker that is added for one that pauses. Several
// workers share one, because most of them pause.
func (e *engine) standInShard() *shard {
	n := int(e.standIns.Load())
	if len(e.more) < standInShards {
		s := newShard(len(e.kinds), times, e.config.Slowest, true)
		e.more, e.shards = append(e.more, s), append(e.shards, s)
	}
	return e.more[n%len(e.more)]
}

// standInShards is the number of histograms that workers share that were added for pauses.
const standInShards = 4
