package queue

// TryEnqueueBatch adds as many of the elements as there are free slots for, from the
// first on, and returns how many. They lie one behind the other. They are claimed
// together, by one atomic operation, and become visible one by one.
func (q *MPMC[T]) TryEnqueueBatch(vs []T) int {
	t, n := q.claimFree(len(vs))
	for i, v := range vs[:n] {
		position := t + uint64(i)
		q.fill(q.slot(position), position, v)
	}
	return n
}

// TryDequeueBatch moves up to len(dst) elements into dst, neighbours in the queue,
// and returns how many; it stops at one that is still being added.
func (q *MPMC[T]) TryDequeueBatch(dst []T) int {
	h, n := q.claimFilled(len(dst))
	for i := range n {
		position := h + uint64(i)
		dst[i] = q.read(q.slot(position), position)
	}
	return n
}

// claimFree claims up to want positions whose slots are free.
func (q *MPMC[T]) claimFree(want int) (t uint64, n int) {
	for want > 0 {
		t = q.tail.Load()
		turn := q.slot(t).turn.Load()
		if before(turn, t) {
			break
		}
		// Free slots stay free until the tail moves, and then the exchange fails.
		for n = 0; n < want && q.slot(t+uint64(n)).turn.Load() == t+uint64(n); n++ {
		}
		if n > 0 && q.tail.CompareAndSwap(t, t+uint64(n)) {
			return t, n
		}
	}
	return t, 0
}

// claimFilled claims up to want positions whose slots are filled.
func (q *MPMC[T]) claimFilled(want int) (h uint64, n int) {
	for want > 0 {
		h = q.head.Load()
		turn := q.slot(h).turn.Load()
		if before(turn, h+1) {
			break
		}
		for n = 0; n < want && q.slot(h+uint64(n)).turn.Load() == h+uint64(n)+1; n++ {
		}
		if n > 0 && q.head.CompareAndSwap(h, h+uint64(n)) {
			return h, n
		}
	}
	return h, 0
}
