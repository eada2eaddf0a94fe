package queue

import (
	"fmt"
	"sync/atomic"

	"github.com/tarebench/tare/internal/base/cacheline"
)

// A BufferedProducer publishes elements in batches, as bufio.Writer writes bytes. It
// is for queues with one producer. An element costs a fraction of what it costs
// without a buffer. [BufferedConsumer] is its counterpart.
//
// Elements become visible to the consumer when the batch is complete, when the queue
// is full, by Flush and Close, and at once if the consumer has found the queue empty
// before the producer's call. If the consumer finds the queue empty later, buffered
// elements stay invisible until the producer's next call: call Flush before a pause.
//
// All methods are wait-free, and only for the producer's goroutine. That goroutine
// may also call the queue's own methods; those that add publish everything, also
// when they find the queue full.
//
// The queue lends it the slots up to the end of a batch, and has no room itself
// meanwhile: its own methods take them back first.
type BufferedProducer[T any] struct {
	_         noCopy
	p         *chainProducer[T]
	q         slotLender[T]
	published *atomic.Uint64 // the queue's
	every     uint64
	room      uint64 // what p.room was before slots were lent
	closed    bool

	// What follows is used for each element, and is in other cache lines than what
	// lies before and behind in memory.
	free    []T            // slots that were lent, for the next elements
	filled  uint           // how many of these have one
	sent    uint64         // positions before this one are visible
	emptyAt *atomic.Uint64 // the queue's
	_       cacheline.Line
}

// A slotLender is a queue with one producer.
type slotLender[T any] interface {
	findRoom() bool
	lendFree(*BufferedProducer[T])
}

// noCopy makes go vet report copies.
type noCopy struct{}

func (*noCopy) Lock()   {}
func (*noCopy) Unlock() {}

// Buffered returns a producer that publishes elements in batches of the given size,
// 32 for example. It panics if the size is less than 1. A queue may have one
// BufferedProducer at a time.
func (q *chain[T, P]) Buffered(every int) *BufferedProducer[T] {
	if every < 1 {
		panic(fmt.Sprintf("queue: Buffered: every %d elements, want 1 or more", every))
	}
	q.takeBackFree()
	b := &BufferedProducer[T]{
		p: &q.p, q: q, published: &q.published, emptyAt: &q.emptyAt,
		every: uint64(every), sent: q.published.Load(),
	}
	q.producer.Store(b)
	return b
}

// TryEnqueue adds an element at the end. It returns false after Close, and when the
// queue's own TryEnqueue would.
func (b *BufferedProducer[T]) TryEnqueue(v T) bool {
	if checksRoles {
		b.p.enter("producer")
		defer b.p.leave()
	}
	n, free := b.filled, b.free
	if n >= uint(len(free)) {
		if !b.borrow() {
			return false
		}
		n, free = 0, b.free
	}
	free[n] = v
	n++
	b.filled = n
	if n == uint(len(free)) || before(b.sent, b.emptyAt.Load()) {
		b.settle()
	}
	return true
}

// borrow gets slots from the queue. If there are none, it publishes all elements and
// returns false.
func (b *BufferedProducer[T]) borrow() bool {
	if b.closed || b.p.tail == b.p.room && !b.q.findRoom() {
		b.publish()
		return false
	}
	b.q.lendFree(b)
	return true
}

// settle gives the slots back if all are filled, and publishes the elements if the
// batch is complete or the consumer waits for one.
func (b *BufferedProducer[T]) settle() {
	if b.filled == uint(len(b.free)) {
		b.giveBack()
	}
	if b.tail()-b.sent >= b.every || before(b.sent, b.emptyAt.Load()) {
		b.publish()
	}
}

// giveBack returns the slots to the queue, if there are any.
func (b *BufferedProducer[T]) giveBack() {
	if len(b.free) != 0 {
		b.p.tail, b.p.room = b.tail(), b.room
		b.free, b.filled = nil, 0
	}
}

// tail returns the position of the next element.
func (b *BufferedProducer[T]) tail() uint64 { return b.p.tail + uint64(b.filled) }

// publish makes all elements visible to the consumer.
func (b *BufferedProducer[T]) publish() {
	if t := b.tail(); b.sent != t {
		b.sent = t
		b.published.Store(t)
	}
}

// Hidden returns how many elements are in the queue but not visible.
func (b *BufferedProducer[T]) Hidden() int { return int(b.tail() - b.published.Load()) }

// Flush makes all elements visible.
func (b *BufferedProducer[T]) Flush() {
	b.p.enter("producer")
	b.publish()
	b.p.leave()
}

// Close makes all elements visible. TryEnqueue of the BufferedProducer returns false
// from then on. The queue itself stays open.
func (b *BufferedProducer[T]) Close() {
	b.p.enter("producer")
	b.giveBack()
	b.publish()
	b.closed = true
	b.p.leave()
}

// lendFree lends the free slots from tail on, of which there must be one: as many as
// lie beside each other, and no more than the batch needs.
func (q *chain[T, P]) lendFree(b *BufferedProducer[T]) {
	if q.producer.Load() != b {
		q.producer.Store(b)
	}
	p := &q.p
	b.sent = q.published.Load()
	hidden := p.tail - b.sent
	i := p.tail & uint64(len(p.slots)-1)
	n := min(p.room-p.tail, uint64(len(p.slots))-i, b.every-min(hidden, b.every-1))
	b.free, b.filled = p.slots[i:i+n], 0
	b.room, p.room = p.room, p.tail
}

// takeBackFree takes back what was lent to a BufferedProducer. It reports whether
// there was anything, and the producer now has room.
func (q *chain[T, P]) takeBackFree() bool {
	b := q.producer.Load()
	if b == nil || len(b.free) == 0 {
		return false
	}
	b.giveBack()
	return q.p.tail != q.p.room
}
