package queue

import "fmt"

// A BufferedProducer is a producer's end of a queue with one producer that adds
// elements at once but makes them visible several at a time, as bufio.Writer does
// with bytes: an element costs a small part of what it costs otherwise.
//
// Elements become visible when there are as many as was asked for, when the queue is
// full, by Flush and Close, and at once if the consumer is seen to have found the
// queue empty. If the consumer finds it empty after the producer's last look, what
// was enqueued stays invisible until the producer's next call: call Flush before
// doing something else for long.
//
// All methods are for the goroutine that is the producer, and wait-free. It may call
// the queue's own methods too: those that add make everything visible, also when
// they find the queue full.
type BufferedProducer[T any] struct {
	_      noCopy
	q      *chain[T]
	every  uint64
	sent   uint64 // positions before this one are visible
	closed bool
}

// noCopy has go vet complain about copies.
type noCopy struct{}

func (*noCopy) Lock()   {}
func (*noCopy) Unlock() {}

// Buffered returns a producer's end that makes elements visible after every so many,
// 32 for example. It panics if that is less than 1. The producer may have one such
// end at a time.
func (q *chain[T]) Buffered(every int) *BufferedProducer[T] {
	if every < 1 {
		panic(fmt.Sprintf("queue: Buffered: every %d elements, want 1 or more", every))
	}
	q.buffered.Store(true)
	return &BufferedProducer[T]{q: q, every: uint64(every), sent: q.published.Load()}
}

// TryEnqueue adds an element at the end. It returns false if the queue is full, and
// then may be wrong only as the queue's own TryEnqueue, or after Close.
func (b *BufferedProducer[T]) TryEnqueue(v T) bool {
	p := &b.q.p
	p.enter("producer")
	t := p.tail
	if b.closed || t == p.room && !b.q.findRoom() {
		b.publish()
		p.leave()
		return false
	}
	p.slots[t&p.mask] = v
	p.tail = t + 1
	if t+1-b.sent >= b.every || before(b.sent, b.q.hungry.Load()) {
		b.publish()
	}
	p.leave()
	return true
}

// publish makes visible what is not.
func (b *BufferedProducer[T]) publish() {
	if t := b.q.p.tail; b.sent != t {
		b.sent = t
		b.q.published.Store(t)
	}
}

// Hidden returns how many elements are in the queue but not visible.
func (b *BufferedProducer[T]) Hidden() int { return int(b.q.p.tail - b.q.published.Load()) }

// Flush makes all elements visible.
func (b *BufferedProducer[T]) Flush() {
	b.q.p.enter("producer")
	b.publish()
	b.q.p.leave()
}

// Close makes all elements visible; TryEnqueue of this end returns false from then
// on. The queue itself stays open.
func (b *BufferedProducer[T]) Close() {
	b.Flush()
	b.closed = true
}
