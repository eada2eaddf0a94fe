package queuetest

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"
)

// blocking checks the methods that wait: they must return when their context ends,
// wake up for elements and room, and return all elements before they report that the
// queue is closed.
func blocking(c Config) error {
	if !findWaits(c.New(2)).available() {
		return skipped("no Enqueue and Dequeue with a context")
	}
	for _, try := range []func(Config) error{cancelled, woken, closed, final, waitingBatches, waitingAll} {
		if err := try(c); err != nil {
			return err
		}
	}
	return handOver(c)
}

// withTimeout runs f and returns an error if it hangs. A goroutine that hangs is
// abandoned.
func (c Config) withTimeout(what string, f func() error) error {
	done := make(chan error, 1)
	go func() { done <- f() }()
	select {
	case err := <-done:
		if err != nil {
			return fmt.Errorf("%s: %w", what, err)
		}
		return nil
	case <-time.After(c.hang):
		return fmt.Errorf("%s hangs", what)
	}
}

// full returns a full queue and how many elements it holds.
func full(c Config) (waits[int64], Queue[int64], int) {
	q := c.New(2)
	b := findWaits(q)
	n := 0
	for n < 1000 && q.TryEnqueue(int64(n)) {
		n++
	}
	find(q).publish()
	return b, q, n
}

// cancelled waits for an element and for room that never come, with contexts that end
// before and during the wait.
func cancelled(c Config) error {
	b := findWaits(c.New(2))
	before, cancel := context.WithCancel(context.Background())
	cancel()
	want := func(got, want error) error {
		if !errors.Is(got, want) {
			return fmt.Errorf("returned %v, not %v", got, want)
		}
		return nil
	}
	err := c.withTimeout("Dequeue with a cancelled context", func() error {
		_, err := b.dequeue(before)
		return want(err, context.Canceled)
	})
	if err != nil {
		return err
	}
	soon, cancel := context.WithTimeout(context.Background(), 5*time.Millisecond)
	defer cancel()
	err = c.withTimeout("Dequeue of an empty queue, whose context ends,", func() error {
		_, err := b.dequeue(soon)
		return want(err, context.DeadlineExceeded)
	})
	if err != nil {
		return err
	}
	b, _, n := full(c)
	if n == 1000 {
		return nil // unbounded
	}
	soon, cancel = context.WithTimeout(context.Background(), 5*time.Millisecond)
	defer cancel()
	return c.withTimeout("Enqueue to a full queue, whose context ends,", func() error {
		return want(b.enqueue(soon, 1), context.DeadlineExceeded)
	})
}

// woken waits for an element and for room that come later.
func woken(c Config) error {
	ctx := context.Background()
	for turn := range 20 {
		delay := time.Duration(turn%5) * 100 * time.Microsecond
		b := findWaits(c.New(2))
		go func() {
			time.Sleep(delay)
			_ = b.enqueue(ctx, 7)
		}()
		err := c.withTimeout("Dequeue", func() error {
			if v, err := b.dequeue(ctx); v != 7 || err != nil {
				return fmt.Errorf("returned %d, %v where 7 was enqueued", v, err)
			}
			return nil
		})
		if err != nil {
			return err
		}
		b, q, n := full(c)
		if n == 1000 {
			continue
		}
		go func() {
			time.Sleep(delay)
			for range n {
				_, _ = b.dequeue(ctx)
			}
			if c.SpuriousFull == Anytime {
				_, _ = q.TryDequeue() // room may be published no earlier
			}
		}()
		if err := c.withTimeout("Enqueue to a queue that is being emptied", func() error { return b.enqueue(ctx, 8) }); err != nil {
			return err
		}
	}
	return nil
}

// closed closes a queue that holds elements, and one on which a consumer waits.
func closed(c Config) error {
	ctx := context.Background()
	b := findWaits(c.New(2))
	if b.close == nil {
		return nil
	}
	if err := b.enqueue(ctx, 1); err != nil {
		return err
	}
	b.close()
	caught(b.close) // a second time: an error or a panic, but no harm
	if err := c.withTimeout("Enqueue after Close", func() error { return b.enqueue(ctx, 2) }); err == nil {
		return fmt.Errorf("Enqueue after Close returned no error")
	}
	err := c.withTimeout("Dequeue after Close", func() error {
		if v, err := b.dequeue(ctx); v != 1 || err != nil {
			return fmt.Errorf("returned %d, %v where 1 was left", v, err)
		}
		if v, err := b.dequeue(ctx); err == nil {
			return fmt.Errorf("returned %d where nothing was left", v)
		}
		return nil
	})
	if err != nil {
		return err
	}
	b = findWaits(c.New(2))
	go func() {
		time.Sleep(time.Millisecond)
		b.close()
	}()
	return c.withTimeout("Dequeue while the queue is being closed", func() error {
		if v, err := b.dequeue(ctx); err == nil {
			return fmt.Errorf("returned %d of a queue that was always empty", v)
		}
		return nil
	})
}

// handOver has producers and consumers wait for each other, with pauses, so that a
// lost wake-up ends in a hang. It checks the sum of the elements.
func handOver(c Config) error {
	const each = 2000
	b := findWaits(c.New(2))
	if b.close == nil {
		return nil
	}
	producers, consumers := 1+int(c.Producers), 1+int(c.Consumers)
	var sum, count atomic.Int64
	var failed atomic.Pointer[error]
	var in, out sync.WaitGroup
	for p := range producers {
		random := c.random(5, uint64(p))
		in.Go(func() {
			for i := 0; i < each; {
				if b.enqueueBatch != nil && i+3 <= each && random.IntN(8) == 0 {
					v := int64(p*each + i)
					if n, err := b.enqueueBatch(context.Background(), []int64{v, v + 1, v + 2}); n != 3 || err != nil {
						failed.Store(new(fmt.Errorf("EnqueueBatch returned %d of 3, %w", n, err)))
					}
					i += 3
					continue
				}
				if err := b.enqueue(context.Background(), int64(p*each+i)); err != nil {
					failed.Store(new(fmt.Errorf("Enqueue: %w", err)))
				}
				i++
				if random.IntN(500) == 0 {
					time.Sleep(50 * time.Microsecond)
				}
			}
		})
	}
	for k := range consumers {
		random := c.random(6, uint64(k))
		out.Go(func() {
			for more := true; more; {
				var vs []int64
				vs, more = b.takeSome(random.IntN(8))
				for _, v := range vs {
					sum.Add(v)
					count.Add(1)
				}
				if random.IntN(500) == 0 {
					time.Sleep(50 * time.Microsecond)
				}
			}
		})
	}
	err := c.withTimeout("handing over elements", func() error {
		in.Wait()
		b.close()
		out.Wait()
		return nil
	})
	if err != nil {
		return err
	}
	if err := failed.Load(); err != nil {
		return *err
	}
	n := int64(producers * each)
	if count.Load() != n || sum.Load() != n*(n-1)/2 {
		return fmt.Errorf("%d elements with sum %d came out, %d with sum %d went in", count.Load(), sum.Load(), n, n*(n-1)/2)
	}
	return nil
}
