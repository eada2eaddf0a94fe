package bench

import "testing"

// handWorker is a worker whose calls of Next are made by the test.
func handWorker() *Worker {
	win := testWindow(Role{Workers: 1, Body: loop})
	win.addWorkers()
	w := win.workers[0]
	w.stage = running
	return w
}

// TestPhases walks a worker through a window, call by call.
func TestPhases(t *testing.T) {
	w := handWorker()
	if !w.Next() || !w.own.opened { // it is the last to come in, so its window opens
		t.Fatal("the first call did not open the window")
	}
	if w.left != mostFast {
		t.Errorf("%d fast calls while nothing is to be done, want %d", w.left, mostFast)
	}
	for range 10 {
		w.Next()
	}
	w.win.advance(closing)
	if w.Next() || w.own.ops() != 11 || !w.finished {
		t.Errorf("%d operations, want 11; Next has said no: %v", w.own.ops(), w.finished)
	}
	if w.Next() || w.own.total != 11 {
		t.Errorf("after the end Next says yes, or counts: %d", w.own.total)
	}
}

// TestPhasesAtOnce has a window that closes while the worker sees it open: it
// counts one operation nevertheless.
func TestPhasesAtOnce(t *testing.T) {
	for _, phases := range [][]int64{{opening, closing}, {closing}} {
		w := handWorker()
		w.n = 5
		for _, p := range phases {
			w.win.advance(p)
			w.handleDue(p, int64(1000))
		}
		if !w.own.opened || w.own.closed {
			t.Fatalf("%v: opened %v, closed %v", phases, w.own.opened, w.own.closed)
		}
		if w.nextSlow() != w.n+1 {
			t.Errorf("%v: the next call is not looked at", phases)
		}
		w.n++
		w.handleDue(fresh, 3000)
		if !w.own.closed || w.own.ops() != 1 || w.own.ns() != 2000 {
			t.Errorf("%v: %+v", phases, w.own)
		}
	}
}

// TestPhasesGoDown makes sure that no phase comes twice or after a later one.
func TestPhasesGoDown(t *testing.T) {
	w := handWorker()
	win := w.win
	win.advance(opening)
	at := win.openedAt
	w.notice = 0
	for _, p := range []int64{opening, tuning, entering} {
		win.advance(p)
	}
	if win.openedAt != at || w.notified() != fresh {
		t.Error("the window opened twice")
	}
	win.advance(closing)
	closed := win.closedAt
	win.advance(over)
	win.advance(closing)
	if win.closedAt != closed || w.notified() != over || win.now() != over {
		t.Error("the window closed twice")
	}
	select {
	case <-w.Done():
	default:
		t.Error("Done is open after the end")
	}
}

// TestStopOverridesAll has a worker that is about to go on when it must stop:
// it does not undo this.
func TestStopOverridesAll(t *testing.T) {
	w := handWorker()
	w.n = 5
	due := w.notified()
	w.handleDue(due, 1000)
	w.win.advance(over)
	if w.endSlow(due, w.nextSlow()) {
		t.Error("the end was overwritten")
	}
	if w.Next() {
		t.Error("Next goes on")
	}
}
