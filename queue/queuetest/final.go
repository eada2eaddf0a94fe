package queuetest

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"
)

// finalTries is how often a queue is closed while producers add elements.
const finalTries = 60

// final closes a queue while producers add elements and consumers take them. What calls
// report as added is what consumers get until Dequeue reports that the queue is closed, and
// no element comes afterwards.
func final(c Config) error {
	if b := findWaits(c.New(2)); b.close == nil {
		return nil
	}
	end := time.Now().Add(c.Budget / 3)
	for try := range uint64(finalTries) {
		if try > 3 && time.Now().After(end) {
			break
		}
		if err := c.closeOnce(try); err != nil {
			return fmt.Errorf("closing during Enqueue: %w", err)
		}
	}
	return nil
}

func (c Config) closeOnce(try uint64) error {
	ctx := context.Background()
	q := c.New(64)
	b := findWaits(q)
	producers, consumers := 1+int(c.Producers), 1+int(c.Consumers)
	var added, taken, late atomic.Int64
	var in, out sync.WaitGroup
	// Nothing says that every producer gets its turn: on one processor one of them may find the
	// queue full each time that it runs.
	begun := make(chan struct{})
	var rounds atomic.Int64
	for p := range producers {
		random := c.random(7, try<<8|uint64(p))
		in.Go(func() {
			batch := make([]int64, 9)
			for {
				n, err := 1, error(nil)
				switch kind := random.IntN(3); {
				case kind == 0 && b.enqueueBatch != nil:
					n, err = b.enqueueBatch(ctx, batch[:1+random.IntN(len(batch))])
				case kind == 1:
					if !q.TryEnqueue(1) {
						n = 0
					}
				default:
					if err = b.enqueue(ctx, 1); err != nil {
						n = 0
					}
				}
				added.Add(int64(n))
				if err != nil {
					return
				}
				if rounds.Add(1) == int64(20*producers) {
					close(begun)
				}
			}
		})
	}
	for range consumers {
		out.Go(func() {
			for {
				if _, err := b.dequeue(ctx); err != nil {
					break
				}
				taken.Add(1)
			}
			for range 100 {
				if _, err := b.dequeue(ctx); err == nil {
					late.Add(1)
				} else if _, ok := q.TryDequeue(); ok {
					late.Add(1)
				}
			}
		})
	}
	err := c.withTimeout("a run until Close", func() error {
		<-begun
		b.close()
		out.Wait()
		in.Wait()
		return nil
	})
	if err != nil {
		return err
	}
	for { // of a queue with one consumer this goroutine is now that
		if _, ok := q.TryDequeue(); !ok {
			break
		}
		late.Add(1)
	}
	if n := late.Load(); n > 0 {
		return fmt.Errorf("%d elements came after a dequeue had reported that the queue is closed", n)
	}
	if a, t := added.Load(), taken.Load(); a != t {
		return fmt.Errorf("enqueues reported that %d elements were added, consumers got %d", a, t)
	}
	return nil
}
