package queuetest

// chain is the queue of rings that follow each other for one producer and one
// consumer, with batches and a producer that publishes late. Its rings have numbers
// from 1 on; those of a growing queue double.
type chain struct {
	fault
	first, largest, bound int // slots of the first ring and of the largest, elements
	lazy                  int
	every                 int             // elements between publications, 0 without a BufferedProducer
	met                   map[string]bool // what has happened in some execution

	tail, room, sent, ring int // producer
	rings                  int // that it has made
	starts                 map[int]int

	head, limit, published, at int // consumer; the ring that it is in
}

// Addresses of chain, then for each ring: next, end and slots.
const takenAt, publishedAt, hungryAt, spareAt, ringsAt = 0, 1, 2, 3, 4

const mostRings = 4

func newChain(f fault, first, largest, bound, lazy, every int, met map[string]bool) func() *chain {
	return func() *chain {
		return &chain{fault: f, first: first, largest: largest, bound: bound, lazy: lazy, every: every, met: met,
			ring: 1, rings: 1, starts: map[int]int{1: 0}, at: 1}
	}
}

func (q *chain) memory() []int { return make([]int, ringsAt+mostRings*(2+q.largest)) }

func (q *chain) size(ring int) int           { return min(q.first<<(ring-1), q.largest) }
func (q *chain) next(ring int) int           { return ringsAt + (ring-1)*(2+q.largest) }
func (q *chain) end(ring int) int            { return q.next(ring) + 1 }
func (q *chain) slot(ring, position int) int { return q.next(ring) + 2 + position%q.size(ring) }

func (q *chain) enqueue(t *Thread, v int) bool {
	return t.Enqueue(v, func() bool {
		if q.every > 0 {
			return q.buffer(t, v)
		}
		if q.tail == q.room && !q.findRoom(t) {
			return false
		}
		t.Store(q.slot(q.ring, q.tail), v)
		q.tail++
		t.Xchg(publishedAt, q.tail)
		return true
	})
}

func (q *chain) enqueueBatch(t *Thread, vs ...int) int {
	return t.EnqueueBatch(vs, func() int {
		n := 0
		for n < len(vs) && (q.room-q.tail >= len(vs)-n || q.findRoom(t)) {
			for q.tail < q.room && n < len(vs) {
				t.Store(q.slot(q.ring, q.tail), vs[n])
				q.tail++
				n++
			}
		}
		if n > 0 {
			t.Xchg(publishedAt, q.tail)
		}
		return n
	})
}

// buffer is BufferedProducer.TryEnqueue.
func (q *chain) buffer(t *Thread, v int) bool {
	if q.tail == q.room && !q.findRoom(t) {
		if q.fault != "does not publish when full" {
			q.publish(t)
		}
		q.met["full"] = true
		return false
	}
	t.Store(q.slot(q.ring, q.tail), v)
	q.tail++
	every := q.every
	if q.fault == "publishes one late" {
		every++
	}
	switch {
	case q.tail-q.sent >= every:
		q.publish(t)
	case q.fault == "does not look who is hungry":
	case q.sent < t.Load(hungryAt):
		q.met["hungry"] = true
		q.publish(t)
	}
	return true
}

func (q *chain) publish(t *Thread) {
	if q.sent != q.tail {
		q.sent = q.tail
		t.Xchg(publishedAt, q.tail)
	}
}

func (q *chain) flush(t *Thread) { t.Flush(func() { q.publish(t) }) }

func (q *chain) findRoom(t *Thread) bool {
	taken := t.Load(takenAt)
	for {
		base := max(q.starts[q.ring], taken)
		inRing, inAll := q.size(q.ring)-(q.tail-base), q.bound-(q.tail-taken)
		if q.fault == "forgets what older rings hold" {
			inAll = q.size(q.ring) - (q.tail - base)
		}
		q.room = q.tail + min(inRing, inAll)
		if q.room != q.tail {
			return true
		}
		if inAll == 0 || q.size(q.ring) >= q.bound {
			return false
		}
		q.link(t)
	}
}

func (q *chain) link(t *Thread) {
	q.met["linked"] = true
	r := t.Xchg(spareAt, 0)
	if r != 0 {
		q.met["used a ring again"] = true
	} else {
		q.rings++
		r = q.rings
		q.met["grew"] = q.met["grew"] || q.size(r) > q.first
	}
	q.starts[r] = q.tail
	if q.fault == "links before it ends" {
		t.Xchg(q.next(q.ring), r)
		t.Store(q.end(q.ring), q.tail)
	} else {
		t.Store(q.end(q.ring), q.tail)
		t.Xchg(q.next(q.ring), r)
	}
	q.ring = r
}

func (q *chain) dequeue(t *Thread) (int, bool) {
	return t.Dequeue(func() (int, bool) {
		if q.head == q.limit && !q.findElements(t) {
			return 0, false
		}
		v := q.take(t)
		if q.head-q.published >= q.lazy {
			q.settle(t)
		}
		return v, true
	})
}

func (q *chain) dequeueBatch(t *Thread, n int) []int {
	return t.DequeueBatch(n, func() (vs []int) {
		for len(vs) < n {
			if q.limit-q.head < n-len(vs) && !q.findElements(t) {
				break
			}
			for len(vs) < n && q.head < q.limit {
				vs = append(vs, q.take(t))
			}
		}
		q.settle(t)
		return vs
	})
}

func (q *chain) take(t *Thread) int {
	at := q.slot(q.at, q.head)
	v := t.Load(at)
	t.Store(at, 0)
	q.head++
	return v
}

func (q *chain) findElements(t *Thread) bool {
	early := 0
	if q.fault == "looks for a link too early" {
		early = t.Load(q.next(q.at))
	}
	published := t.Load(publishedAt)
	if published == q.head {
		q.settle(t)
		if q.every > 0 && t.Load(hungryAt) < q.head+1 {
			t.Xchg(hungryAt, q.head+1)
		}
		return false
	}
	for {
		next := early
		if q.fault != "looks for a link too early" {
			next = t.Load(q.next(q.at))
		}
		if next == 0 {
			q.limit = published
			return true
		}
		end := t.Load(q.end(q.at))
		if q.head < end && q.fault != "leaves a ring at once" {
			q.limit = min(published, end)
			return true
		}
		q.recycle(t)
		q.at, early = next, 0
	}
}

func (q *chain) recycle(t *Thread) {
	if q.fault != "leaves its link in a spare ring" {
		t.Xchg(q.next(q.at), 0)
	}
	if q.size(q.at) == q.largest {
		t.Xchg(spareAt, q.at)
	}
}

func (q *chain) settle(t *Thread) {
	if q.published != q.head {
		q.published = q.head
		t.Xchg(takenAt, q.head)
	}
}
