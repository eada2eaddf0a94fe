package queue

import (
	"sync/atomic"

	"github.com/tarebench/tare/internal/base/cacheline"
)

// A chain implements all types with one producer and one consumer: a ring of slots
// and, where the type allows it, further rings linked to it when it is full. Elements
// are never copied to another ring.
//
// The ring is Lamport's ("Specifying Concurrent Program Modules", ACM TOPLAS 5:2,
// 1983): each side writes its own index and reads the other's. Each keeps a copy
// of the other's index and reads it again only when the copy says full or empty
// (Lee, Bu, Chandranmenon, "A lock-free, cache-efficient shared ring buffer", ANCS
// 2009). Unlike there, the consumer has two indices: taken, which the producer reads
// and which is stored only every publishEvery elements, and dequeued, which is exact but
// beside a BufferedConsumer.
// In Go an atomic store is an exchange on amd64; it costs 5 ns on a line that no other
// goroutine reads, and some ten times that on one that the producer polls. The links are as
// in JCTools' SpscUnboundedArrayQueue, but by position: a ring knows where it begins and
// ends, so that slots need no marker.
//
// The order of the fields serves both kinds of padding. Without any, the three parts
// below still lie in lines of 64 bytes of their own, 256 bytes in all: what both read,
// what the producer writes, and what the consumer writes.
type chain[T any, P padding] struct {
	_      P
	first  ring[T] // the ring to begin with
	bound  uint64  // elements at most
	origin uint64  // the first position

	_         P
	p         chainProducer[T]
	_         P
	published atomic.Uint64 // the producer's index, as far as the consumer may read

	_        P
	c        chainConsumer[T]
	_        P
	taken    atomic.Uint64 // the consumer's index, as far as the producer may write
	_        P
	emptyAt  atomic.Uint64 // the consumer found the queue empty before this position; see BufferedProducer
	_        P
	spare    atomic.Pointer[ring[T]]             // a ring on its way back from consumer to producer
	producer atomic.Pointer[BufferedProducer[T]] // the last one, which reads emptyAt
	_        P
	largest  uint64 // slots of a ring at most
}

// padding is what lies between the parts of a chain: padded, or compact where memory
// counts more.
type padding interface{ padded | compact }

type (
	padded  cacheline.Line
	compact struct{}
)

// A ring is an array of slots, a power of two, and the positions that lie in it.
type ring[T any] struct {
	slots []T
	start uint64
	next  atomic.Pointer[ring[T]] // set once, when the producer moves to the next ring
	end   uint64                  // where the next one starts; written before next
}

// at returns the slot of a position.
func at[T any](slots []T, position uint64) *T { return &slots[position&uint64(len(slots)-1)] }

type chainProducer[T any] struct {
	role
	slots []T
	tail  uint64 // the next position
	room  uint64 // positions before this one are known to be free
	gone  uint64 // elements before this position are known to be taken
	ring  *ring[T]
}

type chainConsumer[T any] struct {
	role
	slots        []T
	head         uint64 // the next position
	limit        uint64 // positions before this one are known to be filled, and in this ring
	accounted    uint64 // the value of chain.taken
	ring         *ring[T]
	dequeued     atomic.Uint64 // head after each TryDequeue, for those who monitor; see consumed
	publishEvery uint64        // elements taken before chain.taken is updated
	clears       bool
	buffered     *BufferedConsumer[T] // the last one, to which slots may be lent
}

// noBound is the bound of a queue that has none; differences of positions stay
// positive as int64.
const noBound = 1 << 62

func (q *chain[T, P]) init(size, largest, bound, publishEvery, origin uint64) {
	q.first = ring[T]{slots: make([]T, size), start: origin}
	q.bound, q.largest, q.origin = bound, largest, origin
	p, c := &q.p, &q.c
	p.ring, p.slots = &q.first, q.first.slots
	p.tail, p.room, p.gone = origin, origin, origin
	c.ring, c.slots = &q.first, q.first.slots
	c.head, c.limit, c.accounted = origin, origin, origin
	c.publishEvery, c.clears = publishEvery, holdsPointers[T]()
	q.published.Store(origin)
	q.taken.Store(origin)
	q.c.dequeued.Store(origin)
	q.emptyAt.Store(origin)
}

// TryEnqueue adds an element at the end. It returns false if the queue is full, or
// seems full because the consumer publishes room late (see the type).
func (q *chain[T, P]) TryEnqueue(v T) bool {
	p := &q.p
	p.enter("producer")
	t := p.tail
	if t == p.room {
		if !q.findRoom() {
			q.publishHidden()
			p.leave()
			return false
		}
		t = p.tail // elements of a BufferedProducer may have come before
	}
	*at(p.slots, t) = v
	p.tail = t + 1
	q.published.Store(t + 1)
	p.leave()
	return true
}

// TryEnqueueStrict adds an element at the end. It returns false if and only if the
// queue is full. Retrying it on a full queue slows the consumer down, because it
// reads what the consumer writes with each element; TryEnqueue does not.
func (q *chain[T, P]) TryEnqueueStrict(v T) bool {
	p := &q.p
	p.enter("producer")
	if p.tail == p.room && !q.findRoom() {
		q.roomAfter(q.consumed())
	}
	p.leave()
	return q.TryEnqueue(v)
}

