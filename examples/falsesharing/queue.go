package main

import "sync/atomic"

// queue is a bounded queue for one producer and one consumer.
type queue interface {
	Offer(item int) bool // item is 0 or more; false: the queue is full
	Poll() (int, bool)   // false: it is empty
}

// capacity is that of the queues, a power of two.
const capacity = 1 << 10

// line is more than a cache line: processors fetch them in pairs.
type line [128]byte

// slots hold the items of a queue in which neither side reads the other's index: an empty slot holds 0. It is what
// JCTools' SpscArrayQueue does (after FastForward, Giacomoni et al., PPoPP 2008), the queue of the article.
type slots []atomic.Int64

// index is where a side goes on. No other goroutine reads or writes it.
type index struct{ at uint64 }

// offer puts an item, 0 or more, into the producer's next slot.
func (s slots) offer(producer *index, item int) bool {
	slot := &s[producer.at%capacity]
	if slot.Load() != 0 {
		return false
	}
	slot.Store(int64(item) + 1)
	producer.at++
	return true
}

// poll takes the item out of the consumer's next slot.
func (s slots) poll(consumer *index) (int, bool) {
	slot := &s[consumer.at%capacity]
	item := slot.Load()
	if item == 0 {
		return 0, false
	}
	slot.Store(0)
	consumer.at++
	return int(item) - 1, true
}
