package queue

import (
	"context"
	"errors"
	"iter"
	"reflect"

	"github.com/tarebench/tare/internal/base/cacheline"
)

// ErrClosed is returned by Enqueue after Close, and by Dequeue after Close when no
// element is left.
var ErrClosed = errors.New("queue: closed")

// Queue has the methods that every queue of this package has.
type Queue[T any] interface {
	TryEnqueue(v T) bool
	TryDequeue() (T, bool)
}

// A Blocking wraps a queue with calls that wait for room or for an element until
// their context ends. The number of goroutines that may call Enqueue and Dequeue at
// the same time is that of the wrapped queue. Of the wrapped queue, only Len, Cap
// and the other methods for any goroutine may still be called directly.
//
// A call that need not wait succeeds even if its context has ended.
//
// After Close, elements that were enqueued before can still be dequeued; then
// Dequeue returns [ErrClosed]. Any goroutine may call Close, also more than once.
//
// ErrClosed of Dequeue is final: no element comes afterwards, not even one of a call that
// overlapped with Close. What Enqueue, TryEnqueue and EnqueueBatch report is exact: consumers that
// dequeue until ErrClosed get the elements that were reported as added, and no others. For
// this, producers count themselves in and out of each attempt, which takes some ns. Elements that
// are enqueued to the wrapped queue directly are not counted.
//
// Each Dequeue publishes the room that it frees, whatever the wrapped type does, so
// that Enqueue waits only if the queue is full. EnqueueBatch and DequeueBatch have
// much higher throughput.
type Blocking[T any] struct {
	q         Queue[T]
	batchIn   func([]T) int    // nil if q has no batches
	batchOut  func([]T) int    // nil if q has no batches
	strictIn  func(T) bool     // q.TryEnqueue if q has nothing stricter
	strictOut func() (T, bool) // q.TryDequeue if q has nothing stricter
	publish   func()           // publishes the room of dequeued elements; nil if the queue always does
	wait      Wait
	mayPanic  bool // q, in a call that adds: then leaving the gate is deferred, which takes some ns
	done      chan struct{}
	gate      gate // of producers
	toConsume waitSide
	_         cacheline.Line
	toProduce waitSide
	_         cacheline.Line
}

// NewBlocking returns a Blocking around a queue, which must be safe for the
// goroutines that use it. It uses the batch and strict methods, the counts and the
// capacity if the queue has them. NewBlocking panics if the queue is nil or w is not
// a constant of type Wait.
func NewBlocking[T any](q Queue[T], w Wait) *Blocking[T] {
	if isNil(q) {
		panic("queue: NewBlocking: q is nil")
	}
	if w < Park || w > Spin {
		panic("queue: NewBlocking: no such Wait")
	}
	b := &Blocking[T]{q: q, wait: w, done: make(chan struct{}), strictIn: q.TryEnqueue, strictOut: q.TryDequeue, mayPanic: checksRoles || !isOfPackage(q)}
	if q, ok := q.(interface{ TryEnqueueStrict(T) bool }); ok {
		b.strictIn = q.TryEnqueueStrict
	}
	if q, ok := q.(interface{ TryDequeueStrict() (T, bool) }); ok {
		b.strictOut = q.TryDequeueStrict
	}
	if q, ok := q.(interface{ TryEnqueueBatch([]T) int }); ok {
		b.batchIn = q.TryEnqueueBatch
	}
	if q, ok := q.(interface{ TryDequeueBatch([]T) int }); ok {
		b.batchOut = q.TryDequeueBatch
	}
	if q, ok := q.(interface{ release() }); ok {
		b.publish = q.release
	}
	b.measure()
	return b
}

// isNil reports whether q is nil, or holds a nil pointer, function, map or channel.
func isNil(q any) bool {
	if q == nil {
		return true
	}
	switch v := reflect.ValueOf(q); v.Kind() {
	case reflect.Pointer, reflect.Func, reflect.Map, reflect.Chan:
		return v.IsNil()
	}
	return false
}

// isOfPackage reports whether q is a queue of this package. Those of others may panic in TryEnqueue.
func isOfPackage(q any) bool {
	t := reflect.TypeOf(q)
	return t.Kind() == reflect.Pointer && t.Elem().PkgPath() == reflect.TypeFor[gate]().PkgPath()
}

// measure finds the capacity and the counts by which waits adapt their length.
func (b *Blocking[T]) measure() {
	back := Backoff{few: usualFew, many: usualMany}
	if q, ok := b.q.(interface{ Cap() int }); ok && q.Cap() >= 0 {
		back = NewBackoff(q.Cap())
	}
	b.toConsume.few, b.toConsume.many = back.few, back.many
	b.toProduce.few, b.toProduce.many = back.few, back.many
	if q, ok := b.q.(interface{ Dequeued() uint64 }); ok {
		b.toConsume.count = q.Dequeued
	}
	if q, ok := b.q.(interface{ Enqueued() uint64 }); ok {
		b.toProduce.count = q.Enqueued
	}
}

// TryEnqueue adds an element at the end without waiting. It returns false if the
// wrapped queue does, and after Close.
func (b *Blocking[T]) TryEnqueue(v T) bool {
	ok, _ := b.attempt(b.q.TryEnqueue, v)
	return ok
}

// attempt adds an element if there is room, and wakes a consumer up. It returns ErrClosed
// after Close.
func (b *Blocking[T]) attempt(add func(T) bool, v T) (ok bool, err error) {
	i, open := b.gate.enter()
	if !open {
		return false, ErrClosed
	}
	if b.mayPanic {
		ok = b.inside(i, add, v)
	} else {
		ok = add(v)
		b.gate.leave(i)
	}
	if ok {
		b.toConsume.wakeUp(1)
	}
	return ok, nil
}

