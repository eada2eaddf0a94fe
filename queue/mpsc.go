package queue

import (
	"runtime"
	"sync/atomic"

	"github.com/tarebench/tare/internal/cacheline"
)

// An MPSC is a bounded queue for many producers and one consumer.
//
// Any goroutine may call the methods that add; one goroutine at a time those that
// take. Len, Cap, IsEmpty, Enqueued and Dequeued are for all.
//
// Adding is lock-free, in control and in progress. Taking is wait-free in control;
// in progress it is blocking: a producer that was interrupted between claiming its
// slot and filling it (a bubble) hides the elements behind it from the consumer.
//
// TryDequeue and Peek are weak: they may find nothing when the queue is not empty,
// if the first element is a bubble. TryDequeueStrict waits for the bubble, which
// makes it blocking in control too, and so does PeekStrict. TryEnqueue is weak if the
// consumer stops: TryDequeue publishes the room that it frees every Cap/8 elements (64
// at most) and when it finds no element. Batches, Drain and All publish it when they
// return. TryEnqueueStrict finds all room, and waits for nobody.
//
// Memory: an element takes its own size and 8 bytes, which are doubled until they are
// at least 64 in queues of up to 4096 elements; the queue about 1 KiB besides.
type MPSC[T any] struct {
	_     cacheline.Line
	slots []runSlot[T]
	mask  uint64
	shift uint
	size  uint64
	first uint64 // the first position
	_     cacheline.Line
	tail  atomic.Uint64 // the next position that a producer claims
	_     cacheline.Line
	room  atomic.Uint64 // positions before this one are known to be free
	_     cacheline.Line
	consumerSide
	_ cacheline.Line
}

// A runSlot begins a run of elements that one producer published together if end
// lies behind its position; the run goes up to end. A value of end from an earlier
// lap is never behind the position, because no run is longer than the ring. So one
// store publishes an element or a batch.
type runSlot[T any] struct {
	end atomic.Uint64
	v   T
}

// NewMPSC returns an empty queue. The capacity is rounded up to a power of two, at
// least 2; NewMPSC panics if it is not from 1 to 1<<30.
func NewMPSC[T any](capacity int) *MPSC[T] {
	size := roundCapacity("NewMPSC", capacity)
	return newMPSC[T](size, publishInterval(size), 0)
}

func newMPSC[T any](size, publishEvery, origin uint64) *MPSC[T] {
	q := &MPSC[T]{mask: size - 1, size: size, first: origin}
	q.shift = padShift(slotBytes[runSlot[T]](), size)
	q.slots = make([]runSlot[T], size<<q.shift)
	for p := origin; p != origin+size; p++ {
		q.slot(p).end.Store(origin)
	}
	q.tail.Store(origin)
	q.room.Store(origin + size)
	q.consumerSide.init(publishEvery, origin, holdsPointers[T]())
	return q
}

func (q *MPSC[T]) slot(position uint64) *runSlot[T] {
	return &q.slots[(position&q.mask)<<q.shift]
}

// TryEnqueue adds an element at the end. It returns false if the queue is full, or
// seems full because the consumer publishes room late (see the type).
func (q *MPSC[T]) TryEnqueue(v T) bool {
	t, n := q.claim(1, false)
	if n == 0 {
		return false
	}
	s := q.slot(t)
	s.v = v
	s.end.Store(t + 1)
	return true
}

// TryEnqueueBatch adds as many of the elements as there is room for, from the first
// on, and returns how many. They lie one behind the other and become visible
// together.
func (q *MPSC[T]) TryEnqueueBatch(vs []T) int {
	if len(vs) == 0 {
		return 0
	}
	t, n := q.claim(uint64(len(vs)), false)
	if n == 0 {
		return 0
	}
	for i, v := range vs[:n] {
		q.slot(t + uint64(i)).v = v
	}
	q.slot(t).end.Store(t + n)
	return int(n)
}

// TryEnqueueStrict adds an element at the end. It returns false if and only if the
// queue is full. Retrying it on a full queue slows the consumer down, because it
// reads what the consumer writes with each element; TryEnqueue does not.
func (q *MPSC[T]) TryEnqueueStrict(v T) bool {
	t, n := q.claim(1, true)
	if n == 0 {
		return false
	}
	s := q.slot(t)
	s.v = v
	s.end.Store(t + 1)
	return true
}

// claim reserves up to want positions for the caller to fill, and returns the first
// and their number. If strict is not set, it may miss room that the consumer publishes
// late. It retries when another producer was faster.
func (q *MPSC[T]) claim(want uint64, strict bool) (t, n uint64) {
	for {
		t = q.tail.Load()
		room := q.room.Load()
		if !before(t, room) || room-t < want {
			room = q.taken.Load() + q.size
			if strict && !before(t, room) {
				room = q.consumed() + q.size
			}
			if !before(t, room) {
				return t, 0
			}
			q.room.Store(room) // may be less than another goroutine has just stored, which then reads it again
		}
		n = min(want, room-t)
		if q.tail.CompareAndSwap(t, t+n) {
			return t, n
		}
	}
}

// ready reports whether the first element can be taken.
func (q *MPSC[T]) ready() bool {
	if q.head != q.limit {
		return true
	}
	end := q.slot(q.head).end.Load()
	if !before(q.head, end) {
		q.publishTaken()
		return false
	}
	q.limit = end
	return true
}

// readyOrEmpty waits while the first element is a bubble.
func (q *MPSC[T]) readyOrEmpty() bool {
	for !q.ready() {
		if q.tail.Load() == q.head {
			return false
		}
		runtime.Gosched()
	}
	return true
}

// take takes the first element, which must be ready, and does not publish its room.
func (q *MPSC[T]) take() T {
	s := q.slot(q.head)
	v := s.v
	if q.clears {
		var zero T
		s.v = zero
	}
	q.head++
	return v
}
