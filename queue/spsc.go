package queue

// An SPSC is a bounded queue for one producer and one consumer. It is the fastest
// type, above all with batches.
//
// One goroutine at a time may call the methods that add, and one those that take.
// Len, Cap, IsEmpty, Enqueued and Dequeued are for all.
//
// All methods are wait-free, in control and in progress.
//
// TryDequeue is strict. TryEnqueue is weak if the consumer stops: TryDequeue publishes
// the room that it frees every Cap/8 elements (64 at most) and when it finds the queue
// empty. Batches, Drain and All publish it when they return. With them, or with a
// capacity below 16, TryEnqueue is strict. TryEnqueueStrict always is, but beside a
// BufferedConsumer.
//
// Memory: an element takes its own size, the queue about 1.4 KiB besides.
type SPSC[T any] struct{ chain[T, padded] }

// NewSPSC returns an empty queue. The capacity is rounded up to a power of two, at
// least 2; NewSPSC panics if it is not from 1 to 1<<30.
func NewSPSC[T any](capacity int) *SPSC[T] {
	size := roundCapacity("NewSPSC", capacity)
	return newSPSC[T](size, publishInterval(size), 0)
}

func newSPSC[T any](size, publishEvery, origin uint64) *SPSC[T] {
	q := new(SPSC[T])
	q.init(size, size, size, publishEvery, origin)
	return q
}

// Cap returns how many elements the queue holds at most.
func (q *SPSC[T]) Cap() int { return int(q.bound) }
