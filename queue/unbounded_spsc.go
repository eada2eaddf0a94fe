package queue

// chunkSize is how many elements a chunk of an unbounded queue holds: so many that
// linking a chunk costs little per element.
const chunkSize = 1024

// An UnboundedSPSC is a queue for one producer and one consumer that is never full:
// it adds a ring when the consumer is a whole ring behind. While the consumer keeps
// up, the producer reuses the same ring and allocates nothing; an emptied ring is
// used again. A producer that stays faster than the consumer fills the memory: prefer
// a bounded queue.
//
// The callers are those of [SPSC]. All methods are wait-free, in control and in
// progress, but for the allocation of a ring.
//
// TryEnqueue always succeeds; TryDequeue is strict.
//
// Memory: an element takes its own size, in rings of 1024, at least one; the queue
// about 1.4 KiB besides.
type UnboundedSPSC[T any] struct{ chain[T, padded] }

// NewUnboundedSPSC returns an empty queue.
func NewUnboundedSPSC[T any]() *UnboundedSPSC[T] {
	return newUnboundedSPSC[T](chunkSize, publishInterval(chunkSize), 0)
}

func newUnboundedSPSC[T any](chunk, publishEvery, origin uint64) *UnboundedSPSC[T] {
	q := new(UnboundedSPSC[T])
	q.init(chunk, chunk, noBound, publishEvery, origin)
	return q
}

// Cap returns -1: the queue has no bound.
func (q *UnboundedSPSC[T]) Cap() int { return -1 }
