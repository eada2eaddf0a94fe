package queuetest

import (
	"context"
	"errors"
	"iter"
	"time"
)

// Blocking has the methods that wait. They succeed without waiting if they can, even
// if the context has ended. After Close, elements that are in the queue can still be
// taken; then Dequeue returns an error that must not be one of package context.
type Blocking[T any] interface {
	Enqueue(ctx context.Context, v T) error
	Dequeue(ctx context.Context) (T, error)
}

// waits are the methods that wait; those that a queue lacks are nil.
type waits[T any] struct {
	enqueue      func(context.Context, T) error
	dequeue      func(context.Context) (T, error)
	enqueueBatch func(context.Context, []T) (int, error)
	dequeueBatch func(context.Context, []T) (int, error)
	all          func(context.Context) iter.Seq[T]
	close        func()
}

// findWaits returns the methods that wait, found by assertion. An error of Close is
// ignored.
func findWaits[T any](q Queue[T]) (w waits[T]) {
	b, ok := q.(Blocking[T])
	if !ok {
		return w
	}
	w.enqueue, w.dequeue = b.Enqueue, b.Dequeue
	if q, ok := q.(interface {
		EnqueueBatch(context.Context, []T) (int, error)
	}); ok {
		w.enqueueBatch = q.EnqueueBatch
	}
	if q, ok := q.(interface {
		DequeueBatch(context.Context, []T) (int, error)
	}); ok {
		w.dequeueBatch = q.DequeueBatch
	}
	if q, ok := q.(interface {
		All(context.Context) iter.Seq[T]
	}); ok {
		w.all = q.All
	}
	switch q := q.(type) {
	case interface{ Close() }:
		w.close = q.Close
	case interface{ Close() error }:
		w.close = func() { _ = q.Close() }
	}
	return w
}

// available reports whether the queue has methods that wait.
func (w waits[T]) available() bool { return w.enqueue != nil }

// endedContext returns a context that has ended.
func endedContext() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}

// endingSoon returns a context that ends within a time, or has ended.
func endingSoon(n int, most time.Duration) (context.Context, context.CancelFunc) {
	if n%4 == 0 {
		return endedContext(), func() {}
	}
	return context.WithTimeout(context.Background(), most*time.Duration(1+n%16)/16)
}

// isClosedError reports whether an error means that the queue is closed, and not that
// a context has ended.
func isClosedError(err error) bool {
	return err != nil && !errors.Is(err, context.Canceled) && !errors.Is(err, context.DeadlineExceeded)
}

// longWait is how long a call of a history waits at most.
const longWait = 60 * time.Microsecond

func (c *client) endingSoon() (context.Context, context.CancelFunc) {
	if c.alone {
		return endedContext(), func() {} // nothing can end the wait
	}
	return endingSoon(c.random.IntN(1<<10), longWait)
}

func (c *client) putWaiting() {
	id := c.nextID()
	if id == 0 {
		return
	}
	ctx, cancel := c.endingSoon()
	defer cancel()
	op := operation{kind: enqueue, method: "Enqueue", ids: []byte{id}}
	call := c.clock.Add(1)
	err := c.m.waits.enqueue(ctx, int64(id))
	if op.closed = isClosedError(err); err == nil {
		op.n = 1
	}
	c.record(call, op)
}

// putBatchWaiting offers several elements. Each element that is taken counts as an
// operation, and so does the refusal of the first that is not.
func (c *client) putBatchWaiting() {
	ids := c.nextIDs(1 + c.random.IntN(5))
	vs := make([]int64, len(ids))
	for i, id := range ids {
		vs[i] = int64(id)
	}
	ctx, cancel := c.endingSoon()
	defer cancel()
	call := c.clock.Add(1)
	n, err := c.m.waits.enqueueBatch(ctx, vs)
	var ops []operation
	for i, id := range ids[:min(n+1, len(ids))] {
		op := operation{kind: enqueue, method: "EnqueueBatch", ids: []byte{id}, closed: isClosedError(err)}
		if i < n {
			op.n = 1
		}
		ops = append(ops, op)
	}
	c.recordTogether(call, ops)
}

func (c *client) takeWaiting() {
	ctx, cancel := c.endingSoon()
	defer cancel()
	op := operation{kind: dequeue, method: "Dequeue", n: 1}
	call := c.clock.Add(1)
	v, err := c.m.waits.dequeue(ctx)
	if op.closed = isClosedError(err); err == nil {
		op.ids = []byte{idOf(v)}
	}
	c.record(call, op)
}

func (c *client) takeBatchWaiting() {
	ctx, cancel := c.endingSoon()
	defer cancel()
	dst := make([]int64, 1+c.random.IntN(5))
	call := c.clock.Add(1)
	n, err := c.m.waits.dequeueBatch(ctx, dst)
	var got []byte
	for _, v := range dst[:n] {
		got = append(got, idOf(v))
	}
	if n == 0 {
		c.record(call, operation{kind: dequeue, method: "DequeueBatch", n: 1, closed: isClosedError(err)})
		return
	}
	c.recordDequeued(call, "DequeueBatch", got)
}

func (c *client) allWaiting() {
	ctx, cancel := c.endingSoon()
	defer cancel()
	var got []byte
	stop := 1 + c.random.IntN(4)
	call := c.clock.Add(1)
	for v := range c.m.waits.all(ctx) {
		if got = append(got, idOf(v)); len(got) == stop {
			break
		}
	}
	c.recordDequeued(call, "All", got)
}
