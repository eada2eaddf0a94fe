package load

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/record"
)

const (
	// growInterval is how often the coordinator checks whether a worker is missing.
	growInterval = int64(time.Millisecond)

	// hangTimeout is how long a worker may take to return from a cancelled operation.
	// Then it is abandoned.
	hangTimeout = time.Second
)

// drive waits for the end of the phase: for the end of sending, and then for
// operations in flight to be answered or cancelled.
func (e *engine) drive(ctx context.Context) {
	tick := e.start + int64(e.config.Interval)
	done := ctx.Done()
	for e.running.Load() > 0 || e.sendEnd == 0 {
		now := e.sleep(done, min(tick, e.nextStep()))
		if ctx.Err() != nil {
			done = nil
			e.stop(context.Cause(ctx))
		}
		if e.sendEnd == 0 && e.endsNow(now) {
			e.endSending(now)
			tick = now + int64(e.config.Interval) // the last interval includes the end
		}
		if e.sendEnd != 0 && now >= e.drained(ctx) {
			return
		}
		if now >= tick {
			e.interval(now)
			tick += (now-tick)/int64(e.config.Interval)*int64(e.config.Interval) + int64(e.config.Interval)
		}
		if e.config.AutoWorkers && e.sendEnd == 0 {
			e.grow(now)
		}
		if e.sendEnd == 0 {
			e.addStandIns()
		}
	}
}

// nextStep returns the time of the coordinator's next task other than intervals.
func (e *engine) nextStep() int64 {
	switch {
	case e.sendEnd != 0:
		return e.sendEnd + int64(e.config.Drain)
	case e.config.AutoWorkers:
		return min(e.deadline, e.clock()+growInterval)
	}
	return e.deadline
}

// sleep waits until a time, or until the run is stopped, cancelled or over. Meanwhile it checks whether anything
// is answered. It returns the current time.
func (e *engine) sleep(done <-chan struct{}, until int64) int64 {
	stopping := e.stopping
	if e.sendEnd != 0 {
		stopping = nil // already handled
	}
	for {
		e.alarm.Reset(time.Duration(min(until, e.nextWatch()) - e.clock()))
		woken := true
		select {
		case <-e.alarm.C:
			woken = false
		case <-done:
		case <-stopping:
		case <-e.parking:
		case <-e.allExited:
		}
		now := e.clock()
		if now >= e.nextWatch() {
			e.watch(now)
		}
		if woken || now >= until {
			return now
		}
	}
}

// endsNow reports whether nothing more will be sent.
func (e *engine) endsNow(now int64) bool {
	switch {
	case e.stopped.Load(), now >= e.deadline:
		return true
	case e.running.Load() == 0:
		// A run with a duration lasts that long, also if its last operation is due
		// earlier.
		return e.config.Duration == 0 || e.allClaimed()
	case e.config.Duration > 0:
		return false
	}
	// Workers may hang in the last operations.
	c := e.count(now)
	if e.schedule == nil {
		return e.allClaimed() && (c.started >= int64(e.mineBelow(e.config.Operations)) || e.stuck(c, now))
	}
	_, more := e.oldest.to(c.started + c.dropped)
	return !more
}

// allClaimed reports whether all operations of Config.Operations, or of the share of them, have
// been claimed.
func (e *engine) allClaimed() bool {
	claimed := e.next.Load()
	switch {
	case e.schedule != nil:
		claimed = e.schedule.Claimed()
	case e.share != nil:
		claimed = e.share.Claimed()
	}
	return e.config.Operations > 0 && claimed >= e.mineBelow(e.config.Operations)
}

// stuck reports whether a closed loop has made no progress for the drain time: a
// worker that hangs does not send the rest of its block.
func (e *engine) stuck(c counts, now int64) bool {
	if c.completed != e.progress.completed || e.progress.at == 0 {
		e.progress.completed, e.progress.at = c.completed, now
	}
	return now-e.progress.at >= int64(e.config.Drain)
}

// endSending takes the counts at the end of sending.
func (e *engine) endSending(now int64) {
	e.watch(now)
	e.sendEnd = now
	if now >= e.deadline && !e.stopped.Load() {
		e.sendEnd = e.deadline // the coordinator may come late
	}
	e.cutOff = e.stopped.Load()
	e.sentParked = e.parked.Load()
	e.permits.endStarts()
	e.sent, e.sentAt = e.count(now), now
	e.failIfLate(e.sent)
}

