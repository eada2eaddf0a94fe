package bench

import (
	"strings"
	"testing"
	"time"
)

// TestAlign has a window whose workers were notified of the opening from 50 to 100, and of the closing from 180 to 200.
func TestAlign(t *testing.T) {
	for _, tt := range []struct {
		name                     string
		from, to, ops            int64
		alignedFrom, alignedUpTo int64
	}{
		{"in time", 101, 201, 50, 101, 201},
		{"notified early", 51, 181, 50, 51, 181},
		{"notified late", 99, 199, 50, 99, 199},
		{"in an operation at both edges", 120, 215, 5, 120, 215},
		{"without a processor when it opened", 160, 201, 20, 100, 201},
		{"without a processor when it closed", 101, 260, 50, 101, 200},
		{"one operation, begun long after", 350, 450, 1, 100, 450},
		{"an operation before, and one that began after it closed", 290, 401, 1, 290, 401},
	} {
		w := &Worker{win: &window{openedAt: 50, openNotified: 100, closedAt: 180, closeNotified: 200}, role: &roleGroup{cfg: &Role{}}}
		w.own = workerWindow{opened: true, from: tt.from, to: tt.to, last: tt.ops}
		w.align()
		if w.own.from != tt.alignedFrom || w.own.to != tt.alignedUpTo {
			t.Errorf("%s: from %d to %d, want %d to %d", tt.name, w.own.from, w.own.to, tt.alignedFrom, tt.alignedUpTo)
		}
	}
}

// TestManyWorkers: however many workers share few processors, they are not
// reported to have done more in the window's length than all that they did.
func TestManyWorkers(t *testing.T) {
	for _, workers := range []int{1, 3, 16, 64} {
		win := testWindow(Role{Workers: workers, Body: func(w *Worker) {
			for w.Next() {
				Work(100)
			}
		}})
		win.length = 10 * time.Millisecond
		win.addWorkers()
		o := win.run(doNothing, doNothing)
		if o.err != nil {
			t.Fatal(o.err)
		}
		s := scoreOf("", win.workers)
		var all int64
		for _, w := range win.workers {
			all += w.own.total
		}
		// Those that were not held up have windows of their own, nearly as long.
		seconds := float64(o.closed-o.opened) / 1e9
		if most := 1.05 * (float64(all) + float64(workers)) / seconds; s.rate > most {
			t.Errorf("%d workers: %.3g op/s reported, but at most %.3g were done", workers, s.rate, most)
		}
	}
}

// TestHeldUpByAnOperation: a worker that was in one operation for the whole window is not
// judged by the next one.
func TestHeldUpByAnOperation(t *testing.T) {
	begun := make(chan bool)
	win := testWindow(
		Role{Name: "held", Workers: 1, Body: func(w *Worker) {
			for n := 0; w.Next(); n++ {
				if n == 0 {
					close(begun)
				}
				<-w.Done() // at once in later ones
			}
		}},
		Role{Name: "free", Workers: 1, Body: func(w *Worker) {
			for <-begun; w.Next(); {
				time.Sleep(time.Millisecond)
			}
		}})
	win.length = 10 * time.Millisecond
	win.addWorkers()
	if o := win.run(doNothing, doNothing); o.err != nil {
		t.Fatal(o.err)
	}
	if s := scoreOf("held", win.roleGroups[0].workers); s.rate > 1000 { // one in at least 5 ms, or edges are set to those of all
		t.Errorf("%v op/s of a worker that did an operation of 10 ms", s.rate)
	}
}

// TestNeverComes: a body that never asks Next fails the window after the grace,
// by name, and the others are let go.
func TestNeverComes(t *testing.T) {
	for _, count := range []int64{0, 100} {
		release := make(chan int)
		win := testWindow(
			Role{Name: "absent", Workers: 1, Body: func(w *Worker) { <-release }},
			Role{Name: "present", Workers: 1, Body: func(w *Worker) {
				for w.Next() {
				}
			}})
		win.length, win.count, win.grace = time.Millisecond, count, 200*time.Millisecond
		win.addWorkers()
		o := win.run(doNothing, doNothing)
		close(release)
		if o.err == nil || !strings.Contains(o.err.Error(), "not all workers came to their first Next within 200ms") || !strings.Contains(o.err.Error(), "role absent worker 0") {
			t.Errorf("count %d: %v", count, o.err)
		}
	}
}

// TestNothingLeft: under a count Done is closed for a worker whose operation never
// ends, when no worker has claimed an operation for the grace period.
func TestNothingLeft(t *testing.T) {
	win := testWindow(Role{Name: "waits", Workers: 1, Body: func(w *Worker) {
		for w.Next() {
			<-w.Done()
			return
		}
	}})
	win.count, win.grace = 100, 200*time.Millisecond
	win.addWorkers()
	start := time.Now()
	win.run(doNothing, doNothing)
	if d := time.Since(start); d < win.grace || d > time.Minute {
		t.Errorf("took %v", d)
	}
}
