package queue

import "iter"

// TryDequeue takes the first element. It returns false if and only if the queue is
// empty.
func (q *chain[T, P]) TryDequeue() (v T, ok bool) {
	c := &q.c
	c.enter("consumer")
	h := c.head
	if h == c.limit {
		if !q.findElements() {
			c.leave()
			return v, false
		}
		h = c.head // a BufferedConsumer may have taken elements before
	}
	slot := at(c.slots, h)
	v = *slot
	if c.clears {
		var zero T
		*slot = zero
	}
	c.head = h + 1
	c.dequeued.Store(h + 1)
	if h+1-c.accounted >= c.publishEvery {
		q.publishTaken()
	}
	c.leave()
	return v, true
}

// Peek returns the first element and leaves it in the queue. It returns false if
// and only if the queue is empty. Peek is for the consumer.
func (q *chain[T, P]) Peek() (v T, ok bool) {
	c := &q.c
	c.enter("consumer")
	if ok = c.head != c.limit || q.findElements(); ok {
		v = *at(c.slots, c.head)
	}
	c.leave()
	return v, ok
}

// TryDequeueBatch moves up to len(dst) elements into dst and returns how many. Their
// slots are free for the producer when it returns.
func (q *chain[T, P]) TryDequeueBatch(dst []T) int {
	c := &q.c
	c.enter("consumer")
	n := 0
	for n < len(dst) {
		if c.limit-c.head < uint64(len(dst)-n) && !q.findElements() {
			break
		}
		n += c.moveTo(dst[n:])
	}
	q.publishTaken()
	c.leave()
	return n
}

// moveTo moves elements before limit into dst and returns how many.
func (c *chainConsumer[T]) moveTo(dst []T) int {
	i := c.head & uint64(len(c.slots)-1)
	first := c.slots[i:min(i+c.limit-c.head, uint64(len(c.slots)))]
	n := copy(dst, first)
	rest := c.slots[:c.limit-c.head-uint64(len(first))]
	m := copy(dst[n:], rest)
	if c.clears {
		clear(first[:n])
		clear(rest[:m])
	}
	c.head += uint64(n + m)
	return n + m
}

// Drain hands up to limit elements to f, from the first on, and returns how many.
// It ends early when the queue is empty. Each element has left the queue when f
// gets it, also if f panics. f must not take from the queue itself. Drain panics
// if f is nil.
func (q *chain[T, P]) Drain(limit int, f func(T)) (n int) {
	checkCallback("Drain", f == nil)
	c := &q.c
	c.enter("consumer")
	defer func() {
		q.publishTaken()
		c.leave()
	}()
	for n < limit {
		v, ok := q.take()
		if !ok {
			break
		}
		n++
		f(v)
	}
	return n
}

// All returns an iterator that takes elements until the queue is empty. An element
// for which the loop's body was entered has left the queue. The body may call
// methods of the consumer.
func (q *chain[T, P]) All() iter.Seq[T] {
	return func(yield func(T) bool) {
		defer q.release()
		for {
			v, ok := q.TryDequeue()
			if !ok || !yield(v) {
				return
			}
		}
	}
}

// take is TryDequeue within a method of the consumer.
func (q *chain[T, P]) take() (v T, ok bool) {
	c := &q.c
	if c.head == c.limit && !q.findElements() {
		return v, false
	}
	slot := at(c.slots, c.head)
	v = *slot
	if c.clears {
		var zero T
		*slot = zero
	}
	c.head++
	if c.head-c.accounted >= c.publishEvery {
		q.publishTaken()
	}
	return v, true
}

// release calls publishTaken from outside a consumer's method.
func (q *chain[T, P]) release() {
	q.c.enter("consumer")
	q.publishTaken()
	q.c.leave()
}

// Len returns how many elements are in the queue: from 0 to Cap. During a
// TryDequeueBatch or Drain it may count elements that these have taken already.
func (q *chain[T, P]) Len() int { return distance(q.consumed, q.published.Load, q.bound) }

// IsEmpty reports whether Len is 0.
func (q *chain[T, P]) IsEmpty() bool { return q.consumed() == q.published.Load() }

// Enqueued returns how many elements have been added since the queue was made.
func (q *chain[T, P]) Enqueued() uint64 { return q.published.Load() - q.origin }

// Dequeued returns how many elements have been taken since the queue was made. During
// a TryDequeueBatch or Drain it may leave out elements that these have taken.
func (q *chain[T, P]) Dequeued() uint64 { return q.consumed() - q.origin }
