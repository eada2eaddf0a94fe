package queuetest

// The protocols of package queue, written with the methods of Thread. One line
// here is one access to shared memory there; counters that nothing depends on are
// left out. Every program makes its own copy of a protocol, whose fields are what
// its goroutine keeps to itself.
//
//	here     there
//	lamport  chain.TryEnqueue and TryDequeue while there is one ring (SPSC)
//	chain    chain, chain_consume and buffered: rings that follow each other
//	         (UnboundedSPSC, GrowableSPSC), batches, BufferedProducer
//	runs     MPSC
//	listed   LinkedMPSC
//	chunked  UnboundedMPSC, and the producers of UnboundedMPMC
//	shared   UnboundedMPMC
//	free     SPMC
//	vyukov   MPMC
//	gated    gate of Blocking
//
// TestParking is lot.

// fault is what is wrong with a protocol: "" for nothing.
type fault string

const right fault = ""

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

// Addresses of lamport: the two indices, then the slots.
const headAt, tailAt, lamportSlots = 0, 1, 2

func (q *lamport) memory() []int { return make([]int, lamportSlots+q.capacity) }

func (q *lamport) slot(i int) int { return lamportSlots + i%q.capacity }

func (q *lamport) publish(t *Thread, address, v int) {
	if q.fault == "publishes by a plain store" {
		t.Store(address, v)
		return
	}
	t.Xchg(address, v)
}

func (q *lamport) enqueue(t *Thread, v int) bool {
	return t.Enqueue(v, func() bool {
		if q.tail-q.seenHead == q.capacity && q.fault != "does not look for room" {
			if q.seenHead = t.Load(headAt); q.tail-q.seenHead == q.capacity {
				return false
			}
		}
		if q.fault == "publishes before it writes" {
			q.publish(t, tailAt, q.tail+1)
		}
		t.Store(q.slot(q.tail), v)
		q.tail++
		if q.fault != "publishes before it writes" {
			q.publish(t, tailAt, q.tail)
		}
		return true
	})
}

func (q *lamport) dequeue(t *Thread) (int, bool) {
	return t.Dequeue(func() (int, bool) {
		if q.head == q.seenTail {
			if q.seenTail = t.Load(tailAt); q.head == q.seenTail {
				q.settle(t)
				return 0, false
			}
		}
		at := q.slot(q.head)
		v := t.Load(at)
		if q.fault != "clears a slot that it has passed on" {
			t.Store(at, 0)
		}
		if q.head++; q.head-q.published >= q.lazy {
			q.settle(t)
		}
		if q.fault == "clears a slot that it has passed on" {
			t.Store(at, 0)
		}
		return v, true
	})
}

func (q *lamport) settle(t *Thread) {
	if q.published != q.head {
		q.published = q.head
		q.publish(t, headAt, q.head)
	}
}
