package queuetest

import (
	"errors"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// ringConfig describes rings with a fault, for many producers and consumers.
func ringConfig(t *testing.T, b bug) Config {
	return Config{
		New:         func(n int) Queue[int64] { return newRing[int64](n, b) },
		NewPointers: func(n int) Queue[*int64] { return newRing[*int64](n, b) },
		Producers:   Many, Consumers: Many,
		SplitBatches: true,
		Dir:          t.TempDir(),
	}
}

// planted are faults, the check that must find each, and what it must say.
var planted = []struct {
	bug
	check, says string
	change      func(*Config)
}{
	{bug: "loses an element on a lost race", check: "linearizability", says: "cannot be explained"},
	{bug: "loses an element on a lost race", check: "order", says: "was lost|never came"},
	{bug: "is falsely empty while busy", check: "linearizability", says: "cannot be explained"},
	{bug: "is not strict when it says so", check: "linearizability", says: "TryDequeueStrict() nothing",
		change: func(c *Config) { c.SpuriousEmpty = WhileBusy }},
	{bug: "takes the youngest first", check: "sequence", says: "round"},
	{bug: "takes the youngest first", check: "bounds", says: "element 0 is first"},
	{bug: "takes one too many", check: "bounds", says: "took 3 elements"},
	{bug: "compares indices that wrap", check: "sequence", says: "round"},
	{bug: "keeps references", check: "references", says: "cannot be collected"},
	{bug: "keeps what it refused", check: "references", says: "refused cannot be collected"},
	{bug: "allocates", check: "allocations", says: "times per call"},
	{bug: "frees places late", check: "sequence", says: "round"},
	{bug: "frees places late", check: "linearizability", says: "cannot be explained",
		change: func(c *Config) { c.SpuriousFull = WhileBusy }},
	{bug: "never frees the last places", check: "bounds", says: "full after",
		change: func(c *Config) { c.SpuriousFull = Anytime }},
	{bug: "shows a batch in parts", check: "linearizability", says: "TryEnqueueBatch",
		change: func(c *Config) { c.SplitBatches = false }},
	{bug: "turns batches round", check: "batches", says: "left [1 0 -7 -7]"},
	{bug: "turns batches round", check: "linearizability", says: "TryDequeueBatch"},
	{bug: "fills without asking for room", check: "callbacks", says: "called its callback 1 times"},
	{bug: "loses what a panic left", check: "panics", says: "Drain's callback panicked"},
	{bug: "loses an element at a break", check: "callbacks", says: "is first"},
	{bug: "says it is not empty", check: "bounds", says: "IsEmpty is false"},
	{bug: "is longer than it can be", check: "sizes", says: "Len was"},
	{bug: "counts backwards", check: "sizes", says: "Enqueued went back"},
	{bug: "forgets the rest at Close", check: "blocking", says: "1 was left"},
	{bug: "forgets the rest at Close", check: "closing", says: "cannot be explained"},
	{bug: "forgets the rest at Close", check: "order", says: "was lost|never came"},
	{bug: "takes elements after Close", check: "closing", says: "cannot be explained"},
	{bug: "ignores its context", check: "blocking", says: "hangs",
		change: func(c *Config) { c.hang = time.Second }},
}

// TestPlanted has each fault found by the check that is there for it.
func TestPlanted(t *testing.T) {
	for _, p := range planted {
		t.Run(string(p.bug)+"/"+p.check, func(t *testing.T) {
			if p.check == "allocations" && raceDetector {
				t.Skip("the race detector allocates")
			}
			c := ringConfig(t, p.bug)
			if p.change != nil {
				p.change(&c)
			}
			c.Budget = 30 * time.Second // ends when the fault is found
			expectFault(t, c, p.check, p.says)
		})
	}
}

// expectFault runs one check, which must fail with certain words, or with others
// behind a bar where it depends on chance what shows first.
func expectFault(t *testing.T, c Config, check, says string) {
	t.Helper()
	for _, k := range Checks() {
		if k.Name != check {
			continue
		}
		err := k.Run(c)
		if err == nil || errors.Is(err, ErrSkipped) || !slices.ContainsFunc(strings.Split(says, "|"), func(w string) bool { return strings.Contains(err.Error(), w) }) {
			t.Errorf("%s said %v, want something with %q", check, err, says)
		}
		return
	}
	t.Fatalf("there is no check named %s", check)
}

// TestRing has the ring without a fault pass all checks, and with late
// publication those that allow for it.
func TestRing(t *testing.T) {
	t.Run("strict", func(t *testing.T) { Run(t, ringConfig(t, "")) })
	for b, change := range map[bug]func(*Config){
		"frees places late":           func(c *Config) { c.SpuriousFull = Anytime },
		"is falsely empty while busy": func(c *Config) { c.SpuriousEmpty = WhileBusy },
		"shows a batch in parts":      func(c *Config) {},
	} {
		t.Run(string(b), func(t *testing.T) {
			c := ringConfig(t, b)
			c.Budget = 20 * time.Millisecond
			change(&c)
			Run(t, c)
		})
	}
}

// buffer makes a ring a queue with a buffered producer, and leaves out what such
// a queue does not have.
type buffer struct{ q *ring[int64] }

func (b buffer) Flush() {
	b.q.lock("")
	defer b.q.mu.Unlock()
	if b.q.bug != "does not flush" {
		b.q.shown = b.q.in
	}
}

func (b buffer) TryEnqueue(v int64) bool {
	if b.q.TryEnqueue(v) {
		return true
	}
	b.Flush()
	return false
}

func (b buffer) TryEnqueueBatch(vs []int64) int {
	n := b.q.TryEnqueueBatch(vs)
	if n < len(vs) {
		b.Flush()
	}
	return n
}

func (b buffer) TryDequeue() (int64, bool) { return b.q.TryDequeue() }
func (b buffer) Len() int                  { return b.q.Len() }
func (b buffer) Cap() int                  { return b.q.Cap() }

func bufferConfig(t *testing.T, fault bug) Config {
	return Config{
		New: func(n int) Queue[int64] {
			q := newRing[int64](n, fault)
			q.buffered = 3
			return buffer{q}
		},
		SplitBatches: true,
		Unflushed:    3,
		Dir:          t.TempDir(),
	}
}

func TestBuffered(t *testing.T) {
	Run(t, bufferConfig(t, ""))
	for fault, check := range map[bug]string{"does not flush": "flush", "": "flush"} {
		t.Run("planted/"+string(fault)+"/"+check, func(t *testing.T) {
			c := bufferConfig(t, fault)
			says := "after Flush"
			if fault == "" {
				c.Unflushed = 2
				says = "3 of 63 elements are invisible, 2 may be"
			}
			expectFault(t, c, check, says)
		})
	}
	c := bufferConfig(t, "")
	c.Unflushed, c.Budget = 1, 30*time.Second
	expectFault(t, c, "linearizability", "cannot be explained")
}

// clearing is a queue for one producer and one consumer that clears a slot
// after it has freed it, so that it may wipe out what the producer wrote.
type clearing struct {
	slots [8]atomic.Pointer[int64]
	in    atomic.Uint64
	out   atomic.Uint64
}

func (q *clearing) TryEnqueue(v *int64) bool {
	in := q.in.Load()
	if in-q.out.Load() == 8 {
		return false
	}
	q.slots[in%8].Store(v)
	q.in.Store(in + 1)
	return true
}

func (q *clearing) TryDequeue() (*int64, bool) {
	out := q.out.Load()
	if out == q.in.Load() {
		return nil, false
	}
	v := q.slots[out%8].Load()
	q.out.Store(out + 1)
	if out%16 == 0 {
		runtime.Gosched()
	}
	q.slots[out%8].Store(nil)
	return v, true
}

// stuck is a queue that says for ever that it is empty after a while. It has no
// other methods than these.
type stuck struct {
	q     *ring[int64]
	calls atomic.Int64
}

func (s *stuck) TryEnqueue(v int64) bool { return s.q.TryEnqueue(v) }

func (s *stuck) TryDequeue() (int64, bool) {
	if s.calls.Add(1) > 100 {
		return 0, false
	}
	return s.q.TryDequeue()
}

func TestPlantedElsewhere(t *testing.T) {
	t.Run("clears too late", func(t *testing.T) {
		expectFault(t, Config{
			New:         func(n int) Queue[int64] { return newRing[int64](n, "") },
			NewPointers: func(int) Queue[*int64] { return new(clearing) },
			Budget:      30 * time.Second,
		}, "pointers", "nil came out")
	})
	t.Run("gets stuck", func(t *testing.T) {
		expectFault(t, Config{
			New: func(n int) Queue[int64] { return &stuck{q: newRing[int64](n, "")} },
		}, "order", "no progress")
	})
}
