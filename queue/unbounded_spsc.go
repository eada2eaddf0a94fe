package queue

// chunkSize is how many elements a chunk of an unbounded queue holds: enough that
// linking one costs little an element.
const chunkSize = 1024

// An UnboundedSPSC is a queue for one producer and one consumer that is never full:
// its ring is followed by another when the consumer is a whole ring behind. It
// wraps around in the same ring, and allocates nothing, while the consumer keeps
// up; a ring that has been emptied is used again. Nothing stops a producer that is
// faster for good from filling the memory: prefer a bounded queue if you can.
//
// Who may call what is as with [SPSC]. All methods are wait-free, in control and in
// progress, but for the allocation of a ring.
//
// TryEnqueue always succeeds; TryDequeue is strict. Len still counts what TryDequeue
// has not yet accounted for, up to 63 elements.
//
// Memory: an element takes its own size, in rings of 1024, at least one; the queue
// about 1.1 KiB besides.
type UnboundedSPSC[T any] struct{ chain[T] }

// NewUnboundedSPSC returns an empty queue.
func NewUnboundedSPSC[T any]() *UnboundedSPSC[T] {
	return newUnboundedSPSC[T](chunkSize, lazyFor(chunkSize), 0)
}

func newUnboundedSPSC[T any](chunk, lazy, origin uint64) *UnboundedSPSC[T] {
	q := new(UnboundedSPSC[T])
	q.init(chunk, chunk, noBound, lazy, origin)
	return q
}

// Cap returns -1: the queue has no bound.
func (q *UnboundedSPSC[T]) Cap() int { return -1 }
