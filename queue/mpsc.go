package queue

import (
	"runtime"
	"sync/atomic"

	"github.com/tarebench/tare/internal/base/cacheline"
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
// return. TryEnqueueStrict finds all room, and does not wait for the consumer.
//
// Memory: an element takes its own size and 8 bytes, which are doubled until they are
// at least 128 in queues of up to 2048 elements, or 64 in those of up to 4096; the queue
// about 1 KiB besides.
type MPSC[T any] struct {
	_     cacheline.Line
	slots []runSlot[T]
	mask  uint64
	shift uint
	size  uint64
	first uint64 // the first position
	_     cacheline.Line
	tail  sharedTail // the next position that a producer claims
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
	q.tail.init(origin)
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
	t, n := q.claim(1, oneClaimed, false)
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
	t, n := q.claim(uint64(len(vs)), oneClaimed, false)
	q.fillRun(t, vs[:n])
	return int(n)
}

// fillRun writes elements to positions that were claimed, and publishes them together.
func (q *MPSC[T]) fillRun(t uint64, vs []T) {
	if len(vs) == 0 {
		return
	}
	for i, v := range vs {
		q.slot(t + uint64(i)).v = v
	}
	q.slot(t).end.Store(t + uint64(len(vs)))
}

// Fill adds up to limit elements that f returns, and returns how many. f is called only
// when there is room for its element: Fill reserves the room for up to 32 elements
// before it calls f for them, and claims slots when f has returned all of these. So the
// consumer does not wait for f, but other producers find less room meanwhile. The
// elements of 32 calls become visible together, and those of other producers may come
// between them and the next. If f panics, the elements before are added. f may call all methods of the
// queue. Fill panics if f is nil.
func (q *MPSC[T]) Fill(limit int, f func() T) (n int) {
	checkCallback("Fill", f == nil)
	for n < limit {
		_, reserved := q.claim(uint64(min(limit-n, fillBatch)), oneReserved, false)
		if reserved == 0 {
			break
		}
		q.fillReserved(int(reserved), f)
		n += int(reserved)
	}
	return n
}

// fillReserved adds so many elements that f returns, for which room was reserved.
func (q *MPSC[T]) fillReserved(reserved int, f func() T) {
	var buffer [fillBatch]T
	n := 0
	defer func() { // also if f panics
		w := q.tail.redeem(n, reserved)
		q.fillRun(w.position(q.room.Load()), buffer[:n])
	}()
	for ; n < reserved; n++ {
		buffer[n] = f()
	}
}

// TryEnqueueStrict adds an element at the end. It returns false if and only if the
// queue is full, where room that calls of Fill have reserved counts as used. Retrying it on a full queue slows the consumer down, because it
// reads what the consumer writes with each element; TryEnqueue does not.
func (q *MPSC[T]) TryEnqueueStrict(v T) bool {
	t, n := q.claim(1, oneClaimed, true)
	if n == 0 {
		return false
	}
	s := q.slot(t)
	s.v = v
	s.end.Store(t + 1)
	return true
}

// claim claims up to want positions for the caller to fill, and returns the first and
// their number. If unit is oneReserved, it reserves so many slots instead. If strict is
// not set, it may miss room that the consumer publishes late. It retries when another
// producer was faster.
func (q *MPSC[T]) claim(want, unit uint64, strict bool) (t, n uint64) {
	for {
		w := q.tail.load()
		room := q.room.Load()
		t = w.position(room)
		end := t + w.reserved()
		if !before(end, room) || room-end < want {
			room = q.taken.Load() + q.size
			if strict && !before(end, room) {
				room = q.consumed() + q.size
			}
			if !before(end, room) {
				return t, 0
			}
			q.room.Store(room) // may be less than another goroutine has just stored, which then reads it again
		}
		if n = w.limitAdd(min(want, room-end), unit); n == 0 || q.tail.add(w, n, unit) {
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
		if q.tail.position(q.head) == q.head {
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
