package load

import (
	"cmp"
	"slices"
	"time"

	"github.com/tarebench/tare/internal/numbers/pace"
)

// counts are the counts at a moment. They satisfy
//
//	scheduled = started + dropped + unsent
//	started   = completed + unfinished
type counts struct {
	scheduled, started, completed, dropped, unsent, unfinished int64

	unsentOldest, unfinishedOldest int64 // ages, ns
	backlogMax                     int64
}

// accounts computes counts from the progress of the workers and from copies of the schedule: one copy follows the time, the
// others follow the workers. Operations that were not sent therefore need no counter. With a share, all of them hold that
// share alone.
type accounts struct {
	due        *pace.Schedule // as far as operations were due
	oldest     follower       // as far as they were sent or dropped
	waiting    follower       // as far as they were claimed
	backlogMax int64
	seen       []sighting // by worker
}

// A follower knows when operations of a schedule were due.
type follower struct {
	schedule *pace.Schedule
	claimed  int64 // operations that were taken from it, the last of which was …
	at       time.Duration
	ended    bool
}

// to returns when the k-th operation of the schedule or of the share, from 0, is due; k never
// decreases. ok is false if there is no such operation.
func (f *follower) to(k int64) (at time.Duration, ok bool) {
	for f.claimed <= k && !f.ended {
		_, at, ok := f.schedule.Claim()
		if !ok {
			f.ended = true
			break
		}
		f.at = at
		f.claimed++
	}
	return f.at, f.claimed > k
}

// A sighting is when a worker was first seen with an operation in flight. Workers
// do not store when operations start, so that age is known as a lower bound.
type sighting struct {
	completed uint64 // operations of the worker before it
	at        int64
}

// fellDue returns how many operations were due up to a time, at most until the end of
// sending.
func (e *engine) fellDue(now int64) int64 {
	if e.sendEnd != 0 {
		now = min(now, e.sendEnd)
	}
	e.accounts.due.Skip(time.Duration(now - e.start + 1))
	return int64(e.accounts.due.Claimed())
}

// count takes the counts at a moment. Workers continue meanwhile, so the order
// matters: completed operations are read before due ones.
func (e *engine) count(now int64) counts {
	var c counts
	e.dropLate(now)
	c.dropped = e.dropped.Load()
	for i, w := range e.startedWorkers() {
		state := w.state.Load()
		c.completed += int64(state / 2)
		if state&1 != 0 || w.cut.Load() {
			c.unfinished++
			c.unfinishedOldest = max(c.unfinishedOldest, e.inFlight(i, w, state, now))
		}
	}
	c.started = c.completed + c.unfinished
	if e.schedule == nil {
		c.scheduled = c.started
		return c
	}
	e.replayWorst()
	// The clock of stamps may be some ns ahead of the coordinator's.
	c.scheduled = max(e.fellDue(now), c.started+c.dropped)
	if c.unsent = c.scheduled - c.started - c.dropped; c.unsent > 0 {
		if at, ok := e.oldest.to(c.started + c.dropped); ok {
			c.unsentOldest = max(e.ended(now)-e.start-int64(at), 0)
		}
	}
	e.backlogMax = max(e.backlogMax, c.unsent)
	c.backlogMax = e.backlogMax
	return c
}

// ended returns the time, or the end of sending if that is earlier: after it a
// backlog does not grow older.
func (e *engine) ended(now int64) int64 {
	if e.sendEnd != 0 {
		return min(now, e.sendEnd)
	}
	return now
}

// inFlight returns the age of a worker's operation in flight, or 0 if it has ended.
func (e *engine) inFlight(i int, w *worker, state uint64, now int64) int64 {
	now = e.ageEnd(now)
	for len(e.seen) <= i {
		e.seen = append(e.seen, sighting{})
	}
	if s := &e.seen[i]; s.completed != state/2 || s.at == 0 {
		*s = sighting{state / 2, now}
	}
	if e.schedule != nil || w.cut.Load() {
		due := w.flight.Load()
		if w.state.Load() != state && !w.cut.Load() {
			return 0
		}
		return max(now-due, 0)
	}
	return now - e.seen[i].at
}

// replayWorst computes the longest backlog since the previous call, which may have
// been between two intervals.
func (e *engine) replayWorst() {
	var all []backlog
	for _, w := range e.startedWorkers() {
		if b := w.takeWorst(); b.now > b.due {
			all = append(all, b)
		}
	}
	slices.SortFunc(all, func(a, b backlog) int { return cmp.Compare(a.now, b.now) })
	for _, b := range all {
		e.backlogMax = max(e.backlogMax, e.fellDue(b.now)-int64(e.mineBelow(b.k)))
	}
}
