package bench

import (
	"math"
	"time"

	"github.com/tarebench/tare/internal/clock"
	"github.com/tarebench/tare/internal/pace"
)

// pacing is the schedule that the workers of Rate keep in one window.
type pacing struct {
	schedule *pace.Schedule
	clocks   []pace.Clock // one per worker
	base     int64        // when the schedule begins, ns
	end      int64        // when it ends, if it has no number of operations
}

// lead is how long after the opening the schedule begins, so that its first
// operations do not wait for workers that are just waking up.
const lead = time.Millisecond

// turn is where a worker of Rate stands.
type turn struct {
	pacing *pacing // nil: not of Rate
	clock  pace.Clock
	due    int64 // of the operation that runs
	begun  int64 // when it began; 0: none runs
	ended  int64 // when the last one ended
	begin  int64 // operations begun
	unsent int64 // due time of one that was claimed but never began; 0: none
}

func (u *turn) init(w *Worker) {
	if p := w.role.pacing; p != nil {
		u.pacing, u.clock = p, p.clocks[w.index]
	}
}

// paced is Next in Rate: it waits until the next operation is due. There is no
// fast way; lim is a phase at all times.
func (w *Worker) paced() bool {
	w.finishTurn()
	if w.batch.at == w.n {
		w.turnBatch(clock.Now())
	}
	for {
		switch phase := w.lim.Load(); {
		case phase == over:
			w.leave()
			return false
		case w.own.closed:
			<-w.win.ended.ch // others end theirs; there are no more operations
		case phase == closing && w.own.opened:
			w.close(max(w.turn.pacing.end, w.turn.ended))
		case phase == closing:
			w.cut()
		case phase == entering:
			w.arrive()
		case w.takeTurn():
			return true
		}
	}
}

// finishTurn accounts for the operation that has just ended.
func (w *Worker) finishTurn() {
	u := &w.turn
	if u.begun == 0 {
		return
	}
	u.ended = u.clock.Now()
	w.tracks.service.record(max(0, u.ended-u.begun))
	w.tracks.response.record(max(0, u.ended-u.due))
	u.begun = 0
}

// arrive waits for the window to open.
func (w *Worker) arrive() {
	if w.seen = entering; w.n == 1 {
		w.win.enter()
	}
	select {
	case <-w.win.opened.ch:
	case <-w.win.ended.ch:
	}
}

// takeTurn claims the next operation and waits for its time. It reports false
// if there is none, or if the window closed before.
func (w *Worker) takeTurn() bool {
	u := &w.turn
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
		w.tracks.lateness.record(now - due)
	}
	u.due, u.begun = due, now
	u.begin++
	return true
}

// arrears is how a window of Rate kept its schedule.
type arrears struct {
	asked, reached float64 // per second
	scheduled      int64   // operations due within the window
	unsent         int64   // of which never began
	unfinished     int64   // and of which began but never ended
	oldest         int64   // how long the first unsent one had been due, ns
}

// settle counts what a window left undone; reached is the rate of the rest.
func (p *pacing) settle(workers []*Worker, closed int64, asked, reached float64) arrears {
	a := arrears{asked: asked, reached: reached}
	first := int64(math.MaxInt64)
	for _, w := range workers {
		a.scheduled += w.turn.begin
		a.unfinished += w.turn.begin - w.own.total
		if due := w.turn.unsent; due != 0 && due < closed {
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

// missed tells whether the rate was missed, and not only a hiccup at the end
// left some operations over: their backlog is then a share of the window.
func (a *arrears) missed(length int64, workers int) bool {
	return a.unsent > int64(workers) && a.oldest > max(length/50, int64(2*time.Millisecond))
}
