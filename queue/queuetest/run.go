package queuetest

import (
	"errors"
	"fmt"
	"runtime"
	"testing"
	"time"
)

// Check is one of the checks of [Run].
type Check struct {
	// Name is the name of the subtest.
	Name string
	run  func(Config) error
}

// ErrSkipped is wrapped by the error of Check.Run when the queue lacks the methods
// that a check needs, or the machine cannot run it. The text says which.
var ErrSkipped = errors.New("not checked")

// skipped returns an error with the reason why a check was not done.
func skipped(why string) error { return fmt.Errorf("%w: %s", ErrSkipped, why) }

// Run does the check. It returns nil if the queue passes, an error that wraps
// [ErrSkipped], or an error that describes the failure, with the seed.
func (k Check) Run(c Config) error {
	c, err := c.withDefaults()
	if err != nil {
		return err
	}
	if c.Processors > 0 {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(c.Processors))
	}
	if err := k.run(c); err != nil {
		return fmt.Errorf("%s: %w", k.Name, err)
	}
	return nil
}

// Checks returns all checks, quick ones first.
func Checks() []Check {
	return []Check{
		{"sequence", sequence},
		{"bounds", bounds},
		{"batches", batches},
		{"callbacks", callbacks},
		{"panics", panics},
		{"flush", flushing},
		{"references", references},
		{"allocations", allocations},
		{"blocking", blocking},
		{"linearizability", func(c Config) error { return eachCapacity(c, linearizability) }},
		{"closing", closingHistories},
		{"order", order},
		{"pointers", orderOfPointers},
		{"sizes", sizes},
	}
}

// eachCapacity does a check at all capacities and divides the budget among them.
func eachCapacity(c Config, check func(Config, int) error) error {
	c.Budget /= time.Duration(len(c.Capacities))
	for _, n := range c.Capacities {
		if err := check(c, n); err != nil {
			return fmt.Errorf("capacity %d: %w", n, err)
		}
	}
	return nil
}

// Run tests a queue, one subtest for each of [Checks]. A queue is asked for its
// methods by assertion, under the names of package queue:
//
//	TryEnqueueStrict(T) bool       TryDequeueStrict() (T, bool)
//	TryEnqueueBatch([]T) int       TryDequeueBatch([]T) int
//	Fill(int, func() T) int        Drain(int, func(T)) int
//	Peek() (T, bool)               All() iter.Seq[T]
//	Len() int                      Cap() int (negative: no limit)
//	IsEmpty() bool                 Enqueued(), Dequeued() uint64
//	Flush()
//
// and those that wait, if it has the first two:
//
//	Enqueue(context.Context, T) error
//	Dequeue(context.Context) (T, error)
//	EnqueueBatch(context.Context, []T) (int, error)
//	DequeueBatch(context.Context, []T) (int, error)
//	All(context.Context) iter.Seq[T]
//	Close(), with an error or without
//
// A method with the name but another signature is not found. Run must not run in
// parallel with other tests, because it may raise GOMAXPROCS.
func Run(t *testing.T, c Config) {
	t.Helper()
	c, err := c.withDefaults()
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range Checks() {
		t.Run(k.Name, func(t *testing.T) {
			err := k.Run(c)
			switch {
			case errors.Is(err, ErrSkipped):
				t.Skip(err)
			case err != nil:
				t.Errorf("%v\nseed %d", err, c.Seed)
			}
		})
	}
}

// finding is fmt.Errorf for a failed check. Its sentence may begin with a method's
// name.
func finding(format string, args ...any) error { return fmt.Errorf(format, args...) }
