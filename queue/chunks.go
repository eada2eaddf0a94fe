package queue

import (
	"sync/atomic"

	"github.com/tarebench/tare/internal/base/cacheline"
)

// A chunkList is the producers' side of the queues that are lists of chunks.
//
// Producers claim the slots of a chunk by addition, which fails only when the chunk is
// full. A chunk is not used again, because a slow goroutine may still access it. So its
// indices only grow, and a slot that was filled is never unfilled again.
type chunkList[T any] struct {
	first uint64 // the first position
	size  uint32 // slots of a chunk
	_     cacheline.Line
	last  atomic.Pointer[chunk[T]] // where producers add, or one before it
	_     cacheline.Line
}

type chunk[T any] struct {
	slots []chunkSlot[T]
	start uint64 // the position of the first slot
	_     cacheline.Line
	claim atomic.Uint64 // slots that producers have claimed; exceeds len(slots) when the chunk is full
	next  atomic.Pointer[chunk[T]]
	_     cacheline.Line
	taken atomic.Uint64 // for many consumers: see UnboundedMPMC.claim
}

// A chunkSlot begins a run of elements that one producer published together if run,
// the length of the run, is not 0.
type chunkSlot[T any] struct {
	run atomic.Uint32
	v   T
}

// init makes an empty list of one chunk, and returns the chunk.
func (q *chunkList[T]) init(size uint32, origin uint64) *chunk[T] {
	q.size, q.first = size, origin
	c := q.newChunk(origin)
	q.last.Store(c)
	return c
}

func (q *chunkList[T]) newChunk(start uint64) *chunk[T] {
	return &chunk[T]{slots: make([]chunkSlot[T], q.size), start: start}
}

// TryEnqueue adds an element at the end and returns true.
func (q *chunkList[T]) TryEnqueue(v T) bool {
	for {
		c := q.last.Load()
		if i := c.claim.Add(1) - 1; i < uint64(q.size) {
			s := &c.slots[i]
			s.v = v
			s.run.Store(1)
			return true
		}
		q.appendChunk(c)
	}
}

// TryEnqueueBatch adds all elements and returns their number. Elements in one chunk
// become visible together, by one atomic store. Where a batch continues in another
// chunk, elements of other producers may come between.
func (q *chunkList[T]) TryEnqueueBatch(vs []T) int {
	for rest := vs; len(rest) > 0; {
		c := q.last.Load()
		i := c.claim.Add(uint64(len(rest))) - uint64(len(rest))
		if i < uint64(q.size) {
			n := min(uint64(len(rest)), uint64(q.size)-i)
			for k, v := range rest[:n] {
				c.slots[i+uint64(k)].v = v
			}
			c.slots[i].run.Store(uint32(n))
			rest = rest[n:]
		}
		if len(rest) > 0 {
			q.appendChunk(c)
		}
	}
	return len(vs)
}

// Fill adds up to limit elements that f returns, and returns how many. They become
// visible as those of a TryEnqueueBatch of at most 32 elements do, when f has returned
// all of these, or has panicked. f may call all methods of the queue. Fill panics if f
// is nil.
func (q *chunkList[T]) Fill(limit int, f func() T) (n int) {
	checkCallback("Fill", f == nil)
	for n < limit {
		wanted := min(limit-n, fillBatch)
		q.fillBatch(wanted, f)
		n += wanted
	}
	return n
}

// fillBatch adds so many elements that f returns.
func (q *chunkList[T]) fillBatch(wanted int, f func() T) {
	var buffer [fillBatch]T
	n := 0
	defer func() { q.TryEnqueueBatch(buffer[:n]) }() // also if f panics
	for ; n < wanted; n++ {
		buffer[n] = f()
	}
}

// appendChunk makes producers continue in the chunk after c, which is full.
func (q *chunkList[T]) appendChunk(c *chunk[T]) {
	if c.next.Load() == nil {
		c.next.CompareAndSwap(nil, q.newChunk(c.start+uint64(q.size)))
	}
	q.last.CompareAndSwap(c, c.next.Load())
}

// tail returns the position behind the last slot that was claimed.
func (q *chunkList[T]) tail() uint64 {
	c := q.last.Load()
	return c.start + min(c.claim.Load(), uint64(q.size))
}

// Cap returns -1: the queue has no bound.
func (q *chunkList[T]) Cap() int { return -1 }

// Enqueued returns how many elements have been added since the queue was made.
func (q *chunkList[T]) Enqueued() uint64 { return q.tail() - q.first }
