package queue

import "iter"

// TryDequeue takes the first element. It returns false if the queue is empty, or if
// the first element is still being added.
func (q *MPSC[T]) TryDequeue() (v T, ok bool) {
	q.enter("consumer")
	if ok = q.ready(); ok {
		v = q.take()
		q.count()
	}
	q.leave()
	return v, ok
}

// TryDequeueStrict takes the first element. It returns false if and only if the
// queue is empty; it waits for a producer that is still adding the first element.
func (q *MPSC[T]) TryDequeueStrict() (v T, ok bool) {
	q.enter("consumer")
	if ok = q.readyOrEmpty(); ok {
		v = q.take()
		q.count()
	}
	q.leave()
	return v, ok
}

// Peek returns the first element and leaves it in the queue. Like TryDequeue it may
// miss one that is still being added. Peek is for the consumer.
func (q *MPSC[T]) Peek() (v T, ok bool) {
	q.enter("consumer")
	if ok = q.ready(); ok {
		v = q.slot(q.head).v
	}
	q.leave()
	return v, ok
}

// PeekStrict returns the first element and leaves it in the queue. It returns false
// if and only if the queue is empty; it waits for a producer that is still adding the
// first element. PeekStrict is for the consumer.
func (q *MPSC[T]) PeekStrict() (v T, ok bool) {
	q.enter("consumer")
	if ok = q.readyOrEmpty(); ok {
		v = q.slot(q.head).v
	}
	q.leave()
	return v, ok
}

// TryDequeueBatch moves up to len(dst) elements into dst and returns how many; it
// stops at one that is still being added. Their slots are free for the producers
// when it returns.
func (q *MPSC[T]) TryDequeueBatch(dst []T) int {
	q.enter("consumer")
	n := 0
	for n < len(dst) && q.ready() {
		dst[n] = q.take()
		n++
	}
	q.publishTaken()
	q.leave()
	return n
}

// Drain hands up to limit elements to f, from the first on, and returns how many.
// It ends early when the queue is empty or at an element that is still being added.
// Each element has left the queue when f gets it, also if f panics. f must not take
// from the queue itself. Drain panics if f is nil.
func (q *MPSC[T]) Drain(limit int, f func(T)) (n int) {
	checkCallback("Drain", f == nil)
	q.enter("consumer")
	defer func() {
		q.publishTaken()
		q.leave()
	}()
	for n < limit && q.ready() {
		v := q.take()
		q.publishIfDue()
		n++
		f(v)
	}
	return n
}

// All returns an iterator that takes elements until TryDequeue finds nothing. An
// element for which the loop's body was entered has left the queue. The body may
// call methods of the consumer.
func (q *MPSC[T]) All() iter.Seq[T] {
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

// Len returns how many elements are in the queue, from 0 to Cap. It includes elements
// that are still being added. During a TryDequeueBatch or Drain it may count elements
// that these have taken already.
func (q *MPSC[T]) Len() int { return distance(q.consumed, q.added, q.size) }

// Cap returns how many elements the queue holds at most.
func (q *MPSC[T]) Cap() int { return int(q.size) }

// IsEmpty reports whether Len is 0.
func (q *MPSC[T]) IsEmpty() bool { return q.consumed() == q.added() }

// Enqueued returns how many elements have been added since the queue was made.
func (q *MPSC[T]) Enqueued() uint64 { return q.added() - q.first }

// added returns the producers' index.
func (q *MPSC[T]) added() uint64 { return q.tail.position(q.room.Load()) }

// Dequeued returns how many elements have been taken since the queue was made. During
// a TryDequeueBatch or Drain it may leave out elements that these have taken.
func (q *MPSC[T]) Dequeued() uint64 { return q.consumed() - q.first }
