package bench

import (
	"math"
	"time"

	"github.com/tarebench/tare/internal/base/clock"
	"github.com/tarebench/tare/internal/numbers/pace"
)

// pacing is the schedule of the workers of Rate in one window.
type pacing struct {
	schedule *pace.Schedule
	clocks   []pace.Clock // one per worker
	base     int64        // when the schedule begins, ns
	end      int64        // when it ends, unless the number of operations is fixed
}

// lead is the time from the opening to the beginning of the schedule, so that the first operations do not wait
// for workers that are just waking up.
const lead = time.Millisecond

// rateState is the state of a worker of Rate. Times are in ns.
type rateState struct {
	pacing *pacing // nil: not of Rate
	clock  pace.Clock
	due    int64 // of the running operation
	begun  int64 // when it began; 0: none runs
	ended  int64 // when the last one ended
	begin  int64 // operations begun
	unsent int64 // due time of one that was claimed but never began; 0: none
}

func (u *rateState) init(w *Worker) {
	if p := w.role.pacing; p != nil {
		u.pacing, u.clock = p, p.clocks[w.index]
	}
}

// nextDue is Next in Rate: it waits until the next operation is due. It has no fast path: left is
// always 0.
func (w *Worker) nextDue() bool {
	w.finishOperation()
	if w.batch.at == w.n {
		w.nextBatch(clock.Now())
	}
	for {
		switch phase := w.notified(); {
		case (phase == over || phase == entering) && !w.isOwn():
			return false
		case phase == over:
			w.finish()
			return false
		case w.own.closed:
			<-w.win.ended.ch // no operations are left; other workers end their windows
		case phase == closing && w.own.opened:
			w.close(max(w.rateState.pacing.end, w.rateState.ended))
		case phase == closing:
			w.closeInterrupted()
		case phase == entering:
			w.waitForOpening()
		case w.claimOperation():
			return true
		}
	}
}

// finishOperation records the operation that has just ended.
func (w *Worker) finishOperation() {
	u := &w.rateState
	if u.begun == 0 {
		return
	}
	u.ended = u.clock.Now()
	w.hists.service.record(max(0, u.ended-u.begun))
	w.hists.response.record(max(0, u.ended-u.due))
	u.begun = 0
}

// waitForOpening waits for the window to open.
func (w *Worker) waitForOpening() {
	if w.seen = entering; w.n == 1 {
		w.win.enter()
	}
	select {
	case <-w.win.opened.ch:
	case <-w.win.ended.ch:
	}
}

// claimOperation claims the next operation and waits until it is due. It returns false if there is none, or if
// the window closed first.
func (w *Worker) claimOperation() bool {
	u := &w.rateState
	if !w.own.opened {
		w.own.opened, w.own.from, w.own.first = true, u.pacing.base, w.completed()
		w.markCounters()
	}
	_, after, ok := u.pacing.schedule.Claim()
	switch {
	case !ok && w.win.count > 0:
		w.close(max(u.ended, u.pacing.base))
		w.win.exhausted.fire()
		return false
	case !ok:
		<-w.win.done
		return false
	}
	due := u.pacing.base + int64(after)
	now, waited, err := u.clock.Wait(due)
	if err != nil {
		u.unsent = due
		if err != pace.ErrStopped {
			w.fail("waiting for an operation to be due", err)
		}
		return false
	}
	if waited {
		w.hists.lateness.record(now - due)
	}
	u.due, u.begun = due, now
	u.begin++
	return true
}

// backlog says how well a window of Rate kept its schedule.
type backlog struct {
	target, achieved float64 // per second
	scheduled        int64   // operations due within the window
	unsent           int64   // of which never began
	unfinished       int64   // of which began but never ended
	oldest           int64   // how long the first unsent one had been due, ns
}

// settle counts the operations that a window left undone. Rates are per second.
func (p *pacing) settle(workers []*Worker, closed int64, target, achieved float64) backlog {
	a := backlog{target: target, achieved: achieved}
	first := int64(math.MaxInt64)
	for _, w := range workers {
		a.scheduled += w.rateState.begin
		a.unfinished += w.rateState.begin - w.own.total
		if due := w.rateState.unsent; due != 0 && due < closed {
			a.unsent++
			first = min(first, due)
		}
	}
	if n, due := p.schedule.Skip(time.Duration(closed - p.base)); n > 0 {
		a.unsent += int64(n)
		first = min(first, p.base+int64(due))
	}
	a.scheduled += a.unsent
	if a.unsent > 0 {
		a.oldest = closed - first
	}
	return a
}

// missed reports whether the rate was missed: the backlog is a considerable part of the window, more than a
// short delay at its end.
func (a *backlog) missed(length int64, workers int) bool {
	return a.unsent > int64(workers) && a.oldest > max(length/50, int64(2*time.Millisecond))
}
