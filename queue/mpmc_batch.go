package queue

// TryEnqueueBatch adds as many of the elements as there are free slots for, from the
// first on, and returns how many. They lie one behind the other. They are claimed
// together, by one atomic operation, and become visible one by one.
func (q *MPMC[T]) TryEnqueueBatch(vs []T) int {
	t, n := q.claimFree(len(vs), oneClaimed)
	q.fillAll(t, vs[:n])
	return n
}

// fillAll writes elements to positions that were claimed.
func (q *MPMC[T]) fillAll(t uint64, vs []T) {
	for i, v := range vs {
		position := t + uint64(i)
		q.fill(q.slot(position), position, v)
	}
}

// Fill adds up to limit elements that f returns, and returns how many. f is called only
// when there is a free slot for its element: Fill reserves up to 32 slots before it calls
// f for their elements, and claims them when f has returned all of these. So consumers
// do not wait for f, but other producers find less room meanwhile. The elements of 32
// calls lie one behind the other; those of other producers may come between them and the
// next. If f panics, the elements before are added. f may call all methods of the
// queue. Fill panics if f is nil.
func (q *MPMC[T]) Fill(limit int, f func() T) (n int) {
	checkCallback("Fill", f == nil)
	for n < limit {
		_, reserved := q.claimFree(min(limit-n, fillBatch), oneReserved)
		if reserved == 0 {
			break
		}
		q.fillReserved(reserved, f)
		n += reserved
	}
	return n
}

// fillReserved adds so many elements that f returns, for which slots were reserved.
func (q *MPMC[T]) fillReserved(reserved int, f func() T) {
	var buffer [fillBatch]T
	n := 0
	defer func() { // also if f panics
		w := q.tail.redeem(n, reserved)
		q.fillAll(w.position(q.head.Load()), buffer[:n])
	}()
	for ; n < reserved; n++ {
		buffer[n] = f()
	}
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

// claimFree claims up to want positions whose slots are free, or reserves so many slots
// if unit is oneReserved.
func (q *MPMC[T]) claimFree(want int, unit uint64) (t uint64, n int) {
	for want > 0 {
		w := q.tail.load()
		turn := q.slot(w.end()).turn.Load()
		end := near(w.end(), turn)
		if before(turn, end) {
			break
		}
		// Free slots stay free until the tail changes, and then the exchange fails.
		most := int(w.limitAdd(uint64(want), unit))
		for n = 0; n < most && q.slot(end+uint64(n)).turn.Load() == end+uint64(n); n++ {
		}
		if most == 0 || n > 0 && q.tail.add(w, uint64(n), unit) {
			return end - w.reserved(), n
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
