package queue

import (
	"iter"
	"runtime"
	"sync/atomic"

	"github.com/tarebench/tare/internal/base/cacheline"
)

// An UnboundedMPMC is a queue without bound for many producers and many consumers: a
// list of chunks. A chunk is allocated for 1024 elements and is not used again,
// because a slow goroutine may still access it. Any goroutine may call any method.
//
// Adding is lock-free, in control and in progress: an interrupted producer does not
// stop others, but at the end of a chunk a slow producer may be overtaken any number
// of times. Taking is lock-free in control; in progress it is blocking: a producer
// that was interrupted between claiming its slot and filling it (a bubble) hides the
// elements behind it from the consumers. An interrupted consumer stops no other goroutine.
//
// TryEnqueue always succeeds. TryDequeue is weak: it may find nothing when the queue is
// not empty, if the first element is a bubble. TryDequeueStrict waits for the bubble.
//
// Memory: an element takes its own size and 4 bytes, rounded up to the alignment of
// T, in chunks of 1024, at least one; the queue about 0.8 KiB besides. A goroutine that
// was interrupted in a call keeps the chunks from the one that it was in onwards from
// being freed, but not what their elements refer to.
type UnboundedMPMC[T any] struct {
	chunkList[T]
	head   atomic.Pointer[chunk[T]] // where consumers take, or one before it
	_      cacheline.Line
	clears bool
}

// NewUnboundedMPMC returns an empty queue.
func NewUnboundedMPMC[T any]() *UnboundedMPMC[T] { return newUnboundedMPMC[T](chunkSize, 0) }

func newUnboundedMPMC[T any](size uint32, origin uint64) *UnboundedMPMC[T] {
	q := &UnboundedMPMC[T]{clears: holdsPointers[T]()}
	q.head.Store(q.chunkList.init(size, origin))
	return q
}

// claim claims up to want elements that lie one behind the other in a chunk, and
// returns the chunk, the index of the first and their number. It returns 0 if the
// queue is empty or the first element is a bubble.
//
// The consumers' index of a chunk and the limit before which slots are known to be
// filled are two halves of one word, so that one exchange moves both. An exchange fails
// only if another consumer has claimed an element.
func (q *UnboundedMPMC[T]) claim(want int) (c *chunk[T], index, n uint32) {
	for want > 0 {
		c = q.head.Load()
		word := c.taken.Load()
		index, limit := uint32(word>>32), uint32(word)
		if index == q.size {
			next := c.next.Load()
			if next == nil {
				break
			}
			q.head.CompareAndSwap(c, next)
			continue
		}
		most := uint32(min(uint64(want), uint64(q.size-index)))
		limit = c.filled(limit, index+most)
		if limit == index {
			break // this slot was not filled yet, so no consumer has passed it
		}
		n = min(most, limit-index)
		if c.taken.CompareAndSwap(word, uint64(index+n)<<32|uint64(limit)) {
			return c, index, n
		}
	}
	return c, 0, 0
}

// filled returns an index before which all slots are filled: at least from, where a
// run begins, and enough if there are so many.
func (c *chunk[T]) filled(from, enough uint32) uint32 {
	for from < enough {
		run := c.slots[from].run.Load()
		if run == 0 {
			break
		}
		from += run
	}
	return from
}

// read takes the element of a slot that was claimed.
func (q *UnboundedMPMC[T]) read(c *chunk[T], index uint32) T {
	s := &c.slots[index]
	v := s.v
	if q.clears {
		var zero T
		s.v = zero
	}
	return v
}

// TryDequeue takes the first element. It returns false if the queue is empty, or if
// the first element is still being added.
func (q *UnboundedMPMC[T]) TryDequeue() (v T, ok bool) {
	c, index, n := q.claim(1)
	if n == 0 {
		return v, false
	}
	return q.read(c, index), true
}

// TryDequeueStrict takes the first element. It returns false if and only if the
// queue is empty; it waits for a producer that is still adding the first element.
func (q *UnboundedMPMC[T]) TryDequeueStrict() (v T, ok bool) {
	for {
		if v, ok = q.TryDequeue(); ok {
			return v, true
		}
		// The position of the first element is read before the tail. If the tail is
		// no further, the queue was empty when the position was read.
		if taken := q.position(); taken == q.tail() {
			return v, false
		}
		runtime.Gosched()
	}
}

// TryDequeueBatch moves up to len(dst) elements into dst and returns how many; it
// stops at one that is still being added. Elements of one chunk are claimed together,
// by one atomic operation. Where a batch continues in another chunk, other consumers
// may take elements between.
func (q *UnboundedMPMC[T]) TryDequeueBatch(dst []T) (n int) {
	for n < len(dst) {
		c, index, m := q.claim(len(dst) - n)
		if m == 0 {
			break
		}
		for i := range m {
			dst[n] = q.read(c, index+i)
			n++
		}
	}
	return n
}

// Drain hands up to limit elements to f and returns how many. It ends early when
// TryDequeue finds nothing. Elements are taken one by one, so that none is lost if f
// panics. Drain panics if f is nil.
func (q *UnboundedMPMC[T]) Drain(limit int, f func(T)) int {
	checkCallback("Drain", f == nil)
	return drainWith(limit, q.TryDequeue, f)
}

// All returns an iterator that takes elements until TryDequeue finds nothing. An
// element for which the loop's body was entered has left the queue.
func (q *UnboundedMPMC[T]) All() iter.Seq[T] { return iterate(q.TryDequeue) }

// position returns the position of the first element. While a consumer moves to the
// next chunk it is that of the end of the chunk before, which is the same.
func (q *UnboundedMPMC[T]) position() uint64 {
	c := q.head.Load()
	return c.start + c.taken.Load()>>32
}

// Len returns how many elements are in the queue. It includes elements that are still
// being added and excludes those that are being taken.
func (q *UnboundedMPMC[T]) Len() int { return distance(q.position, q.tail, noBound) }

// IsEmpty reports whether Len is 0.
func (q *UnboundedMPMC[T]) IsEmpty() bool { return q.Len() == 0 }

// Dequeued returns how many elements have been taken since the queue was made.
func (q *UnboundedMPMC[T]) Dequeued() uint64 { return q.position() - q.first }
