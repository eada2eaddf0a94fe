package queuetest_test

import (
	"context"
	"errors"
	"iter"
	"sync"
	"testing"

	"github.com/tarebench/tare/queue/queuetest"
)

// channel is a buffered channel with the methods of a queue: the strict queue
// that everybody has.
type channel[T any] struct {
	c    chan T
	done chan struct{}
	once sync.Once

	adding sync.RWMutex // read: adds an element; write: waits for those that do
}

func newChannel[T any](capacity int) *channel[T] {
	return &channel[T]{c: make(chan T, capacity), done: make(chan struct{})}
}

func (q *channel[T]) TryEnqueue(v T) bool {
	q.adding.RLock()
	defer q.adding.RUnlock()
	if q.isDone() {
		return false
	}
	select {
	case q.c <- v:
		return true
	default:
		return false
	}
}

func (q *channel[T]) TryDequeue() (v T, ok bool) {
	select {
	case v = <-q.c:
		return v, true
	default:
		return v, false
	}
}

func (q *channel[T]) Len() int      { return len(q.c) }
func (q *channel[T]) Cap() int      { return cap(q.c) }
func (q *channel[T]) IsEmpty() bool { return len(q.c) == 0 }

func (q *channel[T]) All() iter.Seq[T] {
	return func(yield func(T) bool) {
		for v, ok := q.TryDequeue(); ok && yield(v); v, ok = q.TryDequeue() {
		}
	}
}

func (q *channel[T]) Drain(limit int, f func(T)) int {
	if f == nil {
		panic("nil callback")
	}
	for n := range limit {
		v, ok := q.TryDequeue()
		if !ok {
			return n
		}
		f(v)
	}
	return limit
}

var errClosed = errors.New("closed")

func (q *channel[T]) Enqueue(ctx context.Context, v T) error {
	q.adding.RLock()
	defer q.adding.RUnlock()
	if q.isDone() {
		return errClosed
	}
	select {
	case q.c <- v:
		return nil
	default:
	}
	select {
	case q.c <- v:
		return nil
	case <-q.done:
		return errClosed
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (q *channel[T]) isDone() bool {
	select {
	case <-q.done:
		return true
	default:
		return false
	}
}

func (q *channel[T]) Dequeue(ctx context.Context) (v T, err error) {
	if v, ok := q.TryDequeue(); ok {
		return v, nil
	}
	select {
	case v = <-q.c:
		return v, nil
	case <-ctx.Done():
		return v, ctx.Err()
	case <-q.done:
		q.adding.Lock() // waits for calls of Enqueue that have found it open
		q.adding.Unlock()
		if v, ok := q.TryDequeue(); ok {
			return v, nil
		}
		return v, errClosed
	}
}

func (q *channel[T]) Close() { q.once.Do(func() { close(q.done) }) }

func TestChannel(t *testing.T) {
	queuetest.Run(t, queuetest.Config{
		New:         func(n int) queuetest.Queue[int64] { return newChannel[int64](n) },
		NewPointers: func(n int) queuetest.Queue[*int64] { return newChannel[*int64](n) },
		Producers:   queuetest.Many,
		Consumers:   queuetest.Many,
	})
}
