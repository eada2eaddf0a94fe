package queuetest

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"time"
)

// Queue has the methods that every tested queue must have. [Run] finds all others by
// assertion and lists them.
type Queue[T any] interface {
	// TryEnqueue appends an element, or returns false if there is no room.
	TryEnqueue(v T) bool
	// TryDequeue takes the oldest element, or returns false if there is none.
	TryDequeue() (T, bool)
}

// Side says how many goroutines may use one side of a queue at the same time.
type Side int

const (
	// One goroutine at a time.
	One Side = iota
	// Many goroutines at once.
	Many
)

// SpuriousFailure says when a method may report "full" or "empty" although the queue
// is not.
type SpuriousFailure int

const (
	// Never: a failure means that the queue was full (or empty) at a moment during
	// the call. Methods whose names end in Strict must always behave so, but see
	// Config.FillReserves.
	Never SpuriousFailure = iota
	// WhileBusy: spurious failures only while a call of another goroutine is in
	// flight.
	WhileBusy
	// Anytime: spurious failures also while no other call is in flight, as on the
	// full side of a queue whose consumer publishes room late. The queue must still
	// take as many elements as its capacity after its consumer has found it empty.
	Anytime
)

// Config describes the queue and its guarantees. Only New is required; the zero
// values of the other fields describe a strict queue for one producer and one
// consumer.
type Config struct {
	// New returns an empty queue for at least capacity elements, 2 to 64. If the
	// queue has no method Cap, it must hold exactly capacity.
	New func(capacity int) Queue[int64]
	// NewPointers is New for pointers. Without it, the checks of garbage collection
	// are skipped.
	NewPointers func(capacity int) Queue[*int64]

	// Producers and Consumers are how many goroutines may use each side. Default:
	// One.
	Producers, Consumers Side
	// SpuriousFull applies to TryEnqueue and its batches, SpuriousEmpty to
	// TryDequeue, Peek and their batches. Default: Never.
	SpuriousFull, SpuriousEmpty SpuriousFailure
	// FillReserves says that Fill reserves room before it calls back, so that
	// TryEnqueueStrict, too, may find the queue full while a Fill of another goroutine
	// is in flight.
	FillReserves bool
	// SplitBatches says that other goroutines may see parts of a batch. By default a
	// batch is one step.
	SplitBatches bool
	// Unflushed is how many elements a queue with a method Flush may keep invisible.
	// 0 means any number.
	Unflushed int
	// Allocates says that enqueueing allocates, as in an unbounded queue.
	Allocates bool

	// Capacities are those of the linearizability checks. Default: 2 and 4.
	Capacities []int
	// Budget is the time for the linearizability checks and the time for each stress
	// check. Default: the environment variable TARE_STRESS, else 150 ms.
	Budget time.Duration
	// Processors is GOMAXPROCS while a check runs. Default: unchanged, but for
	// histories at least the number of clients.
	Processors int
	// Seed repeats the plans of all goroutines, but not their timing. 0 draws a seed,
	// which failures print.
	Seed uint64
	// Dir is the directory to which a picture of a history that is not linearizable
	// is written, as HTML. Default: [os.TempDir].
	Dir string

	// hang is how long a call may take before it counts as hanging.
	hang time.Duration
}

// defaultBudget keeps a run over ten queues below some seconds.
const defaultBudget = 150 * time.Millisecond

// Validate returns an error that lists everything wrong with a Config.
func (c Config) Validate() error {
	var errs []error
	wrong := func(format string, args ...any) { errs = append(errs, fmt.Errorf(format, args...)) }
	if c.New == nil {
		wrong("queuetest: New is nil; give it a function that makes the queue")
	}
	for name, s := range map[string]Side{"Producers": c.Producers, "Consumers": c.Consumers} {
		if s != One && s != Many {
			wrong("queuetest: %s is %d, not One or Many", name, s)
		}
	}
	for name, f := range map[string]SpuriousFailure{"SpuriousFull": c.SpuriousFull, "SpuriousEmpty": c.SpuriousEmpty} {
		if f < Never || f > Anytime {
			wrong("queuetest: %s is %d, not Never, WhileBusy or Anytime", name, f)
		}
	}
	for _, n := range c.Capacities {
		if n < 1 || n > 64 {
			wrong("queuetest: a capacity of %d; histories are made for 1 to 64", n)
		}
	}
	if c.Unflushed < 0 {
		wrong("queuetest: Unflushed is %d, less than 0", c.Unflushed)
	}
	if c.Processors < 0 {
		wrong("queuetest: Processors is %d, less than 0", c.Processors)
	}
	if c.Budget < 0 {
		wrong("queuetest: Budget is %v, less than 0", c.Budget)
	}
	return errors.Join(errs...)
}

// withDefaults returns a copy with default values. It returns an error if a value or
// TARE_STRESS is invalid.
func (c Config) withDefaults() (Config, error) {
	if err := c.Validate(); err != nil {
		return c, err
	}
	if c.Capacities == nil {
		c.Capacities = []int{2, 4}
	}
	if c.Seed == 0 {
		c.Seed = rand.Uint64()
	}
	if c.Dir == "" {
		c.Dir = os.TempDir()
	}
	if c.hang == 0 {
		c.hang = 20 * time.Second
	}
	if c.Budget > 0 {
		return c, nil
	}
	c.Budget = defaultBudget
	if s := os.Getenv("TARE_STRESS"); s != "" {
		d, err := time.ParseDuration(s)
		if err != nil || d <= 0 {
			return c, fmt.Errorf("queuetest: TARE_STRESS=%q is not a duration such as 30s", s)
		}
		c.Budget = d
	}
	return c, nil
}

// random returns a generator for one part of a check. The same seed and parts give
// the same numbers.
func (c Config) random(parts ...uint64) *rand.Rand {
	h := uint64(0x9e3779b97f4a7c15)
	for _, p := range parts {
		h = (h ^ p) * 0xff51afd7ed558ccd
		h ^= h >> 32
	}
	return rand.New(rand.NewPCG(c.Seed, h))
}
