package queue

import (
	"iter"
	"runtime"
	"sync/atomic"

	"github.com/tarebench/tare/internal/base/cacheline"
)

// An MPMC is a bounded queue for many producers and many consumers. Any goroutine may
// call any method.
//
// TryEnqueue and TryDequeue are lock-free in control. In progress both sides are
// blocking: a goroutine that was interrupted between claiming a slot and filling or
// reading it (a bubble) hides the slots behind it from the other side.
//
// Both are weak: TryDequeue may find nothing when the queue is not empty, if the
// first element is a bubble; TryEnqueue may fail when the queue is not full, if a
// consumer still reads the slot. TryDequeueStrict and TryEnqueueStrict wait for the
// bubble, which makes them blocking in control too. Polling a full or empty queue
// with them is about half as fast, because they read the other side's index.
//
// Memory: an element takes its own size and 8 bytes, which are doubled until they are
// at least 128 in queues of up to 2048 elements, or 64 in those of up to 4096; the queue
// about 0.6 KiB besides.
//
// The algorithm is Dmitry Vyukov's bounded MPMC queue (1024cores.net).
type MPMC[T any] struct {
	_      cacheline.Line
	slots  []turnSlot[T]
	mask   uint64
	shift  uint
	size   uint64
	first  uint64 // the first position
	clears bool
	_      cacheline.Line
	tail   sharedTail // the next position that a producer claims
	_      cacheline.Line
	head   atomic.Uint64 // the next position that a consumer claims
	_      cacheline.Line
}

// A turnSlot holds an element and whose turn it is: the producer's of position turn,
// or the consumer's of position turn-1.
type turnSlot[T any] struct {
	turn atomic.Uint64
	v    T
}

// NewMPMC returns an empty queue. The capacity is rounded up to a power of two, at
// least 2; NewMPMC panics if it is not from 1 to 1<<30.
func NewMPMC[T any](capacity int) *MPMC[T] {
	return newMPMC[T](roundCapacity("NewMPMC", capacity), 0)
}

func newMPMC[T any](size, origin uint64) *MPMC[T] {
	q := &MPMC[T]{mask: size - 1, size: size, first: origin, clears: holdsPointers[T]()}
	q.shift = padShift(slotBytes[turnSlot[T]](), size)
	q.slots = make([]turnSlot[T], size<<q.shift)
	for p := origin; p != origin+size; p++ {
		q.slot(p).turn.Store(p)
	}
	q.tail.init(origin)
	q.head.Store(origin)
	return q
}

func (q *MPMC[T]) slot(position uint64) *turnSlot[T] {
	return &q.slots[(position&q.mask)<<q.shift]
}

// TryEnqueue adds an element at the end. It returns false if the queue is full, or
// if a consumer still reads what was in the slot.
func (q *MPMC[T]) TryEnqueue(v T) bool {
	for {
		w := q.tail.load()
		s := q.slot(w.end()) // those of reserved slots before it are free
		turn := s.turn.Load()
		end := near(w.end(), turn)
		switch {
		case turn == end:
			if q.tail.add(w, 1, oneClaimed) {
				if reserved := w.reserved(); reserved != 0 {
					end -= reserved
					s = q.slot(end)
				}
				q.fill(s, end, v)
				return true
			}
		case before(turn, end):
			return false
		}
		// Another producer was faster.
	}
}

// TryEnqueueStrict adds an element at the end. It returns false if and only if the
// queue is full, where room that calls of Fill have reserved counts as used; it waits
// for a consumer that still reads what was in the slot.
func (q *MPMC[T]) TryEnqueueStrict(v T) bool {
	for !q.TryEnqueue(v) {
		// The tail is read first. If the head is then a lap behind it, the tail
		// has not moved either.
		if w, h := q.tail.load(), q.head.Load(); w.position(h)+w.reserved()-h == q.size {
			return false
		}
		runtime.Gosched()
	}
	return true
}

// TryDequeue takes the first element. It returns false if the queue is empty, or if
// the first element is still being added.
func (q *MPMC[T]) TryDequeue() (v T, ok bool) {
	for {
		h := q.head.Load()
		s := q.slot(h)
		switch turn := s.turn.Load(); {
		case turn == h+1:
			if q.head.CompareAndSwap(h, h+1) {
				return q.read(s, h), true
			}
		case before(turn, h+1):
			return v, false
		}
		// Another consumer was faster.
	}
}

// TryDequeueStrict takes the first element. It returns false if and only if the
// queue is empty; it waits for a producer that is still adding the first element.
func (q *MPMC[T]) TryDequeueStrict() (v T, ok bool) {
	for {
		if v, ok = q.TryDequeue(); ok {
			return v, true
		}
		// The head is read first. If the tail is then no further, the head has not
		// moved either.
		if h := q.head.Load(); h == q.tail.position(h) {
			return v, false
		}
		runtime.Gosched()
	}
}

// fill writes the slot of a position that was claimed.
func (q *MPMC[T]) fill(s *turnSlot[T], position uint64, v T) {
	s.v = v
	s.turn.Store(position + 1)
}

// read takes the element at a position that was claimed, and frees the slot.
func (q *MPMC[T]) read(s *turnSlot[T], position uint64) T {
	v := s.v
	if q.clears {
		var zero T
		s.v = zero
	}
	s.turn.Store(position + q.size)
	return v
}

// Drain hands up to limit elements to f and returns how many. It ends early when
// TryDequeue finds nothing. Elements are taken one by one, so that none is lost if f
// panics. Drain panics if f is nil.
func (q *MPMC[T]) Drain(limit int, f func(T)) int {
	checkCallback("Drain", f == nil)
	return drainWith(limit, q.TryDequeue, f)
}

// All returns an iterator that takes elements until TryDequeue finds nothing. An
// element for which the loop's body was entered has left the queue.
func (q *MPMC[T]) All() iter.Seq[T] { return iterate(q.TryDequeue) }

// Len returns how many elements are in the queue, from 0 to Cap. It includes elements
// that are still being added and excludes those that are being taken.
func (q *MPMC[T]) Len() int { return distance(q.head.Load, q.added, q.size) }

// Cap returns how many elements the queue holds at most.
func (q *MPMC[T]) Cap() int { return int(q.size) }

// IsEmpty reports whether Len is 0.
func (q *MPMC[T]) IsEmpty() bool { return q.head.Load() == q.added() }

// Enqueued returns how many elements have been added since the queue was made.
func (q *MPMC[T]) Enqueued() uint64 { return q.added() - q.first }

// added returns the producers' index.
func (q *MPMC[T]) added() uint64 { return q.tail.position(q.head.Load()) }

// Dequeued returns how many elements have been taken since the queue was made.
func (q *MPMC[T]) Dequeued() uint64 { return q.head.Load() - q.first }
