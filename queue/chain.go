package queue

import (
	"sync/atomic"

	"github.com/tarebench/tare/internal/cacheline"
)

// A chain is the queue behind all types with one producer and one consumer: a ring
// of slots and, where the type allows it, further rings that follow when one is
// full. No element is ever copied to another ring.
//
// The ring is Lamport's ("Specifying Concurrent Program Modules", ACM TOPLAS 5:2,
// 1983): each side writes its own index and reads the other's. Each keeps a copy
// of the other's index and looks again only when the copy says full or empty
// (Lee, Bu, Chandranmenon, "A lock-free, cache-efficient shared ring buffer", ANCS
// 2009). New is that the consumer publishes its index only now and then (settle):
// in Go an atomic store is an exchange on amd64, some twenty times a plain store.
// The links are as in JCTools' SpscUnboundedArrayQueue, but by position: a ring
// knows where it begins and ends, so that slots need no marker.
type chain[T any] struct {
	_         cacheline.Line
	p         chainProducer[T]
	_         cacheline.Line
	published atomic.Uint64 // the producer's index, as far as the consumer may read
	_         cacheline.Line
	c         chainConsumer[T]
	_         cacheline.Line
	taken     atomic.Uint64 // the consumer's index, as far as the producer may write
	_         cacheline.Line
	hungry    atomic.Uint64 // the consumer found nothing before this position; see BufferedProducer
	_         cacheline.Line
	spare     atomic.Pointer[ring[T]] // a ring on its way back from consumer to producer
	buffered  atomic.Bool             // there is a BufferedProducer, so hungry is worth writing
	bound     uint64                  // elements at most
	largest   uint64                  // slots of a ring at most
	origin    uint64                  // the first position
	_         cacheline.Line
}

// A ring is an array of slots, a power of two, and the positions that lie in it.
type ring[T any] struct {
	slots []T
	start uint64
	next  atomic.Pointer[ring[T]] // set once, when the producer goes on there
	end   uint64                  // where the next one starts; written before next
}

type chainProducer[T any] struct {
	role
	slots []T
	mask  uint64
	tail  uint64 // the next position
	room  uint64 // positions before this one are known to be free
	ring  *ring[T]
}

type chainConsumer[T any] struct {
	role
	slots  []T
	mask   uint64
	head   uint64 // the next position
	limit  uint64 // positions before this one are known to be filled, and in this ring
	told   uint64 // what taken says
	lazy   uint64 // how many elements may be taken before taken is to say so
	clears bool
	ring   *ring[T]
}

// noBound is the bound of a queue that has none; differences of positions stay
// positive as int64.
const noBound = 1 << 62

func (q *chain[T]) init(size, largest, bound, lazy, origin uint64) {
	r := &ring[T]{slots: make([]T, size), start: origin}
	q.bound, q.largest, q.origin = bound, largest, origin
	q.p = chainProducer[T]{slots: r.slots, mask: size - 1, tail: origin, room: origin, ring: r}
	q.c = chainConsumer[T]{slots: r.slots, mask: size - 1, head: origin, limit: origin, told: origin,
		lazy: lazy, clears: holdsPointers[T](), ring: r}
	q.published.Store(origin)
	q.taken.Store(origin)
	q.hungry.Store(origin)
}

// TryEnqueue adds an element at the end. It returns false if the queue is full, and
// then may be wrong only as the type's comment says.
func (q *chain[T]) TryEnqueue(v T) bool {
	p := &q.p
	p.enter("producer")
	t := p.tail
	if t == p.room && !q.findRoom() {
		q.unhide()
		p.leave()
		return false
	}
	p.slots[t&p.mask] = v
	p.tail = t + 1
	q.published.Store(t + 1)
	p.leave()
	return true
}

// TryEnqueueBatch adds as many of the elements as there is room for, from the first
// on, and returns how many. They become visible together, at the cost of one.
func (q *chain[T]) TryEnqueueBatch(vs []T) int {
	p := &q.p
	p.enter("producer")
	n := 0
	for n < len(vs) {
		if p.room-p.tail < uint64(len(vs)-n) && !q.findRoom() {
			break
		}
		part := vs[n:]
		part = part[:min(uint64(len(part)), p.room-p.tail)]
		m := copy(p.slots[p.tail&p.mask:], part)
		copy(p.slots, part[m:])
		p.tail += uint64(len(part))
		n += len(part)
	}
	if n > 0 {
		q.published.Store(p.tail)
	} else {
		q.unhide()
	}
	p.leave()
	return n
}

// unhide makes visible what a BufferedProducer has not, when nothing was added: a
// queue that is full must not look empty.
func (q *chain[T]) unhide() {
	if q.buffered.Load() && q.published.Load() != q.p.tail {
		q.published.Store(q.p.tail)
	}
}

// Fill adds up to limit elements that f makes, and returns how many. f is called
// only when there is room for its element, and must not add to the queue itself.
// The elements become visible together, when Fill returns; if f panics, those that
// it had made. Fill panics if f is nil.
func (q *chain[T]) Fill(limit int, f func() T) (n int) {
	mustCall("Fill", f == nil)
	p := &q.p
	p.enter("producer")
	defer func() {
		if n > 0 {
			q.published.Store(p.tail)
		} else {
			q.unhide()
		}
		p.leave()
	}()
	for n < limit && (p.tail != p.room || q.findRoom()) {
		p.slots[p.tail&p.mask] = f()
		p.tail++
		n++
	}
	return n
}

// findRoom looks how far the consumer is and, if the ring is full though the queue
// is not, goes on in another. It reports whether the producer may write at tail.
func (q *chain[T]) findRoom() bool {
	p := &q.p
	taken := q.taken.Load()
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

// link goes on in another ring.
func (q *chain[T]) link(size uint64) {
	p := &q.p
	r := q.spare.Swap(nil)
	if r == nil || uint64(len(r.slots)) != size {
		r = &ring[T]{slots: make([]T, size)}
	}
	r.start = p.tail
	p.ring.end = p.tail
	p.ring.next.Store(r)
	p.ring, p.slots, p.mask = r, r.slots, size-1
}

// findElements looks how far the producer is, and goes on to the next ring when
// this one is done. It reports whether the consumer may read at head.
func (q *chain[T]) findElements() bool {
	c := &q.c
	published := q.published.Load()
	if published == c.head {
		q.settle()
		if q.buffered.Load() && before(q.hungry.Load(), c.head+1) {
			q.hungry.Store(c.head + 1)
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
		size := uint64(len(next.slots))
		c.ring, c.slots, c.mask = next, next.slots, size-1
		c.lazy = max(c.lazy, lazyFor(size))
	}
}

// recycle offers a ring to the producer, if it is of the size that is used next.
func (q *chain[T]) recycle(r *ring[T]) {
	r.next.Store(nil)
	if uint64(len(r.slots)) == q.largest {
		q.spare.Store(r)
	}
}

// settle lets the producer use all slots that the consumer is done with.
func (q *chain[T]) settle() {
	if c := &q.c; c.told != c.head {
		c.told = c.head
		q.taken.Store(c.head)
	}
}
