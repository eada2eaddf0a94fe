package queuetest

import (
	"iter"
	"math"
)

// methods are the methods of a queue; those that it lacks are nil.
type methods[T any] struct {
	enqueue, enqueueStrict func(T) bool
	dequeue, dequeueStrict func() (T, bool)
	peek                   func() (T, bool)
	enqueueBatch           func([]T) int
	dequeueBatch           func([]T) int
	fill                   func(limit int, f func() T) int
	drain                  func(limit int, f func(T)) int
	all                    func() iter.Seq[T]
	size, capacity         func() int
	empty                  func() bool
	enqueued, dequeued     func() uint64
	flush                  func()
	waits                  waits[T]
}

// find returns the methods of a queue, found by assertion.
func find[T any](q Queue[T]) methods[T] {
	m := methods[T]{enqueue: q.TryEnqueue, dequeue: q.TryDequeue}
	if q, ok := q.(interface{ TryEnqueueStrict(T) bool }); ok {
		m.enqueueStrict = q.TryEnqueueStrict
	}
	if q, ok := q.(interface{ TryDequeueStrict() (T, bool) }); ok {
		m.dequeueStrict = q.TryDequeueStrict
	}
	if q, ok := q.(interface{ Peek() (T, bool) }); ok {
		m.peek = q.Peek
	}
	if q, ok := q.(interface{ TryEnqueueBatch([]T) int }); ok {
		m.enqueueBatch = q.TryEnqueueBatch
	}
	if q, ok := q.(interface{ TryDequeueBatch([]T) int }); ok {
		m.dequeueBatch = q.TryDequeueBatch
	}
	if q, ok := q.(interface{ Fill(int, func() T) int }); ok {
		m.fill = q.Fill
	}
	if q, ok := q.(interface{ Drain(int, func(T)) int }); ok {
		m.drain = q.Drain
	}
	if q, ok := q.(interface{ All() iter.Seq[T] }); ok {
		m.all = q.All
	}
	findSizes(q, &m)
	m.waits = findWaits(q)
	return m
}

// findSizes finds the methods that only report sizes.
func findSizes[T any](q Queue[T], m *methods[T]) {
	if q, ok := q.(interface{ Len() int }); ok {
		m.size = q.Len
	}
	if q, ok := q.(interface{ Cap() int }); ok {
		m.capacity = q.Cap
	}
	if q, ok := q.(interface{ IsEmpty() bool }); ok {
		m.empty = q.IsEmpty
	}
	if q, ok := q.(interface{ Enqueued() uint64 }); ok {
		m.enqueued = q.Enqueued
	}
	if q, ok := q.(interface{ Dequeued() uint64 }); ok {
		m.dequeued = q.Dequeued
	}
	if q, ok := q.(interface{ Flush() }); ok {
		m.flush = q.Flush
	}
}

// unbounded is the capacity of a queue without a limit.
const unbounded = math.MaxInt

// holds returns how many elements the queue takes: Cap, or the requested capacity
// without Cap. A negative Cap means no limit.
func (m methods[T]) holds(asked int) int {
	if m.capacity == nil {
		return asked
	}
	if n := m.capacity(); n >= 0 {
		return n
	}
	return unbounded
}

// publish calls Flush if the queue has it.
func (m methods[T]) publish() {
	if m.flush != nil {
		m.flush()
	}
}