// inside adds an element and leaves the gate, also if add panics: consumers wait for all that are in.
func (b *Blocking[T]) inside(i uint32, add func(T) bool, v T) bool {
	defer b.gate.leave(i)
	return add(v)
}

// Enqueue adds an element at the end, and waits for room. It returns the context's
// error if that ends first, or ErrClosed.
func (b *Blocking[T]) Enqueue(ctx context.Context, v T) error {
	needContext(ctx, "Enqueue")
	if ok, err := b.attempt(b.q.TryEnqueue, v); ok || err != nil {
		return err
	}
	st := b.toProduce.begin(b.wait)
	defer st.end()
	for {
		if err := st.pause(ctx, b.done); err != nil {
			return err
		}
		add := b.q.TryEnqueue
		if st.registered() {
			add = b.strictIn
		}
		if ok, err := b.attempt(add, v); ok || err != nil {
			return err
		}
	}
}

// EnqueueBatch adds all elements, and waits for room as often as needed. It returns
// how many it has added. If that is not all, it also returns the context's error or
// ErrClosed.
func (b *Blocking[T]) EnqueueBatch(ctx context.Context, vs []T) (n int, err error) {
	needContext(ctx, "EnqueueBatch")
	for n < len(vs) {
		m, err := b.tryBatch(vs[n:])
		if m == 0 && err == nil {
			if err = b.Enqueue(ctx, vs[n]); err == nil {
				m = 1
			}
		}
		n += m
		if err != nil {
			return n, err
		}
	}
	return n, nil
}

// tryBatch adds as many elements as there is room for, if the queue has batches.
func (b *Blocking[T]) tryBatch(vs []T) (n int, err error) {
	if b.batchIn == nil {
		return 0, nil
	}
	i, open := b.gate.enter()
	if !open {
		return 0, ErrClosed
	}
	if b.mayPanic {
		n = b.insideBatch(i, vs)
	} else {
		n = b.batchIn(vs)
		b.gate.leave(i)
	}
	if n > 0 {
		b.toConsume.wakeUp(n)
	}
	return n, nil
}

func (b *Blocking[T]) insideBatch(i uint32, vs []T) int {
	defer b.gate.leave(i)
	return b.batchIn(vs)
}

// TryDequeue takes the first element without waiting. It returns false if the
// wrapped queue does.
func (b *Blocking[T]) TryDequeue() (v T, ok bool) {
	if v, ok = b.q.TryDequeue(); ok {
		b.removed(1)
	}
	return v, ok
}

// Dequeue takes the first element, and waits for one. It returns the context's error
// if that ends first, or ErrClosed.
func (b *Blocking[T]) Dequeue(ctx context.Context) (v T, err error) {
	needContext(ctx, "Dequeue")
	v, ok := b.TryDequeue()
	if ok {
		return v, nil
	}
	st := b.toConsume.begin(b.wait)
	defer st.end()
	for {
		if b.Closed() {
			return b.rest(ctx)
		}
		if err := st.pause(ctx, b.done); err != nil {
			return v, err
		}
		if st.registered() {
			v, ok = b.strictOut()
		} else {
			v, ok = b.q.TryDequeue()
		}
		if ok {
			b.removed(1)
			return v, nil
		}
	}
}

// rest takes the first element of a queue that was closed, once no producer can add one.
func (b *Blocking[T]) rest(ctx context.Context) (v T, err error) {
	if err := b.gate.wait(ctx); err != nil {
		return v, err
	}
	v, ok := b.strictOut()
	if !ok {
		return v, ErrClosed
	}
	b.removed(1)
	return v, nil
}

// DequeueBatch takes up to len(dst) elements into dst and returns how many. It waits
// only for the first. It returns 0 with the context's error if that ends first, or
// with ErrClosed; and 0 with nil if len(dst) is 0.
func (b *Blocking[T]) DequeueBatch(ctx context.Context, dst []T) (n int, err error) {
	needContext(ctx, "DequeueBatch")
	if len(dst) == 0 {
		return 0, nil
	}
	if n = b.takeBatch(dst); n > 0 {
		return n, nil
	}
	dst[0], err = b.Dequeue(ctx)
	if err != nil {
		return 0, err
	}
	return 1 + b.takeBatch(dst[1:]), nil
}

func (b *Blocking[T]) takeBatch(dst []T) (n int) {
	if b.batchOut != nil {
		n = b.batchOut(dst)
	} else {
		for ; n < len(dst); n++ {
			v, ok := b.q.TryDequeue()
			if !ok {
				break
			}
			dst[n] = v
		}
	}
	if n > 0 {
		b.removed(n)
	}
	return n
}

// removed publishes the room of n elements and wakes up to n producers.
func (b *Blocking[T]) removed(n int) {
	if b.publish != nil {
		b.publish()
	}
	b.toProduce.wakeUp(n)
}

// All returns an iterator over the elements that Dequeue returns. It ends when the
// context does, or when the queue is closed and nothing is left.
func (b *Blocking[T]) All(ctx context.Context) iter.Seq[T] {
	needContext(ctx, "All")
	return func(yield func(T) bool) {
		for {
			v, err := b.Dequeue(ctx)
			if err != nil || !yield(v) {
				return
			}
		}
	}
}

// needContext panics without a context, also where none is needed because nothing waits.
func needContext(ctx context.Context, method string) {
	if ctx == nil {
		panic("queue: Blocking." + method + ": ctx is nil")
	}
}

// Close makes Enqueue fail, and Dequeue once the queue is empty. It does not wait for calls
// in progress. See [Blocking].
func (b *Blocking[T]) Close() {
	if b.gate.close() {
		close(b.done)
	}
}

// Closed reports whether Close was called.
func (b *Blocking[T]) Closed() bool { return b.gate.closed.Load() }
