package load

import (
	"math"
	"time"
)

// lateAction is what to do with an operation for which no worker was free when it was
// due.
type lateAction int

const (
	sendIt lateAction = iota
	dropIt
	leaveUnsent // the run is over
)

// endTolerance is how long after its end a run still sends an operation that was due before. Without it, most runs would
// not send their last one or two operations.
const endTolerance = int64(time.Millisecond)

// late decides what to do with operation i, which was due before now, and waits if
// the rate of a backlog is limited.
func (w *worker) late(i uint64, due, now int64) lateAction {
	e := w.e
	if now >= e.deadline && now-due > endTolerance {
		return leaveUnsent
	}
	w.recordLateSend(i, due, now)
	tooLate := now-due > int64(e.config.Skip)
	switch e.config.OnLate {
	case LateSkip:
		if tooLate {
			e.dropped.Add(1)
			return dropIt
		}
	case LateFail:
		if tooLate {
			e.stop(tooLateError(now-due, e.config))
			return leaveUnsent
		}
	case LateLimit:
		if s := e.slot(i, now); s > now {
			after, _, err := w.pacer.Wait(s)
			if err != nil || (after >= e.deadline && after-due > endTolerance) {
				return leaveUnsent
			}
		}
	}
	return sendIt
}

// slot returns the next time at which operation i of the backlog may be sent.
func (e *engine) slot(i uint64, now int64) int64 {
	rate := e.config.Schedule.rateAt(time.Duration(now - e.start))
	if e.share != nil {
		rate *= e.share.Weight(i)
	}
	gap := int64(1e9 / (e.config.Limit * rate))
	for {
		last := e.slots.Load()
		next := now
		if last > math.MinInt64 {
			next = max(now, last+gap)
		}
		if e.slots.CompareAndSwap(last, next) {
			return next
		}
	}
}

// dropLate drops operations that are too late while all workers are busy.
func (e *engine) dropLate(now int64) {
	if e.config.OnLate == LateSkip {
		n, _ := e.schedule.Skip(time.Duration(now - int64(e.config.Skip) - e.start))
		e.dropped.Add(int64(n))
	}
}

// recordLateSend records the operation that was sent the latest after its due time.
func (w *worker) recordLateSend(i uint64, due, now int64) {
	w.mu.Lock()
	if now-due > w.worst.now-w.worst.due {
		w.worst = backlog{i, now, due}
	}
	w.mu.Unlock()
}

// takeWorst returns the latest operation since the previous call.
func (w *worker) takeWorst() (b backlog) {
	w.mu.Lock()
	defer w.mu.Unlock()
	b, w.worst = w.worst, backlog{}
	return b
}
