package queuetest

// The protocols of package queue, written with the methods of Thread. One line
// here is one access to shared memory there. Addresses: the two indices, then
// the slots of value and sequence.
const (
	headAt = iota
	tailAt
	slotsAt
)

func valueAt(i, capacity int) int    { return slotsAt + 2*(i%capacity) }
func sequenceAt(i, capacity int) int { return slotsAt + 2*(i%capacity) + 1 }

// emptyMemory is that of a queue with sequences; those of Vyukov's queue begin
// with the number of their slot.
func emptyMemory(capacity int, vyukov bool) []int {
	m := make([]int, slotsAt+2*capacity)
	for i := range capacity {
		if vyukov {
			m[sequenceAt(i, capacity)] = i
		}
	}
	return m
}

// fault is what is wrong with a protocol.
type fault int

const (
	right        fault = iota
	early              // publishes before it writes
	plain              // a plain store publishes
	unchecked          // does not look whether the queue is full
	clearsLate         // clears a slot that it has given away
	falselyClaim       // takes a lost CAS for success
)

// lamport is the queue of two indices for one producer and one consumer, with
// private copies of the other side's index, and a consumer that publishes every
// lazy elements and when it finds nothing.
type lamport struct {
	fault
	capacity, lazy int
	tail, head     int // own index
	seenHead       int // producer's copy
	seenTail       int // consumer's copy
	published      int
}

func (q *lamport) publish(t *Thread, address, v int) {
	if q.fault == plain {
		t.Store(address, v)
		return
	}
	t.Xchg(address, v)
}

func (q *lamport) enqueue(t *Thread, v int) bool {
	return t.Enqueue(v, func() bool {
		if q.tail-q.seenHead == q.capacity && q.fault != unchecked {
			if q.seenHead = t.Load(headAt); q.tail-q.seenHead == q.capacity {
				return false
			}
		}
		if q.fault == early {
			q.publish(t, tailAt, q.tail+1)
		}
		t.Store(valueAt(q.tail, q.capacity), v)
		q.tail++
		if q.fault != early {
			q.publish(t, tailAt, q.tail)
		}
		return true
	})
}

func (q *lamport) dequeue(t *Thread) {
	t.Dequeue(func() (int, bool) {
		if q.head == q.seenTail {
			if q.seenTail = t.Load(tailAt); q.head == q.seenTail {
				q.release(t)
				return 0, false
			}
		}
		at := valueAt(q.head, q.capacity)
		v := t.Load(at)
		if q.fault != clearsLate {
			t.Store(at, 0)
		}
		if q.head++; q.head-q.published >= q.lazy {
			q.release(t)
		}
		if q.fault == clearsLate {
			t.Store(at, 0)
		}
		return v, true
	})
}

func (q *lamport) release(t *Thread) {
	if q.published != q.head {
		q.published = q.head
		q.publish(t, headAt, q.head)
	}
}

// sequenced is the queue of slots with sequences for one producer and one
// consumer: the consumer reads nothing but slots, and publishes its index late.
type sequenced struct{ lamport }

func (q *sequenced) enqueue(t *Thread, v int) bool {
	return t.Enqueue(v, func() bool {
		if q.tail-q.seenHead == q.capacity && q.fault != unchecked {
			if q.seenHead = t.Load(headAt); q.tail-q.seenHead == q.capacity {
				return false
			}
		}
		if q.fault == early {
			q.publish(t, sequenceAt(q.tail, q.capacity), q.tail+1)
		}
		t.Store(valueAt(q.tail, q.capacity), v)
		if q.fault != early {
			q.publish(t, sequenceAt(q.tail, q.capacity), q.tail+1)
		}
		q.tail++
		return true
	})
}

func (q *sequenced) dequeue(t *Thread) {
	t.Dequeue(func() (int, bool) {
		if t.Load(sequenceAt(q.head, q.capacity)) != q.head+1 {
			q.release(t)
			return 0, false
		}
		at := valueAt(q.head, q.capacity)
		v := t.Load(at)
		if q.fault != clearsLate {
			t.Store(at, 0)
		}
		if q.head++; q.head-q.published >= q.lazy {
			q.release(t)
		}
		if q.fault == clearsLate {
			t.Store(at, 0)
		}
		return v, true
	})
}

// manyProducers is the queue for many producers and one consumer: a claim by CAS
// within a limit, then the value, then the sequence.
type manyProducers struct {
	sequenced
	seen int // a producer's copy of the consumer's index
}

func (q *manyProducers) enqueue(t *Thread, v int) bool {
	return t.Enqueue(v, func() bool {
		for {
			tail := t.Load(tailAt)
			if tail-q.seen >= q.capacity && q.fault != unchecked {
				if q.seen = t.Load(headAt); tail-q.seen >= q.capacity {
					return false
				}
			}
			if !t.CAS(tailAt, tail, tail+1) && q.fault != falselyClaim {
				continue
			}
			t.Store(valueAt(tail, q.capacity), v)
			t.Xchg(sequenceAt(tail, q.capacity), tail+1)
			return true
		}
	})
}

// vyukov is the queue for many producers and many consumers by Dmitry Vyukov
// (1024cores.net): the sequence of a slot says whose turn it is.
type vyukov struct {
	fault
	capacity int
}

func (q vyukov) enqueue(t *Thread, v int) bool {
	return t.Enqueue(v, func() bool {
		for {
			tail := t.Load(tailAt)
			s := t.Load(sequenceAt(tail, q.capacity))
			switch {
			case s < tail:
				return false
			case s > tail:
				continue // others were faster
			}
			if !t.CAS(tailAt, tail, tail+1) && q.fault != falselyClaim {
				continue
			}
			t.Store(valueAt(tail, q.capacity), v)
			t.Xchg(sequenceAt(tail, q.capacity), tail+1)
			return true
		}
	})
}

func (q vyukov) dequeue(t *Thread) {
	t.Dequeue(func() (int, bool) {
		for {
			head := t.Load(headAt)
			s := t.Load(sequenceAt(head, q.capacity))
			switch {
			case s < head+1:
				return 0, false
			case s > head+1:
				continue
			}
			if !t.CAS(headAt, head, head+1) && q.fault != falselyClaim {
				continue
			}
			at := valueAt(head, q.capacity)
			v := t.Load(at)
			t.Store(at, 0)
			t.Xchg(sequenceAt(head, q.capacity), head+q.capacity)
			return v, true
		}
	})
}
