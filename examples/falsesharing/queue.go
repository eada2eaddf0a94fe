package main

import "sync/atomic"

// queue is a bounded queue for one producer and one consumer.
type queue interface {
	Offer(item int) bool // false: it is full
	Poll() (int, bool)   // false: it is empty
}

// capacity is that of the queues, a power of two.
const capacity = 1 << 10

// ring is what both sides read at each call and never write.
type ring struct {
	items []int
}

// side is what one side writes: its position, and the other's position when it was last
// read. It reads the other's position only when it seems to have caught up.
type side struct {
	at    atomic.Uint64
	other uint64
}

func (r *ring) offer(producer, consumer *side, item int) bool {
	at := producer.at.Load()
	if at-producer.other == capacity {
		if producer.other = consumer.at.Load(); at-producer.other == capacity {
			return false
		}
	}
	r.items[at%capacity] = item
	producer.at.Store(at + 1)
	return true
}

func (r *ring) poll(consumer, producer *side) (int, bool) {
	at := consumer.at.Load()
	if at == consumer.other {
		if consumer.other = producer.at.Load(); at == consumer.other {
			return 0, false
		}
	}
	item := r.items[at%capacity]
	consumer.at.Store(at + 1)
	return item, true
}

// dense has all fields in one or two cache lines. A side that writes its index takes
// the line from the other side, which needs only the address of the items in it.
type dense struct {
	ring
	producer side
	consumer side
}

func newDense() *dense { return &dense{ring: ring{make([]int, capacity)}} }

func (q *dense) Offer(item int) bool { return q.offer(&q.producer, &q.consumer, item) }

func (q *dense) Poll() (int, bool) { return q.poll(&q.consumer, &q.producer) }

// line is more than a cache line: processors fetch them in pairs.
type line [128]byte

// padded is the same with lines between what different sides write.
type padded struct {
	_ line
	ring
	_        line
	producer side
	_        line
	consumer side
	_        line
}

func newPadded() *padded { return &padded{ring: ring{make([]int, capacity)}} }

func (q *padded) Offer(item int) bool { return q.offer(&q.producer, &q.consumer, item) }

func (q *padded) Poll() (int, bool) { return q.poll(&q.consumer, &q.producer) }
