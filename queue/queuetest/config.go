package queuetest

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"time"
)

// Queue is the least that a queue has. Everything else is found by assertion;
// see [Run] for the list.
type Queue[T any] interface {
	// TryEnqueue appends an element, or returns false if there is no room.
	TryEnqueue(v T) bool
	// TryDequeue takes the oldest element, or returns false if there is none.
	TryDequeue() (T, bool)
}

// Side says how many goroutines may be on one side of a queue at once.
type Side int

const (
	// One goroutine at a time.
	One Side = iota
	// Many goroutines at once.
	Many
)

// Falsehood says when "full" or "empty" may be untrue.
type Falsehood int

const (
	// Never: false says that the queue was full (or empty) at a moment during
	// the call. Methods whose names end in Strict are held to this always.
	Never Falsehood = iota
	// WhileBusy: untrue only while a call of another goroutine is in flight.
	WhileBusy
	// Anytime: untrue also when all others rest. This is the full side of a
	// queue whose consumer publishes its progress late. Even then the queue must
	// take as many elements as it has capacity for, once its consumer was told
	// that there is nothing more.
	Anytime
)

// Config says what is tested and what it promises. Only New is required; the
// zero value of the rest describes a strict queue for one producer and one
// consumer.
type Config struct {
	// New returns an empty queue for at least capacity elements. If the queue
	// has no method Cap, it must hold exactly capacity. It is asked for 2 to 64.
	New func(capacity int) Queue[int64]
	// NewPointers is New for pointers. Without it nobody looks whether elements
	// that were taken can be collected.
	NewPointers func(capacity int) Queue[*int64]

	// Producers and Consumers are the roles. Default: One.
	Producers, Consumers Side
	// FalseFull is about TryEnqueue and its batches, FalseEmpty about
	// TryDequeue, Peek and their batches. Default: Never.
	FalseFull, FalseEmpty Falsehood
	// SplitBatches says that others may see a batch in parts. By default a batch
	// is one step.
	SplitBatches bool
	// Unflushed is how many accepted elements a queue with a method Flush may
	// keep invisible. 0 means any number.
	Unflushed int
	// Allocates says that enqueueing allocates, as in an unbounded queue.
	Allocates bool

	// Capacities are those of the linearizability checks. Default: 2 and 4.
	Capacities []int
	// Budget is the time for the linearizability checks and as much again for
	// each stress check. Default: that in the environment variable TARE_STRESS,
	// else 150 ms.
	Budget time.Duration
	// Processors is GOMAXPROCS while a check runs. Default: as it is, but for
	// histories at least one for each client.
	Processors int
	// Seed repeats a run: the plans of all goroutines, though not their timing.
	// 0 draws one; failures name it.
	Seed uint64
	// Dir is where a history that is not linearizable is drawn, as a page for
	// the browser. Default: [os.TempDir].
	Dir string

	// hang is how long a call that should return may take before it counts as
	// hanging. It is only waited for when something is wrong.
	hang time.Duration
}

// defaultBudget keeps a run over ten queues in seconds.
const defaultBudget = 150 * time.Millisecond

// Validate reports all that is wrong with a Config.
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
	for name, f := range map[string]Falsehood{"FalseFull": c.FalseFull, "FalseEmpty": c.FalseEmpty} {
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

// withDefaults fills in what was left out.
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

// random returns a generator for one part of a check. The same seed and parts
// give the same numbers.
func (c Config) random(parts ...uint64) *rand.Rand {
	h := uint64(0x9e3779b97f4a7c15)
	for _, p := range parts {
		h = (h ^ p) * 0xff51afd7ed558ccd
		h ^= h >> 32
	}
	return rand.New(rand.NewPCG(c.Seed, h))
}
