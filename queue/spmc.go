package queue

import (
	"iter"
	"runtime"
	"sync/atomic"

	"github.com/tarebench/tare/internal/base/cacheline"
)

// An SPMC is a bounded queue for one producer and many consumers.
//
// One goroutine at a time may call the methods that add, any goroutine those that
// take. Len, Cap, IsEmpty, Enqueued and Dequeued are for all.
//
// Taking is lock-free, in control and in progress. Adding is wait-free in control;
// in progress it is blocking: the producer cannot use a slot again while a consumer
// is interrupted between claiming and reading its element.
//
// TryDequeue is strict. TryEnqueue is weak: it may fail when the queue is not full,
// if a consumer still reads the element of a lap before. TryEnqueueStrict waits for
// it, which makes it blocking in control too.
//
// Memory: an element takes its own size and 8 bytes, which are doubled until they are
// at least 128 in queues of up to 2048 elements, or 64 in those of up to 4096; the queue
// about 0.9 KiB besides.
type SPMC[T any] struct {
	_         cacheline.Line
	slots     []freeSlot[T]
	mask      uint64
	shift     uint
	size      uint64
	first     uint64 // the first position
	clears    bool
	_         cacheline.Line
	p         spmcProducer
	_         cacheline.Line
	published atomic.Uint64 // positions before this one are filled
	_         cacheline.Line
	limit     atomic.Uint64 // the value of published that a consumer read last
	_         cacheline.Line
	head      atomic.Uint64 // the next position that a consumer claims
	_         cacheline.Line
}

type spmcProducer struct {
	role
	tail uint64 // the next position
}

// A freeSlot may be filled for the position free.
type freeSlot[T any] struct {
	free atomic.Uint64
	v    T
}

// NewSPMC returns an empty queue. The capacity is rounded up to a power of two, at
// least 2; NewSPMC panics if it is not from 1 to 1<<30.
func NewSPMC[T any](capacity int) *SPMC[T] {
	return newSPMC[T](roundCapacity("NewSPMC", capacity), 0)
}

func newSPMC[T any](size, origin uint64) *SPMC[T] {
	q := &SPMC[T]{mask: size - 1, size: size, first: origin, clears: holdsPointers[T]()}
	q.shift = padShift(slotBytes[freeSlot[T]](), size)
	q.slots = make([]freeSlot[T], size<<q.shift)
	for p := origin; p != origin+size; p++ {
		q.slot(p).free.Store(p)
	}
	q.p.tail = origin
	q.published.Store(origin)
	q.limit.Store(origin)
	q.head.Store(origin)
	return q
}

func (q *SPMC[T]) slot(position uint64) *freeSlot[T] {
	return &q.slots[(position&q.mask)<<q.shift]
}

// put fills the next slot, if it is free, and does not publish it.
func (q *SPMC[T]) put(v T) bool {
	s := q.slot(q.p.tail)
	if s.free.Load() != q.p.tail {
		return false
	}
	s.v = v
	q.p.tail++
	return true
}

// TryEnqueue adds an element at the end. It returns false if the queue is full, or
// if a consumer still reads what was in the slot.
func (q *SPMC[T]) TryEnqueue(v T) bool {
	q.p.enter("producer")
	ok := q.put(v)
	if ok {
		q.published.Store(q.p.tail)
	}
	q.p.leave()
	return ok
}

// TryEnqueueStrict adds an element at the end. It returns false if and only if the
// queue is full; it waits for a consumer that still reads what was in the slot.
func (q *SPMC[T]) TryEnqueueStrict(v T) bool {
	q.p.enter("producer")
	defer q.p.leave()
	for !q.put(v) {
		if q.p.tail-q.head.Load() >= q.size {
			return false
		}
		runtime.Gosched()
	}
	q.published.Store(q.p.tail)
	return true
}

// TryEnqueueBatch adds as many of the elements as there are free slots for, from the
// first on, and returns how many. They become visible together, by one atomic store.
func (q *SPMC[T]) TryEnqueueBatch(vs []T) (n int) {
	q.p.enter("producer")
	for n < len(vs) && q.put(vs[n]) {
		n++
	}
	if n > 0 {
		q.published.Store(q.p.tail)
	}
	q.p.leave()
	return n
}

// Fill adds up to limit elements that f returns, and returns how many. f is called
// only when there is a free slot for its element, and must not add to the queue
// itself. The elements become visible together when Fill returns, also if f panics.
// Fill panics if f is nil.
func (q *SPMC[T]) Fill(limit int, f func() T) (n int) {
	checkCallback("Fill", f == nil)
	q.p.enter("producer")
	defer func() {
		if n > 0 {
			q.published.Store(q.p.tail)
		}
		q.p.leave()
	}()
	for n < limit {
		s := q.slot(q.p.tail)
		if s.free.Load() != q.p.tail {
			break
		}
		s.v = f()
		q.p.tail++
		n++
	}
	return n
}

// claim reserves up to want positions for the caller to read, and returns the first
// and their number.
func (q *SPMC[T]) claim(want uint64) (h, n uint64) {
	for {
		h = q.head.Load()
		limit := q.limit.Load()
		if !before(h, limit) || limit-h < want {
			limit = q.published.Load()
			if !before(h, limit) {
				return h, 0
			}
			q.limit.Store(limit) // may be less than another goroutine has just stored, which then reads it again
		}
		n = min(want, limit-h)
		if q.head.CompareAndSwap(h, h+n) {
			return h, n
		}
	}
}

// read takes the element at a position that was claimed, and frees the slot.
func (q *SPMC[T]) read(position uint64) T {
	s := q.slot(position)
	v := s.v
	if q.clears {
		var zero T
		s.v = zero
	}
	s.free.Store(position + q.size)
	return v
}

// TryDequeue takes the first element. It returns false if and only if the queue is
// empty.
func (q *SPMC[T]) TryDequeue() (v T, ok bool) {
	h, n := q.claim(1)
	if n == 0 {
		return v, false
	}
	return q.read(h), true
}

// TryDequeueBatch moves up to len(dst) elements into dst, neighbours in the queue,
// and returns how many.
func (q *SPMC[T]) TryDequeueBatch(dst []T) int {
	if len(dst) == 0 {
		return 0
	}
	h, n := q.claim(uint64(len(dst)))
	for i := range n {
		dst[i] = q.read(h + i)
	}
	return int(n)
}

// Drain hands up to limit elements to f and returns how many. It ends early when the
// queue is empty. Elements are taken one by one, so that none is lost if f panics.
// Drain panics if f is nil.
func (q *SPMC[T]) Drain(limit int, f func(T)) int {
	checkCallback("Drain", f == nil)
	return drainWith(limit, q.TryDequeue, f)
}

// All returns an iterator that takes elements until the queue is empty. An element
// for which the loop's body was entered has left the queue.
func (q *SPMC[T]) All() iter.Seq[T] { return iterate(q.TryDequeue) }

// Len returns how many elements are in the queue, from 0 to Cap.
func (q *SPMC[T]) Len() int { return distance(q.head.Load, q.published.Load, q.size) }

// Cap returns how many elements the queue holds at most.
func (q *SPMC[T]) Cap() int { return int(q.size) }

// IsEmpty reports whether Len is 0.
func (q *SPMC[T]) IsEmpty() bool { return q.head.Load() == q.published.Load() }

// Enqueued returns how many elements have been added since the queue was made.
func (q *SPMC[T]) Enqueued() uint64 { return q.published.Load() - q.first }

// Dequeued returns how many elements have been taken since the queue was made.
func (q *SPMC[T]) Dequeued() uint64 { return q.head.Load() - q.first }
