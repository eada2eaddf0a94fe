package queue

import "unsafe"

// What follows makes queues that publish late although they are small, and whose
// positions begin anywhere, for example shortly before they overflow.

func TunedSPSC[T any](capacity, publishEvery int, origin uint64) *SPSC[T] {
	return newSPSC[T](roundCapacity("TunedSPSC", capacity), uint64(publishEvery), origin)
}

func TunedGrowableSPSC[T any](initial, max, publishEvery int, origin uint64) *GrowableSPSC[T] {
	return newGrowableSPSC[T](roundCapacity("", initial), roundCapacity("", max), uint64(publishEvery), origin)
}

func TunedUnboundedSPSC[T any](chunk, publishEvery int, origin uint64) *UnboundedSPSC[T] {
	return newUnboundedSPSC[T](roundCapacity("", chunk), uint64(publishEvery), origin)
}

func TunedMPSC[T any](capacity, publishEvery int, origin uint64) *MPSC[T] {
	return newMPSC[T](roundCapacity("", capacity), uint64(publishEvery), origin)
}

func TunedLinkedMPSC[T any](origin uint64) *LinkedMPSC[T] { return newLinkedMPSC[T](origin) }

func TunedUnboundedMPSC[T any](chunk int, origin uint64) *UnboundedMPSC[T] {
	return newUnboundedMPSC[T](uint32(chunk), origin)
}

func TunedUnboundedMPMC[T any](chunk int, origin uint64) *UnboundedMPMC[T] {
	return newUnboundedMPMC[T](uint32(chunk), origin)
}

func TunedSPMC[T any](capacity int, origin uint64) *SPMC[T] {
	return newSPMC[T](roundCapacity("", capacity), origin)
}

func TunedMPMC[T any](capacity int, origin uint64) *MPMC[T] {
	return newMPMC[T](roundCapacity("", capacity), origin)
}

// ClaimOnly claims a slot and leaves it unfilled, as a producer that was interrupted.
func (q *MPSC[T]) ClaimOnly() (fill func(T)) {
	t, _ := q.claim(1, oneClaimed, false)
	return func(v T) { s := q.slot(t); s.v = v; s.end.Store(t + 1) }
}

// ClaimOnly claims a slot and leaves it unfilled, as a producer that was interrupted.
func (q *MPMC[T]) ClaimOnly() (fill func(T)) {
	t, _ := q.claimFree(1, oneClaimed)
	return func(v T) { q.fill(q.slot(t), t, v) }
}

// ClaimOnly claims a slot and leaves it unfilled, as a producer that was interrupted.
func (q *chunkList[T]) ClaimOnly() (fill func(T)) {
	c := q.last.Load()
	s := &c.slots[c.claim.Add(1)-1]
	return func(v T) { s.v = v; s.run.Store(1) }
}

// ClaimRead claims the first element and leaves it unread.
func (q *UnboundedMPMC[T]) ClaimRead() (read func() T) {
	c, i, _ := q.claim(1)
	return func() T { return q.read(c, i) }
}

// ClaimRead claims the first element and leaves it unread.
func (q *MPMC[T]) ClaimRead() (read func() T) {
	h, _ := q.claimFilled(1)
	return func() T { return q.read(q.slot(h), h) }
}

// ClaimRead claims the first element and leaves it unread.
func (q *SPMC[T]) ClaimRead() (read func() T) {
	h, _ := q.claim(1)
	return func() T { return q.read(h) }
}

// CompactLayout returns the size of a queue without padding and where its parts lie:
// offsets in bytes, of their beginning and end.
func CompactLayout() (size uintptr, parts map[string][2]uintptr) {
	var q chain[int64, compact]
	return unsafe.Sizeof(q), map[string][2]uintptr{
		"constants":      {unsafe.Offsetof(q.first), unsafe.Offsetof(q.origin) + unsafe.Sizeof(q.origin)},
		"producer":       {unsafe.Offsetof(q.p), unsafe.Offsetof(q.published) + unsafe.Sizeof(q.published)},
		"consumer":       {unsafe.Offsetof(q.c), unsafe.Offsetof(q.c) + unsafe.Offsetof(q.c.dequeued) + unsafe.Sizeof(q.c.dequeued)},
		"consumer, rare": {unsafe.Offsetof(q.c) + unsafe.Offsetof(q.c.publishEvery), unsafe.Offsetof(q.largest) + unsafe.Sizeof(q.largest)},
	}
}
