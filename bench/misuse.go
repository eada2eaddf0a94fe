package bench

import (
	"errors"
	"fmt"
	"runtime"
	"testing"
	"time"
)

// isOwn reports whether the caller is the worker's goroutine. Another one stops the window. It is asked where
// phases begin and after the last: every goroutine that loops over Next comes there. It takes about a microsecond.
func (w *Worker) isOwn() bool {
	if w.goroutine == "" || w.runsHere() {
		return true
	}
	w.win.stop(fmt.Errorf("%s: Next was called by a goroutine other than its Body's: have more Workers, one goroutine each", w.name()))
	return false
}

// runsHere compares the goroutine's number. It allocates nothing, because allocations of the window are counted: the
// worker has a buffer, which a second goroutine at the same time does not get.
func (w *Worker) runsHere() bool {
	if !w.stackBusy.CompareAndSwap(false, true) {
		return w.goroutine == goroutineID()
	}
	defer w.stackBusy.Store(false)
	return w.goroutine == string(goroutineNumber(w.stackHead[:]))
}

// timerWatch notices whether the bodies touch the timer of the benchmark.
type timerWatch struct {
	b       *testing.B
	elapsed time.Duration // of the timer at start
	start   time.Time
	err     error
}

// begin starts the timer and the watch.
func (t *timerWatch) begin() {
	t.b.StartTimer()
	t.elapsed = t.b.Elapsed()
	t.start = time.Now()
}

// end sets err if the timer ran for less time than has passed. The time is read first and last within, so that a
// timer that runs has always run longer.
func (t *timerWatch) end() {
	passed := time.Since(t.start)
	if ran := t.b.Elapsed() - t.elapsed; ran < passed-timerStep() {
		t.err = errors.New("StopTimer or ResetTimer was called while the workers ran: their time counts all the same; " +
			"prepare in Setup of a role or in that of a Batch, which are not counted")
	}
}

// timerStep is the most by which two readings of the system's clock differ though they are of one time.
func timerStep() time.Duration {
	if runtime.GOOS == "windows" {
		return 20 * time.Millisecond
	}
	return time.Microsecond
}
