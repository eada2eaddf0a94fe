package queue

import (
	"iter"
	"runtime"
	"sync/atomic"

	"github.com/tarebench/tare/internal/base/cacheline"
)

// An UnboundedMPSC is a queue without bound for many producers and one consumer: a
// list of chunks. A chunk is allocated for 1024 elements and is not used again,
// because a slow producer may still access it.
//
// Any goroutine may call the methods that add; one goroutine at a time those that
// take. Len, Cap, IsEmpty, Enqueued and Dequeued are for all.
//
// Adding is lock-free, in control and in progress: an interrupted producer does not
// stop others, but at the end of a chunk a slow producer may be overtaken any number
// of times. Taking is wait-free in control; in progress it is blocking: a producer
// that was interrupted between claiming its slot and filling it (a bubble) hides the
// elements behind it from the consumer.
//
// TryEnqueue always succeeds. TryDequeue and Peek are weak: they may find nothing
// when the queue is not empty, if the first element is a bubble. TryDequeueStrict
// and PeekStrict wait for the bubble.
//
// Memory: an element takes its own size and 4 bytes, rounded up to the alignment of
// T, in chunks of 1024, at least one; the queue about 0.9 KiB besides.
type UnboundedMPSC[T any] struct {
	chunkList[T]
	role
	chunk  *chunk[T] // where the consumer is
	index  uint32    // the slot that it takes next
	limit  uint32    // slots before this one are known to be filled
	clears bool
	_      cacheline.Line
	taken  atomic.Uint64
	_      cacheline.Line
}

// NewUnboundedMPSC returns an empty queue.
func NewUnboundedMPSC[T any]() *UnboundedMPSC[T] { return newUnboundedMPSC[T](chunkSize, 0) }

func newUnboundedMPSC[T any](size uint32, origin uint64) *UnboundedMPSC[T] {
	q := &UnboundedMPSC[T]{clears: holdsPointers[T]()}
	q.chunk = q.chunkList.init(size, origin)
	q.taken.Store(origin)
	return q
}

// ready reports whether the first element can be taken.
func (q *UnboundedMPSC[T]) ready() bool {
	if q.index < q.limit {
		return true
	}
	if q.index == q.size {
		next := q.chunk.next.Load()
		if next == nil {
			return false
		}
		q.chunk, q.index, q.limit = next, 0, 0
	}
	run := q.chunk.slots[q.index].run.Load()
	q.limit = q.index + run
	return run != 0
}

// readyOrEmpty waits while the first element is a bubble.
func (q *UnboundedMPSC[T]) readyOrEmpty() bool {
	for !q.ready() {
		// At the end of a chunk ready has found no next chunk, so no producer has
		// claimed a slot in it.
		if q.index == q.size || q.chunk.claim.Load() <= uint64(q.index) {
			return false
		}
		runtime.Gosched()
	}
	return true
}

// take takes the first element, which must be ready, and does not count it as taken.
func (q *UnboundedMPSC[T]) take() T {
	s := &q.chunk.slots[q.index]
	v := s.v
	if q.clears {
		var zero T
		s.v = zero
	}
	q.index++
	return v
}

// account publishes that n elements were taken.
func (q *UnboundedMPSC[T]) account(n int) {
	if n > 0 {
		q.taken.Store(q.taken.Load() + uint64(n))
	}
}

// TryDequeue takes the first element. It returns false if the queue is empty, or if
// the first element is still being added.
func (q *UnboundedMPSC[T]) TryDequeue() (v T, ok bool) {
	q.enter("consumer")
	if ok = q.ready(); ok {
		v = q.take()
		q.account(1)
	}
	q.leave()
	return v, ok
}

// TryDequeueStrict takes the first element. It returns false if and only if the
// queue is empty; it waits for a producer that is still adding the first element.
func (q *UnboundedMPSC[T]) TryDequeueStrict() (v T, ok bool) {
	q.enter("consumer")
	if ok = q.readyOrEmpty(); ok {
		v = q.take()
		q.account(1)
	}
	q.leave()
	return v, ok
}

// Peek returns the first element and leaves it in the queue. Like TryDequeue it may
// miss one that is still being added. Peek is for the consumer.
func (q *UnboundedMPSC[T]) Peek() (v T, ok bool) {
	q.enter("consumer")
	if ok = q.ready(); ok {
		v = q.chunk.slots[q.index].v
	}
	q.leave()
	return v, ok
}

// PeekStrict returns the first element and leaves it in the queue. It returns false
// if and only if the queue is empty; it waits for a producer that is still adding the
// first element. PeekStrict is for the consumer.
func (q *UnboundedMPSC[T]) PeekStrict() (v T, ok bool) {
	q.enter("consumer")
	if ok = q.readyOrEmpty(); ok {
		v = q.chunk.slots[q.index].v
	}
	q.leave()
	return v, ok
}

// TryDequeueBatch moves up to len(dst) elements into dst and returns how many; it
// stops at one that is still being added.
func (q *UnboundedMPSC[T]) TryDequeueBatch(dst []T) (n int) {
	q.enter("consumer")
	for ; n < len(dst) && q.ready(); n++ {
		dst[n] = q.take()
	}
	q.account(n)
	q.leave()
	return n
}

// Drain hands up to limit elements to f, from the first on, and returns how many.
// It ends early when the queue is empty or at an element that is still being added.
// Each element has left the queue when f gets it, also if f panics. f must not take
// from the queue itself. Drain panics if f is nil.
func (q *UnboundedMPSC[T]) Drain(limit int, f func(T)) (n int) {
	checkCallback("Drain", f == nil)
	q.enter("consumer")
	defer q.leave()
	for n < limit && q.ready() {
		v := q.take()
		q.account(1)
		n++
		f(v)
	}
	return n
}

// All returns an iterator that takes elements until TryDequeue finds nothing. An
// element for which the loop's body was entered has left the queue. The body may
// call methods of the consumer.
func (q *UnboundedMPSC[T]) All() iter.Seq[T] { return iterate(q.TryDequeue) }

// Len returns how many elements are in the queue, those that are still being added
// included.
func (q *UnboundedMPSC[T]) Len() int { return distance(q.taken.Load, q.tail, noBound) }

// IsEmpty reports whether Len is 0.
func (q *UnboundedMPSC[T]) IsEmpty() bool { return q.Len() == 0 }

// Dequeued returns how many elements have been taken since the queue was made.
func (q *UnboundedMPSC[T]) Dequeued() uint64 { return q.taken.Load() - q.first }