// TryEnqueueBatch adds as many of the elements as there is room for, from the first
// on, and returns how many. They become visible together, by one atomic store.
func (q *chain[T, P]) TryEnqueueBatch(vs []T) int {
	p := &q.p
	p.enter("producer")
	n := 0
	for n < len(vs) {
		if p.room-p.tail < uint64(len(vs)-n) && !q.findRoom() {
			break
		}
		part := vs[n:]
		part = part[:min(uint64(len(part)), p.room-p.tail)]
		m := copy(p.slots[p.tail&uint64(len(p.slots)-1):], part)
		copy(p.slots, part[m:])
		p.tail += uint64(len(part))
		n += len(part)
	}
	if n > 0 {
		q.published.Store(p.tail)
	} else {
		q.publishHidden()
	}
	p.leave()
	return n
}

// publishHidden publishes the elements of a BufferedProducer when no element was
// added: a full queue must not appear empty to the consumer.
func (q *chain[T, P]) publishHidden() {
	if q.producer.Load() == nil {
		return
	}
	q.takeBackFree()
	if q.published.Load() != q.p.tail {
		q.published.Store(q.p.tail)
	}
}

// Fill adds up to limit elements that f returns, and returns how many. f is called
// only when there is room for its element, and must not add to the queue itself.
// The elements become visible together when Fill returns, also if f panics. Fill
// panics if f is nil.
func (q *chain[T, P]) Fill(limit int, f func() T) (n int) {
	checkCallback("Fill", f == nil)
	p := &q.p
	p.enter("producer")
	defer func() {
		if n > 0 {
			q.published.Store(p.tail)
		} else {
			q.publishHidden()
		}
		p.leave()
	}()
	for n < limit && (p.tail != p.room || q.findRoom()) {
		*at(p.slots, p.tail) = f()
		p.tail++
		n++
	}
	return n
}

// findRoom takes back what was lent to a BufferedProducer, or else reads the consumer's
// index. If the ring is full and the queue is not, it links another ring. It reports
// whether the producer may write at tail.
func (q *chain[T, P]) findRoom() bool { return q.takeBackFree() || q.roomAfter(q.taken.Load()) }

// consumed returns the consumer's index: exact between calls of TryDequeue, and as of
// the last publication within a batch.
func (q *chain[T, P]) consumed() uint64 { return later(q.c.dequeued.Load(), q.taken.Load()) }

// roomAfter is findRoom with a given index of the consumer. It counts the later of that
// and those that were given before: the room that they made has been used.
func (q *chain[T, P]) roomAfter(taken uint64) bool {
	p := &q.p
	taken = later(taken, p.gone)
	p.gone = taken
	for {
		base := p.ring.start
		if before(base, taken) {
			base = taken
		}
		size := uint64(len(p.slots))
		inRing, inAll := size-(p.tail-base), q.bound-(p.tail-taken)
		p.room = p.tail + min(inRing, inAll)
		if p.room != p.tail {
			return true
		}
		if inAll == 0 || size >= q.bound {
			return false
		}
		q.link(min(2*size, q.largest))
	}
}

// link moves the producer to another ring, a recycled one if its size fits.
func (q *chain[T, P]) link(size uint64) {
	p := &q.p
	r := q.spare.Swap(nil)
	if r == nil || uint64(len(r.slots)) != size {
		r = &ring[T]{slots: make([]T, size)}
	}
	r.start = p.tail
	p.ring.end = p.tail
	p.ring.next.Store(r)
	p.ring, p.slots = r, r.slots
}

// findElements takes back what was lent to a BufferedConsumer, or else reads the
// producer's index and moves to the next ring when this one is empty. It reports
// whether the consumer may read at head.
func (q *chain[T, P]) findElements() bool {
	if q.c.takeBack() {
		return true
	}
	c := &q.c
	published := q.published.Load()
	if published == c.head {
		q.publishTaken()
		if q.producer.Load() != nil && before(q.emptyAt.Load(), c.head+1) {
			q.emptyAt.Store(c.head + 1)
		}
		return false
	}
	for {
		// published was read before next: if there is no next ring now, then all
		// that was published lies in this one.
		next := c.ring.next.Load()
		if next == nil {
			c.limit = published
			return true
		}
		if before(c.head, c.ring.end) {
			c.limit = published
			if before(c.ring.end, published) {
				c.limit = c.ring.end
			}
			return true
		}
		q.recycle(c.ring)
		c.ring, c.slots = next, next.slots
		c.publishEvery = max(c.publishEvery, publishInterval(uint64(len(c.slots))))
	}
}

// recycle gives a ring back to the producer if it has the largest size. The slots of
// others are let go: the first ring stays as long as the queue does.
func (q *chain[T, P]) recycle(r *ring[T]) {
	r.next.Store(nil)
	if uint64(len(r.slots)) == q.largest {
		q.spare.Store(r)
	} else {
		r.slots = nil
	}
}

// publishTaken publishes the consumer's index, which frees all slots before it.
func (q *chain[T, P]) publishTaken() {
	q.c.takeBack()
	if c := &q.c; c.accounted != c.head {
		c.accounted = c.head
		q.taken.Store(c.head)
	}
}