// failIfLate ends a run that is too late while all workers are busy.
func (e *engine) failIfLate(c counts) {
	if e.config.OnLate == LateFail && c.unsentOldest > int64(e.config.Skip) {
		e.stop(tooLateError(c.unsentOldest, e.config))
	}
}

// drained returns when operations in flight are cancelled: at once, if the run was
// cancelled.
func (e *engine) drained(ctx context.Context) int64 {
	if ctx.Err() != nil || e.running.Load() == 0 {
		return math.MinInt64
	}
	return e.sendEnd + int64(e.config.Drain)
}

// finish cancels operations in flight, writes the last interval, the figures of the phase
// and the warnings.
func (e *engine) finish() *Interval {
	if e.running.Load() > 0 {
		e.giveUp()
		e.alarm.Reset(hangTimeout)
		for e.running.Load() > 0 && !e.workersTimedOut() {
		}
	}
	now := e.clock()
	e.interval(now)
	whole, waits := e.whole(now)
	e.writeHists(waits, e.lastLine)
	e.write(&whole.Load)
	e.writeWarnings(whole)
	e.status(whole)
	return whole
}

// workersTimedOut waits for the workers to leave, and reports whether they take too
// long.
func (e *engine) workersTimedOut() bool {
	select {
	case <-e.alarm.C:
		return true
	case <-e.allExited:
		return false
	}
}

// whole returns the figures of the phase. Rates are over the time in which operations were
// sent. Operations that were answered later are counted, but not in the achieved rate, unless
// they paused at its end. waits
// are the lower bounds of the latencies of those that were not answered.
func (e *engine) whole(now int64) (whole *Interval, waits []Latency) {
	c := e.count(now)
	length := max(e.sentAt-e.start, 1)
	did := e.sent.completed + min(e.sentParked, c.completed-e.sent.completed)
	whole = &Interval{Load: e.load(c), First: e.firsts()}
	whole.Final = true
	e.addFirsts(&whole.Load)
	whole.Slowest = e.slowest()
	whole.Start, whole.Length = e.start, length
	whole.Achieved = perSecond(did, length)
	whole.TargetRate = e.targetRate(c.scheduled, length)
	waits = e.unanswered(c, now)
	whole.Latencies = append(e.total.latencies(e.kinds), waits...)
	return whole, waits
}

// targetRate returns the rate of the schedule over the phase. The phase may take longer
// than its schedule, because of a backlog.
func (e *engine) targetRate(scheduled, length int64) float64 {
	s := e.config.Schedule
	switch {
	case e.schedule == nil:
		return 0
	case s.Rate > 0 && s.Over == 0 && e.share != nil:
		return s.Rate * e.share.MeanWeight(uint64(scheduled))
	case s.Rate > 0 && s.Over == 0:
		return s.Rate
	case e.config.Operations == 0 && e.config.Duration > 0 && e.sendEnd == e.deadline:
		return perSecond(scheduled, int64(e.config.Duration))
	}
	if last, _ := e.oldest.to(scheduled - 1); last > 0 {
		length = min(length, int64(last))
	}
	return perSecond(scheduled, length)
}

func perSecond(n, ns int64) float64 {
	if ns <= 0 {
		return 0
	}
	return float64(n) / (float64(ns) / 1e9)
}

// tooLateError returns the error of a run with LateFail that fell behind.
func tooLateError(late int64, c Config) error {
	return fmt.Errorf("%w: %s late, the limit is %s", ErrLate, units.Brief(float64(late)), units.Brief(float64(c.Skip)))
}

// status calls the callback of the configuration.
func (e *engine) status(i *Interval) {
	if e.config.Status != nil {
		e.config.Status(i)
	}
}

// write passes a line to the sink. An error of the sink ends the run.
func (e *engine) write(l record.Line) {
	if e.sink == nil {
		return
	}
	if err := e.sink(l); err != nil {
		e.sink = nil
		e.stop(fmt.Errorf("write results: %w", err))
	}
}
