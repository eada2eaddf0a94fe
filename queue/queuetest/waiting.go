package queuetest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"
)

// waitingBatches checks EnqueueBatch, which waits for room for all elements, and
// DequeueBatch, which waits only for the first. Both return how many elements they
// moved.
func waitingBatches(c Config) error {
	if b := findWaits(c.New(2)); b.enqueueBatch == nil || b.dequeueBatch == nil {
		return nil
	}
	for _, try := range []func(Config) error{cutShort, handOverBatch, closedBatches} {
		if err := try(c); err != nil {
			return err
		}
	}
	return nil
}

// cutShort lets the context end when a part of a batch is done.
func cutShort(c Config) error {
	q := c.New(2)
	b, holds := findWaits(q), find(q).holds(2)
	if holds == unbounded {
		return nil
	}
	vs := count(holds + 3)
	soon, cancel := context.WithTimeout(context.Background(), 5*time.Millisecond)
	defer cancel()
	err := c.withTimeout("EnqueueBatch of more than fits", func() error {
		if n, err := b.enqueueBatch(soon, vs); n != holds || !errors.Is(err, context.DeadlineExceeded) {
			return fmt.Errorf("returned %d, %v where %d fit", n, err, holds)
		}
		return nil
	})
	if err != nil {
		return err
	}
	return c.withTimeout("DequeueBatch with a context that has ended", func() error {
		dst := make([]int64, holds+3)
		got := 0
		for got < holds {
			n, err := b.dequeueBatch(endedContext(), dst[got:])
			if n == 0 {
				return fmt.Errorf("returned %v after %d of %d elements", err, got, holds)
			}
			got += n
		}
		if !slices.Equal(dst[:got], vs[:holds]) {
			return fmt.Errorf("returned %v where %v were enqueued", dst[:got], vs[:holds])
		}
		if n, err := b.dequeueBatch(endedContext(), dst); n != 0 || !errors.Is(err, context.Canceled) {
			return fmt.Errorf("returned %d, %v of an empty queue", n, err)
		}
		return nil
	})
}

// handOverBatch moves a batch that is larger than the queue from a producer to a
// consumer.
func handOverBatch(c Config) error {
	ctx := context.Background()
	b := findWaits(c.New(2))
	vs := count(100)
	done := make(chan error, 1)
	go func() {
		n, err := b.enqueueBatch(ctx, vs)
		if err == nil && n != len(vs) {
			err = fmt.Errorf("EnqueueBatch returned %d of %d without an error", n, len(vs))
		}
		done <- err
	}()
	return c.withTimeout("handing over a batch that is larger than the queue", func() error {
		var got []int64
		dst := make([]int64, 7)
		for len(got) < len(vs) {
			n, err := b.dequeueBatch(ctx, dst)
			if n == 0 || err != nil {
				return finding("DequeueBatch returned %d, %v", n, err)
			}
			got = append(got, dst[:n]...)
		}
		if !slices.Equal(got, vs) {
			return finding("DequeueBatch returned %v", got)
		}
		return <-done
	})
}

// closedBatches closes a queue that holds elements.
func closedBatches(c Config) error {
	ctx := context.Background()
	b := findWaits(c.New(2))
	if b.close == nil {
		return nil
	}
	if n, err := b.enqueueBatch(ctx, []int64{1, 2}); n != 2 || err != nil {
		return finding("EnqueueBatch returned %d, %v where 2 fit", n, err)
	}
	b.close()
	return c.withTimeout("DequeueBatch after Close", func() error {
		if n, err := b.enqueueBatch(ctx, []int64{3}); n != 0 || !isClosedError(err) {
			return finding("EnqueueBatch after Close returned %d, %v", n, err)
		}
		dst, got := make([]int64, 3), []int64(nil)
		for len(got) < 2 {
			n, err := b.dequeueBatch(ctx, dst)
			if n == 0 {
				return fmt.Errorf("returned %v where %d elements were left", err, 2-len(got))
			}
			got = append(got, dst[:n]...)
		}
		if n, err := b.dequeueBatch(ctx, dst); n != 0 || !isClosedError(err) || !slices.Equal(got, []int64{1, 2}) {
			return fmt.Errorf("returned %v and then %d, %v", got, n, err)
		}
		return nil
	})
}

// waitingAll checks the iterator that waits: break, a context that ends, Close.
func waitingAll(c Config) error {
	b := findWaits(c.New(8))
	if b.all == nil {
		return nil
	}
	for i := range int64(5) {
		if err := b.enqueue(context.Background(), i); err != nil {
			return err
		}
	}
	next := int64(0)
	take := func(ctx context.Context, until int64) error {
		for v := range b.all(ctx) {
			if v != next {
				return finding("All yielded%d where %d is first", v, next)
			}
			if next++; next == until {
				break
			}
		}
		if next != until {
			return finding("All ended after %d of %d elements", next, until)
		}
		return nil
	}
	return c.withTimeout("All", func() error {
		if err := take(context.Background(), 2); err != nil {
			return err
		}
		soon, cancel := context.WithTimeout(context.Background(), time.Millisecond)
		defer cancel()
		if err := take(soon, 5); err != nil {
			return err
		}
		for v := range b.all(soon) {
			return finding("All yielded%d of an empty queue", v)
		}
		if b.close == nil {
			return nil
		}
		if err := b.enqueue(context.Background(), 5); err != nil {
			return err
		}
		b.close()
		if err := take(context.Background(), 6); err != nil {
			return err
		}
		for v := range b.all(context.Background()) {
			return finding("All yielded%d of an empty queue that was closed", v)
		}
		return nil
	})
}

// count returns 0, 1, … n-1.
func count(n int) []int64 {
	vs := make([]int64, n)
	for i := range vs {
		vs[i] = int64(i)
	}
	return vs
}

// takeSome waits for elements by the method of the given number, and reports whether
// more may come.
func (w waits[T]) takeSome(way int) (vs []T, more bool) {
	ctx := context.Background()
	switch {
	case way == 0 && w.dequeueBatch != nil:
		dst := make([]T, 3)
		n, err := w.dequeueBatch(ctx, dst)
		return dst[:n], err == nil
	case way == 1 && w.all != nil:
		for v := range w.all(ctx) {
			if vs = append(vs, v); len(vs) == 3 {
				return vs, true
			}
		}
		return vs, false
	}
	v, err := w.dequeue(ctx)
	if err != nil {
		return nil, false
	}
	return []T{v}, true
}
