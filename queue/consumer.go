package queue

import (
	"sync/atomic"

	"github.com/tarebench/tare/internal/base/cacheline"
)

// A consumerSide is the consumer's side of a queue with many producers. It publishes
// its index every publishEvery elements and has an exact one besides, as the consumer
// of a chain does.
type consumerSide struct {
	role
	head         uint64 // the next position
	limit        uint64 // positions before this one are known to be filled
	accounted    uint64 // the value of taken
	publishEvery uint64 // elements taken before the index is published
	clears       bool
	dequeued     atomic.Uint64 // head after each TryDequeue, for those who monitor
	_            cacheline.Line
	taken        atomic.Uint64
}

func (r *consumerSide) init(publishEvery, origin uint64, clears bool) {
	r.head, r.limit, r.accounted, r.publishEvery, r.clears = origin, origin, origin, publishEvery, clears
	r.taken.Store(origin)
	r.dequeued.Store(origin)
}

// consumed returns the index: exact between calls of TryDequeue, and as of the last
// publication within a batch.
func (r *consumerSide) consumed() uint64 { return later(r.dequeued.Load(), r.taken.Load()) }

// count publishes that an element was taken: at once to those who monitor, and to the
// producers if that is due.
func (r *consumerSide) count() {
	r.dequeued.Store(r.head)
	r.publishIfDue()
}

// publishIfDue publishes the index if publishEvery elements were taken since.
func (r *consumerSide) publishIfDue() {
	if r.head-r.accounted >= r.publishEvery {
		r.publishTaken()
	}
}

// publishTaken publishes the index, which frees all slots before it.
func (r *consumerSide) publishTaken() {
	if r.accounted != r.head {
		r.accounted = r.head
		r.taken.Store(r.head)
	}
}

// release calls publishTaken from outside a consumer's method.
func (r *consumerSide) release() {
	r.enter("consumer")
	r.publishTaken()
	r.leave()
}
