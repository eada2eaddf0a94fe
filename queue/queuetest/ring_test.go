package queuetest

import (
	"context"
	"errors"
	"iter"
	"runtime"
	"sync"
	"sync/atomic"
)

// bug is a fault that a ring has.
type bug string

// ring is a bounded queue behind a mutex, with all methods, that can be made
// faulty. Its faults are those that lock-free queues are known for.
type ring[T any] struct {
	bug
	mu       sync.Mutex
	slots    []T
	in, out  uint64 // of the next element to put in, to take out
	freed    uint64 // out, as far as producers know it
	shown    uint64 // in, as far as consumers know it
	buffered uint64 // how many elements may wait for a Flush
	aside    []T    // fault: an element that waits outside
	last     T      // fault: the element that was taken last
	closed   chan struct{}
	once     sync.Once
	weight   atomic.Int64
}

func newRing[T any](capacity int, b bug) *ring[T] {
	q := &ring[T]{bug: b, slots: make([]T, capacity), closed: make(chan struct{})}
	if b == "compares indices that wrap" {
		q.in = 1<<64 - 5
		q.out, q.freed, q.shown = q.in, q.in, q.in
	}
	return q
}

// lock takes the mutex. It returns false if another goroutine has it and the
// fault is to do something else then.
func (q *ring[T]) lock(b bug) bool {
	if b != "" && q.bug == b {
		return q.mu.TryLock()
	}
	q.mu.Lock()
	q.linger(20)
	return true
}

// linger takes a while, to be met by others in the middle of something, and now
// and then lets them run, for there may be one processor only.
func (q *ring[T]) linger(steps int) {
	for range steps {
		if q.weight.Add(1)%512 == 0 {
			runtime.Gosched()
		}
	}
}

func (q *ring[T]) slot(i uint64) *T { return &q.slots[i%uint64(len(q.slots))] }

func (q *ring[T]) full() bool {
	switch {
	case q.bug == "takes one too many":
		return q.in-q.freed >= uint64(len(q.slots))+1
	case q.bug == "compares indices that wrap":
		return q.in >= q.freed+uint64(len(q.slots))
	}
	return q.in-q.freed >= uint64(len(q.slots))
}

func (q *ring[T]) TryEnqueue(v T) bool {
	if !q.lock("loses an element on a lost race") {
		return true
	}
	defer q.mu.Unlock()
	return q.put(v)
}

func (q *ring[T]) put(v T) bool {
	if q.over() != nil && q.bug != "takes elements after Close" {
		return false
	}
	if q.full() {
		if q.bug == "keeps what it refused" {
			q.last = v
		}
		return false
	}
	if q.bug == "allocates" {
		q.aside = append([]T(nil), v, v, v)
	}
	*q.slot(q.in) = v
	q.in++
	if q.buffered == 0 || q.in-q.shown > q.buffered {
		q.shown = q.in
	}
	return true
}

func (q *ring[T]) TryDequeue() (v T, ok bool) {
	if !q.lock("is falsely empty while busy") {
		return v, false
	}
	defer q.mu.Unlock()
	return q.take()
}

func (q *ring[T]) take() (v T, ok bool) {
	var zero T
	if q.shown == q.out {
		if q.bug != "never frees the last places" {
			q.freed = q.out
		}
		return v, false
	}
	if q.bug == "takes the youngest first" {
		q.in--
		q.shown--
		v = *q.slot(q.in)
		return v, true
	}
	v = *q.slot(q.out)
	if q.bug != "keeps references" {
		*q.slot(q.out) = zero
	}
	q.out++
	lazy := q.bug == "frees places late" || q.bug == "never frees the last places"
	if !lazy || q.out-q.freed > 2 {
		q.freed = q.out
	}
	return v, true
}

func (q *ring[T]) TryDequeueStrict() (T, bool) {
	if q.bug == "is not strict when it says so" {
		if !q.mu.TryLock() {
			var zero T
			return zero, false
		}
	} else {
		q.mu.Lock()
	}
	defer q.mu.Unlock()
	return q.take()
}

