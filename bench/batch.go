package bench

import "github.com/tarebench/tare/internal/base/clock"

// batch is the state of a worker's [Batch].
type batch struct {
	Batch
	at   int64 // the call of Next at which the next one begins
	open bool  // a batch was set up and not yet torn down
}

func (b *batch) init(conf Batch) {
	b.Batch, b.at = conf, never
	if conf.given() {
		b.at = 1
	}
}

// nextBatch ends a batch and begins the next. It returns the time afterwards, in ns.
func (w *Worker) nextBatch(t int64) int64 {
	w.endBatch()
	w.batch.at = w.n + int64(w.batch.Every)
	if f := w.batch.Setup; f != nil {
		if err := f(w); err != nil {
			w.fail("setup of a batch", err)
			return t
		}
	}
	w.batch.open = true
	now := clock.Now()
	if w.own.counts() && w.rateState.pacing == nil { // a schedule goes on meanwhile
		w.own.paused += now - t
	}
	return now
}

// endBatch tears down the current batch, if there is one.
func (w *Worker) endBatch() {
	if !w.batch.open {
		return
	}
	w.batch.open = false
	if f := w.batch.Teardown; f != nil {
		if err := f(w); err != nil {
			w.fail("teardown of a batch", err)
		}
	}
}
