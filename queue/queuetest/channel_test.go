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
}

func newChannel[T any](capacity int) *channel[T] {
	return &channel[T]{c: make(chan T, capacity), done: make(chan struct{})}
}

func (q *channel[T]) TryEnqueue(v T) bool {
	if q.ifOpen() != nil {
		return false
	}
	select {
	case q.c <- v:
		return q.ifOpen() == nil
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
	if q.TryEnqueue(v) {
		return nil
	}
	if err := q.ifOpen(); err != nil {
		return err
	}
	select {
	case q.c <- v:
		return q.ifOpen()
	case <-q.done:
		return errClosed
	case <-ctx.Done():
		return ctx.Err()
	}
}

// ifOpen returns an error if the element that was just added may be left behind.
func (q *channel[T]) ifOpen() error {
	select {
	case <-q.done:
		return errClosed
	default:
		return nil
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
