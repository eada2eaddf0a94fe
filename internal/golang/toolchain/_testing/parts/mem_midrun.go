package testing

import (
	"runtime"
	"runtime/debug"
	"sync/atomic"
	"time"
)

const tareMemClose = 100 // a spread of less than 1/100 is as good as none

// tareMidRun is one window in which the heap is read while the benchmark runs: one of a benchmark of which no end of
// its loop is known.
type tareMidRun struct {
	tareMemWindow
	ok bool
	tareMemLiving
}

// tareMemWatch returns nil if the heap can be read when the window has ended, or if its length is unknown.
func tareMemWatch(b *B) *tareMidRun {
	d := tareMemExpected(b)
	if d <= 0 || b.tare.loop || b.tare.loopEnd {
		return nil
	}
	r := &tareMidRun{tareMemWindow: tareMemOpen()}
	go r.run(d * 4 / 5)
	return r
}

func (r *tareMidRun) run(wait time.Duration) {
	defer close(r.done)
	if !r.sleep(wait) {
		return
	}
	r.how = "mid-run"
	r.fin, r.settled, r.spread, r.rounds = tareMemSettleRunning(time.Millisecond)
	debug.FreeOSMemory()
	r.resident, r.pss = tareMemResident()
	r.ok = !r.over.Load()
}

func (r *tareMidRun) end() {
	if r != nil {
		r.tareMemWindow.end()
	}
}

// tareMemWindow is a window that a second goroutine watches.
type tareMemWindow struct {
	over *atomic.Bool
	done chan struct{} // closed when nothing more will be read
	stop chan struct{} // closed with the window
}

func tareMemOpen() tareMemWindow {
	return tareMemWindow{over: new(atomic.Bool), done: make(chan struct{}), stop: make(chan struct{})}
}

// sleep returns false if the window has ended.
func (w *tareMemWindow) sleep(d time.Duration) bool {
	select {
	case <-w.stop:
		return false
	case <-time.After(d):
		return true
	}
}

// end ends the window, if it has not ended yet, and returns when nothing more will be read.
func (w *tareMemWindow) end() {
	if !w.over.Swap(true) {
		close(w.stop)
	}
	<-w.done
}

// tareMemSettleRunning does what tareMemSettle does while the benchmark allocates. What is allocated
// during a collection is not collected by it, garbage or not: it is in the heap that is read afterwards. So what lives is
// between that heap and the same less all that was allocated meanwhile. Settled is the largest of these lower
// bounds, spread is how far below the least upper bound it is.
func tareMemSettleRunning(pause time.Duration) (fin, settled tareMemFigures, spread uint64, rounds int) {
	var s runtime.MemStats
	runtime.GC() // ends what an earlier cycle has left to sweep
	most := ^uint64(0)
	for rounds = 1; rounds <= tareMemRounds; rounds++ {
		time.Sleep(pause)
		runtime.ReadMemStats(&s)
		was := s.TotalAlloc
		runtime.GC()
		now := tareMemStats(&s)
		most = min(most, now.heap)
		meanwhile := min(s.TotalAlloc-was, now.heap)
		now.heap -= meanwhile
		now.used -= min(meanwhile, now.used)
		if rounds == 1 {
			fin = now
		}
		rose := now.heap > settled.heap
		settled.heap, settled.used, settled.total = max(settled.heap, now.heap), max(settled.used, now.used), now.total
		if !rose || most-settled.heap <= settled.heap/tareMemClose {
			break
		}
	}
	most = max(most, settled.heap)
	return fin, settled, most - settled.heap, min(rounds, tareMemRounds-1)
}