func (q *ring[T]) TryEnqueueBatch(vs []T) int {
	q.lock("")
	defer q.mu.Unlock()
	for n, v := range vs {
		if !q.put(v) {
			return n
		}
		if q.bug == "shows a batch in parts" {
			q.mu.Unlock()
			q.linger(50)
			q.mu.Lock()
		}
	}
	return len(vs)
}

func (q *ring[T]) TryDequeueBatch(dst []T) int {
	q.lock("")
	defer q.mu.Unlock()
	for n := range dst {
		v, ok := q.take()
		if !ok {
			return n
		}
		dst[n] = v
	}
	if q.bug == "turns batches round" && len(dst) > 1 {
		dst[0], dst[1] = dst[1], dst[0]
	}
	return len(dst)
}

func (q *ring[T]) Fill(limit int, f func() T) int {
	for n := range limit {
		q.lock("")
		full := q.full()
		q.mu.Unlock()
		if full && q.bug != "fills without asking for room" || !q.TryEnqueue(f()) {
			return n
		}
	}
	return limit
}

func (q *ring[T]) Drain(limit int, f func(T)) int {
	if f == nil {
		panic("nil callback")
	}
	q.lock("")
	var got []T
	for range limit {
		v, ok := q.take()
		if !ok {
			break
		}
		if got = append(got, v); q.bug == "loses what a panic left" {
			continue
		}
		q.mu.Unlock()
		f(v)
		q.lock("")
	}
	q.mu.Unlock()
	if q.bug == "loses what a panic left" {
		for _, v := range got {
			f(v)
		}
	}
	return len(got)
}

func (q *ring[T]) All() iter.Seq[T] {
	return func(yield func(T) bool) {
		for v, ok := q.TryDequeue(); ok; v, ok = q.TryDequeue() {
			if !yield(v) {
				if q.bug == "loses an element at a break" {
					q.TryDequeue()
				}
				return
			}
		}
	}
}

func (q *ring[T]) Cap() int { return len(q.slots) }

func (q *ring[T]) Len() int {
	if q.bug == "is longer than it can be" {
		q.lock("")
		out := q.out
		q.mu.Unlock()
		q.linger(512)
		q.lock("")
		defer q.mu.Unlock()
		return int(q.in - out)
	}
	q.lock("")
	defer q.mu.Unlock()
	return int(q.in - q.out)
}

func (q *ring[T]) IsEmpty() bool { return q.bug != "says it is not empty" && q.Len() == 0 }

func (q *ring[T]) Enqueued() uint64 {
	q.lock("")
	defer q.mu.Unlock()
	if q.bug == "counts backwards" {
		return q.in - q.out
	}
	return q.in
}

func (q *ring[T]) Dequeued() uint64 {
	q.lock("")
	defer q.mu.Unlock()
	return q.out
}

var errClosed = errors.New("closed")

func (q *ring[T]) Enqueue(ctx context.Context, v T) error {
	for {
		if err := q.over(); err != nil {
			return err
		}
		if q.TryEnqueue(v) {
			return nil
		}
		if err := q.wait(ctx); err != nil {
			return err
		}
	}
}

func (q *ring[T]) Dequeue(ctx context.Context) (T, error) {
	for {
		over := q.over()
		take := q.TryDequeue
		if over != nil {
			take = q.TryDequeueStrict // there is no second attempt
		}
		if v, ok := take(); ok && (over == nil || q.bug != "forgets the rest at Close") {
			return v, nil
		}
		if err := q.wait(ctx); err != nil && q.bug != "ignores its context" {
			var zero T
			return zero, err
		}
		if over != nil {
			var zero T
			return zero, over
		}
	}
}

// wait polls: this is no queue to learn from.
func (q *ring[T]) wait(ctx context.Context) error {
	runtime.Gosched()
	return ctx.Err()
}

func (q *ring[T]) over() error {
	select {
	case <-q.closed:
		return errClosed
	default:
		return nil
	}
}

func (q *ring[T]) Close() {
	q.lock("")
	defer q.mu.Unlock()
	q.once.Do(func() { close(q.closed) })
}
