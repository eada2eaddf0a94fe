package queue

import (
	"iter"
	"runtime"
	"sync/atomic"

	"github.com/tarebench/tare/internal/base/cacheline"
)

// A LinkedMPSC is a queue without bound for many producers and one consumer: a list
// with one node per element. It takes little memory while it is short, and adding
// never waits, but each element is an allocation and work for the garbage collector.
// [UnboundedMPSC] costs less at a high throughput.
//
// Any goroutine may call the methods that add; one goroutine at a time those that
// take. Len, Cap, IsEmpty, Enqueued and Dequeued are for all.
//
// Adding is wait-free, in control and in progress, but for the allocation. Taking
// is blocking: a producer that was interrupted between its two steps (a bubble)
// hides the elements behind it from the consumer, and TryDequeue waits for it.
//
// TryEnqueue always succeeds. TryDequeue is strict.
//
// Memory: an element takes its own size and 8 bytes, rounded up to what the
// allocator has, and the queue one node more than it has elements, and about
// 0.6 KiB besides.
//
// The list is Dmitry Vyukov's non-intrusive MPSC queue (1024cores.net). His reports
// empty at a bubble, even if the elements behind it are complete; this one compares
// with the tail, which distinguishes a bubble from the end.
type LinkedMPSC[T any] struct {
	_     cacheline.Line
	added atomic.Uint64
	tail  atomic.Pointer[node[T]] // the last node
	_     cacheline.Line
	role
	head   *node[T] // the node before the first element
	clears bool
	_      cacheline.Line
	taken  atomic.Uint64
	_      cacheline.Line
	first  uint64
}

type node[T any] struct {
	next atomic.Pointer[node[T]]
	v    T
}

// NewLinkedMPSC returns an empty queue.
func NewLinkedMPSC[T any]() *LinkedMPSC[T] { return newLinkedMPSC[T](0) }

func newLinkedMPSC[T any](origin uint64) *LinkedMPSC[T] {
	n := new(node[T])
	q := &LinkedMPSC[T]{head: n, first: origin, clears: holdsPointers[T]()}
	q.tail.Store(n)
	q.added.Store(origin)
	q.taken.Store(origin)
	return q
}

// TryEnqueue adds an element at the end and returns true.
func (q *LinkedMPSC[T]) TryEnqueue(v T) bool {
	n := &node[T]{v: v}
	q.link(n, n, 1)
	return true
}

// TryEnqueueBatch adds all elements, one behind the other, and returns their number.
// They become visible together. The cost is that of one element and the allocations.
func (q *LinkedMPSC[T]) TryEnqueueBatch(vs []T) int {
	if len(vs) == 0 {
		return 0
	}
	first := &node[T]{v: vs[0]}
	last := first
	for _, v := range vs[1:] {
		n := &node[T]{v: v}
		last.next.Store(n)
		last = n
	}
	q.link(first, last, len(vs))
	return len(vs)
}

// Fill adds up to limit elements that f returns, and returns how many. They lie one
// behind the other and become visible together when Fill returns, also if f panics. f
// may call all methods of the queue. Fill panics if f is nil.
func (q *LinkedMPSC[T]) Fill(limit int, f func() T) (n int) {
	checkCallback("Fill", f == nil)
	var first, last *node[T]
	defer func() {
		if n > 0 {
			q.link(first, last, n)
		}
	}()
	for ; n < limit; n++ {
		added := &node[T]{v: f()}
		if n == 0 {
			first = added
		} else {
			last.next.Store(added)
		}
		last = added
	}
	return n
}

// link appends a list of n nodes. Between Swap and Store the list is interrupted: the
// new tail cannot be reached from the head.
func (q *LinkedMPSC[T]) link(first, last *node[T], n int) {
	q.added.Add(uint64(n))
	q.tail.Swap(last).next.Store(first)
}

// second returns the node of the first element, or nil if the queue is empty. It
// waits at a bubble.
func (q *LinkedMPSC[T]) second() *node[T] {
	for {
		if n := q.head.next.Load(); n != nil {
			return n
		}
		if q.tail.Load() == q.head {
			return nil
		}
		runtime.Gosched() // a producer is between the two steps of link
	}
}

// TryDequeue takes the first element. It returns false if and only if the queue is
// empty; it waits for a producer that is still adding the first element.
func (q *LinkedMPSC[T]) TryDequeue() (v T, ok bool) {
	q.enter("consumer")
	v, ok = q.take()
	q.leave()
	return v, ok
}

func (q *LinkedMPSC[T]) take() (v T, ok bool) {
	n := q.second()
	if n == nil {
		return v, false
	}
	v = n.v
	if q.clears {
		var zero T
		n.v = zero // the node stays, as the one before the first
	}
	q.head = n
	q.taken.Store(q.taken.Load() + 1)
	return v, true
}

// Peek returns the first element and leaves it in the queue. It returns false if and
// only if the queue is empty. Peek is for the consumer.
func (q *LinkedMPSC[T]) Peek() (v T, ok bool) {
	q.enter("consumer")
	if n := q.second(); n != nil {
		v, ok = n.v, true
	}
	q.leave()
	return v, ok
}

// TryDequeueBatch moves up to len(dst) elements into dst and returns how many.
func (q *LinkedMPSC[T]) TryDequeueBatch(dst []T) (n int) {
	q.enter("consumer")
	for ; n < len(dst); n++ {
		v, ok := q.take()
		if !ok {
			break
		}
		dst[n] = v
	}
	q.leave()
	return n
}

// Drain hands up to limit elements to f, from the first on, and returns how many.
// It ends early when the queue is empty. Each element has left the queue when f
// gets it, also if f panics. f must not take from the queue itself. Drain panics
// if f is nil.
func (q *LinkedMPSC[T]) Drain(limit int, f func(T)) (n int) {
	checkCallback("Drain", f == nil)
	q.enter("consumer")
	defer q.leave()
	for n < limit {
		v, ok := q.take()
		if !ok {
			break
		}
		n++
		f(v)
	}
	return n
}

// All returns an iterator that takes elements until the queue is empty. An element
// for which the loop's body was entered has left the queue. The body may call
// methods of the consumer.
func (q *LinkedMPSC[T]) All() iter.Seq[T] { return iterate(q.TryDequeue) }

// Len returns how many elements are in the queue, those that are still being added
// included.
func (q *LinkedMPSC[T]) Len() int { return distance(q.taken.Load, q.added.Load, noBound) }

// Cap returns -1: the queue has no bound.
func (q *LinkedMPSC[T]) Cap() int { return -1 }

// IsEmpty reports whether Len is 0.
func (q *LinkedMPSC[T]) IsEmpty() bool { return q.taken.Load() == q.added.Load() }

// Enqueued returns how many elements have been added since the queue was made.
func (q *LinkedMPSC[T]) Enqueued() uint64 { return q.added.Load() - q.first }

// Dequeued returns how many elements have been taken since the queue was made.
func (q *LinkedMPSC[T]) Dequeued() uint64 { return q.taken.Load() - q.first }
