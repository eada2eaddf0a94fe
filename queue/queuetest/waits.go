package queuetest

import (
	"context"
	"errors"
	"iter"
	"time"
)

// Blocking is the layer that waits. An element that is there, or room, is taken
// before the context is looked at. Close ends the elements: those that are in the
// queue can still be taken, then Dequeue returns an error, which must not be one of
// package context.
type Blocking[T any] interface {
	Enqueue(ctx context.Context, v T) error
	Dequeue(ctx context.Context) (T, error)
}

// waits are the methods that wait; what a queue lacks is nil.
type waits[T any] struct {
	enqueue      func(context.Context, T) error
	dequeue      func(context.Context) (T, error)
	enqueueBatch func(context.Context, []T) (int, error)
	dequeueBatch func(context.Context, []T) (int, error)
	all          func(context.Context) iter.Seq[T]
	close        func()
}

// findWaits asks a queue for the layer that waits. Close may return an error that
// says it was closed before, which does not matter here.
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

// there says whether the queue has the layer at all.
func (w waits[T]) there() bool { return w.enqueue != nil }

// ended is a context that has ended already.
func ended() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}

// soon returns a context that ends within a time, or has ended.
func soon(n int, most time.Duration) (context.Context, context.CancelFunc) {
	if n%4 == 0 {
		return ended(), func() {}
	}
	return context.WithTimeout(context.Background(), most*time.Duration(1+n%16)/16)
}

// saysClosed tells the error that means the end of the elements from those of a
// context.
func saysClosed(err error) bool {
	return err != nil && !errors.Is(err, context.Canceled) && !errors.Is(err, context.DeadlineExceeded)
}

// longWait is how long a call of a history waits at most.
const longWait = 60 * time.Microsecond

func (c *client) soon() (context.Context, context.CancelFunc) {
	if c.alone {
		return ended(), func() {} // to wait would be in vain
	}
	return soon(c.random.IntN(1<<10), longWait)
}

func (c *client) putWaiting() {
	id := c.nextID()
	if id == 0 {
		return
	}
	ctx, cancel := c.soon()
	defer cancel()
	op := operation{kind: enqueue, method: "Enqueue", ids: []byte{id}}
	call := c.clock.Add(1)
	err := c.m.waits.enqueue(ctx, int64(id))
	if op.closed = saysClosed(err); err == nil {
		op.n = 1
	}
	c.record(call, op)
}

// putBatchWaiting offers a few elements, each of which counts as an operation, and
// so does the refusal of the first that was not taken.
func (c *client) putBatchWaiting() {
	ids := c.nextIDs(1 + c.random.IntN(5))
	vs := make([]int64, len(ids))
	for i, id := range ids {
		vs[i] = int64(id)
	}
	ctx, cancel := c.soon()
	defer cancel()
	call := c.clock.Add(1)
	n, err := c.m.waits.enqueueBatch(ctx, vs)
	var ops []operation
	for i, id := range ids[:min(n+1, len(ids))] {
		op := operation{kind: enqueue, method: "EnqueueBatch", ids: []byte{id}, closed: saysClosed(err)}
		if i < n {
			op.n = 1
		}
		ops = append(ops, op)
	}
	c.together(call, ops)
}

func (c *client) takeWaiting() {
	ctx, cancel := c.soon()
	defer cancel()
	op := operation{kind: dequeue, method: "Dequeue", n: 1}
	call := c.clock.Add(1)
	v, err := c.m.waits.dequeue(ctx)
	if op.closed = saysClosed(err); err == nil {
		op.ids = []byte{idOf(v)}
	}
	c.record(call, op)
}

func (c *client) takeBatchWaiting() {
	ctx, cancel := c.soon()
	defer cancel()
	dst := make([]int64, 1+c.random.IntN(5))
	call := c.clock.Add(1)
	n, err := c.m.waits.dequeueBatch(ctx, dst)
	var got []byte
	for _, v := range dst[:n] {
		got = append(got, idOf(v))
	}
	if n == 0 {
		c.record(call, operation{kind: dequeue, method: "DequeueBatch", n: 1, closed: saysClosed(err)})
		return
	}
	c.taken(call, "DequeueBatch", got)
}

func (c *client) allWaiting() {
	ctx, cancel := c.soon()
	defer cancel()
	var got []byte
	stop := 1 + c.random.IntN(4)
	call := c.clock.Add(1)
	for v := range c.m.waits.all(ctx) {
		if got = append(got, idOf(v)); len(got) == stop {
			break
		}
	}
	c.taken(call, "All", got)
}
