package queue

// An SPSC is a bounded queue for one producer and one consumer: the fastest of all,
// by far so in batches.
//
// The methods that add are for one goroutine at a time, those that take for one
// goroutine at a time; Len, Cap, IsEmpty, Enqueued and Dequeued are for all.
//
// All methods are wait-free, in control and in progress.
//
// TryDequeue is strict. TryEnqueue is weak if the consumer stops: TryDequeue
// accounts for what it took every Cap/8 elements (64 at most) and when it finds
// the queue empty, and until then the producer and Len see the queue that much
// fuller than it is. Batches, Drain and All account for everything when they
// return, so that with them, or with a capacity below 16, TryEnqueue is strict.
//
// Memory: an element takes its own size, the queue about 1.1 KiB besides.
type SPSC[T any] struct{ chain[T] }

// NewSPSC returns an empty queue. The capacity is rounded up to a power of two, at
// least 2; NewSPSC panics if it is not from 1 to 1<<30.
func NewSPSC[T any](capacity int) *SPSC[T] {
	size := roundCapacity("NewSPSC", capacity)
	return newSPSC[T](size, lazyFor(size), 0)
}

func newSPSC[T any](size, lazy, origin uint64) *SPSC[T] {
	q := new(SPSC[T])
	q.init(size, size, size, lazy, origin)
	return q
}

// Cap returns how many elements the queue holds at most.
func (q *SPSC[T]) Cap() int { return int(q.bound) }
