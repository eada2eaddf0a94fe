package queue

import "github.com/tarebench/tare/internal/base/cacheline"

// A BufferedConsumer takes elements one by one and counts them in batches. It is for
// queues with one consumer. It stores no index for each element, as the queue's own
// TryDequeue does, which is an exchange on amd64. For elements that come one by one,
// as in a round trip, TryDequeue is faster. [BufferedProducer] is its counterpart.
//
// It publishes room as the queue's own TryDequeue does: every Cap/8 elements, 64 at
// most, and when it finds no element. Until then Len, IsEmpty and Dequeued count
// the elements as not taken, and TryEnqueueStrict does not find their room. All are
// exact when TryDequeue has returned false, and after a call of one of the queue's own
// methods that take.
//
// All methods are wait-free, and only for the consumer's goroutine. That goroutine
// may also call the queue's own methods.
//
// The queue lends it filled slots, and has no element itself meanwhile: its own
// methods take them back first.
type BufferedConsumer[T any] struct {
	_     noCopy
	c     *chainConsumer[T]
	q     elementFinder
	limit uint64 // what c.limit was before slots were lent
	_     [4]uint64

	// What follows is used for each element, and is in other cache lines than what
	// lies before and behind in memory.
	filled []T  // slots that were lent, with the next elements
	taken  uint // how many of these are empty again
	clears bool
	_      cacheline.Line
}

// An elementFinder is a queue with one consumer.
type elementFinder interface {
	findElements() bool
	publishTaken()
}

// BufferedConsumer returns a consumer that counts elements in batches. A queue may
// have one BufferedConsumer at a time.
func (q *chain[T, P]) BufferedConsumer() *BufferedConsumer[T] {
	q.c.takeBack()
	b := &BufferedConsumer[T]{c: &q.c, q: q, clears: q.c.clears}
	q.c.buffered = b
	return b
}

// TryDequeue takes the first element. It returns false if and only if the queue is
// empty.
func (b *BufferedConsumer[T]) TryDequeue() (v T, ok bool) {
	if checksRoles {
		b.c.enter("consumer")
		defer b.c.leave()
	}
	n, filled := b.taken, b.filled
	if n >= uint(len(filled)) {
		if !b.borrow() {
			return v, false
		}
		n, filled = 0, b.filled
	}
	slot := &filled[n]
	v = *slot
	if b.clears {
		var zero T
		*slot = zero
	}
	n++
	b.taken = n
	if n == uint(len(filled)) {
		b.settle()
	}
	return v, true
}

// borrow gets slots with elements from the queue: as many as lie beside each other, and
// no more than are taken before room is published. It returns false if there are none.
func (b *BufferedConsumer[T]) borrow() bool {
	c := b.c
	if c.head == c.limit && !b.q.findElements() {
		return false
	}
	i := c.head & uint64(len(c.slots)-1)
	n := min(c.limit-c.head, uint64(len(c.slots))-i, c.publishEvery-(c.head-c.accounted))
	b.filled, b.taken = c.slots[i:i+n], 0
	b.limit, c.limit = c.limit, c.head
	c.buffered = b
	return true
}

// settle gives the slots back and publishes the room if that is due.
func (b *BufferedConsumer[T]) settle() {
	b.giveBack()
	if b.c.head-b.c.accounted >= b.c.publishEvery {
		b.q.publishTaken()
	}
}

// giveBack returns the slots to the queue.
func (b *BufferedConsumer[T]) giveBack() {
	b.c.head, b.c.limit = b.c.head+uint64(b.taken), b.limit
	b.filled, b.taken = nil, 0
}

// takeBack takes back what was lent to a BufferedConsumer. It reports whether an
// element is among that.
func (c *chainConsumer[T]) takeBack() bool {
	b := c.buffered
	if b == nil || len(b.filled) == 0 {
		return false
	}
	b.giveBack()
	return c.head != c.limit
}
