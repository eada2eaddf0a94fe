package queue

import "fmt"

// A GrowableSPSC is a bounded queue for one producer and one consumer that begins
// small. When it is full, it adds a ring of twice the size, up to its limit. Elements
// are never copied. It does not shrink. Use it for many queues that are mostly short.
//
// The callers, the progress guarantees and the weakness of TryEnqueue are those of
// [SPSC], where Cap is the size reached so far. A TryEnqueue that grows the queue
// allocates.
//
// Memory: an element of the ring in use takes its own size, the queue about
// 0.25 KiB besides. There is no padding between its parts beyond the cache line, and
// none around it, so that queues beside each other in memory may slow each other
// down where the processor fetches lines in pairs.
type GrowableSPSC[T any] struct{ chain[T, compact] }

// NewGrowableSPSC returns an empty queue with room for initial elements (16 is a
// good choice) that grows to max. Both are rounded up to powers of two, at least 2;
// NewGrowableSPSC panics if they are not from 1 to 1<<30 or max is less than
// initial.
func NewGrowableSPSC[T any](initial, max int) *GrowableSPSC[T] {
	first, last := roundCapacity("NewGrowableSPSC", initial), roundCapacity("NewGrowableSPSC", max)
	if max < initial {
		panic(fmt.Sprintf("queue: NewGrowableSPSC: max %d is less than initial %d", max, initial))
	}
	return newGrowableSPSC[T](first, last, publishInterval(first), 0)
}

func newGrowableSPSC[T any](first, last, publishEvery, origin uint64) *GrowableSPSC[T] {
	q := new(GrowableSPSC[T])
	q.init(first, last, last, publishEvery, origin)
	return q
}

// Cap returns how many elements the queue holds when it is fully grown.
func (q *GrowableSPSC[T]) Cap() int { return int(q.bound) }
