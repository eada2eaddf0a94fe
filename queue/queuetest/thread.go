package queuetest

import (
	"encoding/binary"
	"fmt"
)

// Thread gives a program of an [Exploration] access to memory, and marks the
// beginning and end of queue operations. Addresses are indices of Exploration.Init.
type Thread struct {
	log     string // results of the accesses that have been done
	asked   *request
	results []*opResult // operations that the program has begun
	ended   int         // how many of them have ended
}

// opResult is one operation of a queue with its result.
type opResult struct {
	kind   kind
	strict bool
	values []int // offered or taken
	n      int   // as in operation
}

// request is the next access of a thread and the operations before it.
type request struct {
	kind         accessKind
	address      int
	value, old   int
	until        func(int) bool
	begun, ended int // operations before this access
	finished     bool
	violated     string // an assertion that failed
	results      []*opResult
}

type accessKind string

const (
	load  accessKind = "load"
	put   accessKind = "store"
	xchg  accessKind = "xchg"
	cas   accessKind = "cas"
	add   accessKind = "add"
	fence accessKind = "fence"
	await accessKind = "await"
)

// String returns the access with its address and values.
func (r *request) String() string {
	switch r.kind {
	case fence:
		return "fence"
	case load, await:
		return fmt.Sprintf("%s %d", r.kind, r.address)
	case cas:
		return fmt.Sprintf("cas %d, %d to %d", r.address, r.old, r.value)
	}
	return fmt.Sprintf("%s %d, %d", r.kind, r.address, r.value)
}

// Load returns the value at an address, or the latest store of this thread to it that
// is still buffered.
func (t *Thread) Load(address int) int { return t.do(request{kind: load, address: address}) }

// Store writes memory; under TSO other threads see it later.
func (t *Thread) Store(address, v int) { t.do(request{kind: put, address: address, value: v}) }

// Xchg writes memory at once and returns the previous value. Go's atomic stores on
// amd64 are exchanges.
func (t *Thread) Xchg(address, v int) int {
	return t.do(request{kind: xchg, address: address, value: v})
}

// CAS writes v if the value is old, and reports whether it did.
func (t *Thread) CAS(address, old, v int) bool {
	return t.do(request{kind: cas, address: address, value: v, old: old}) == 1
}

// Add adds to memory and returns the sum.
func (t *Thread) Add(address, delta int) int {
	return t.do(request{kind: add, address: address, value: delta})
}

// Fence waits until the stores of this thread have reached memory.
func (t *Thread) Fence() { t.do(request{kind: fence}) }

// Await waits until the value at an address satisfies until, and returns the value.
// Use it for loops that wait for another thread: a loop of loads would have
// infinitely many executions.
func (t *Thread) Await(address int, until func(int) bool) int {
	return t.do(request{kind: await, address: address, until: until})
}

// Enqueue marks an operation of the queue that tries to add v, which must be greater
// than 0 and enqueued once. The operation begins with the first access in f and ends
// with the last.
func (t *Thread) Enqueue(v int, f func() bool) bool {
	return t.EnqueueBatch([]int{v}, func() int {
		if f() {
			return 1
		}
		return 0
	}) == 1
}

// EnqueueBatch marks an operation that tries to add elements, from the first on, as
// one step, and returns how many were added.
func (t *Thread) EnqueueBatch(vs []int, f func() int) int {
	r := t.begin(opResult{kind: enqueue, values: vs})
	n := f()
	r.n = n
	t.ended++
	return n
}

// Dequeue marks an operation of the queue that tries to take an element.
func (t *Thread) Dequeue(f func() (v int, ok bool)) (int, bool) {
	return t.dequeue(t.begin(opResult{kind: dequeue, n: 1}), f)
}

// DequeueStrict is Dequeue for an operation that fails only if the queue is empty,
// whatever Exploration.SpuriousEmpty says.
func (t *Thread) DequeueStrict(f func() (v int, ok bool)) (int, bool) {
	return t.dequeue(t.begin(opResult{kind: dequeue, n: 1, strict: true}), f)
}

func (t *Thread) dequeue(r *opResult, f func() (v int, ok bool)) (int, bool) {
	v, ok := f()
	if ok {
		r.values = []int{v}
	}
	t.ended++
	return v, ok
}

// DequeueBatch marks an operation that tries to take up to n neighbouring elements as
// one step.
func (t *Thread) DequeueBatch(n int, f func() []int) []int {
	r := t.begin(opResult{kind: dequeue, n: n})
	vs := f()
	r.values = vs
	t.ended++
	return vs
}

// Flush marks an operation that makes all elements visible; see
// [Exploration.Unflushed].
func (t *Thread) Flush(f func()) {
	t.begin(opResult{kind: flush})
	f()
	t.ended++
}

// begin records an operation of this run.
func (t *Thread) begin(r opResult) *opResult {
	t.results = append(t.results, &r)
	return &r
}

// Assert ends the exploration with an error that contains claim if ok is false. It is
// for properties that a history does not show.
func (t *Thread) Assert(ok bool, claim string) {
	if !ok {
		panic(violated(claim))
	}
}

// violated is the panic value of a failed assertion.
type violated string

// suspended is the panic value that ends a program at an access whose result is not
// known yet.
type suspended struct{}

// do returns the result of an access from the log. If the log has none, it ends the
// program.
func (t *Thread) do(r request) int {
	if t.log != "" {
		v, n := binary.Varint([]byte(t.log))
		t.log = t.log[n:]
		return int(v)
	}
	r.begun, r.ended = len(t.results), t.ended
	t.asked = &r
	panic(suspended{})
}

// request returns the next access of a thread that has received certain results.
// Programs cannot be stopped and copied, so they run again from their start; each
// request is cached.
func (x *explorer) request(t int, log string) *request {
	key := string(rune('0'+t)) + log
	if r := x.next[key]; r != nil {
		return r
	}
	th := &Thread{log: log}
	claim := x.replay(t, th)
	r := th.asked
	if r == nil {
		r = &request{finished: true, begun: len(th.results), ended: th.ended, violated: claim}
	}
	r.results = th.results
	x.next[key] = r
	return r
}

// replay runs a program up to its next access and returns the assertion that failed
// before, if one did.
func (x *explorer) replay(t int, th *Thread) (claim string) {
	defer func() {
		switch v := recover().(type) {
		case nil, suspended:
		case violated:
			claim = string(v)
		default:
			panic(v)
		}
	}()
	x.Threads[t](th)
	return ""
}

// access does a thread's next access, if it is possible now.
func (s state) access(x *explorer, t int, r *request) (after state, result int, ok bool) {
	buffered := len(s.buffers[t]) > 0
	switch r.kind {
	case load:
		result = s.read(t, r.address)
	case put:
		if x.Memory == SC {
			s.memory = with(s.memory, r.address, r.value)
			break
		}
		own := append([]store(nil), s.buffers[t]...)
		s.buffers = with(s.buffers, t, append(own, store{r.address, r.value}))
	case await:
		if result = s.read(t, r.address); !r.until(result) {
			return s, 0, false
		}
	default:
		if buffered {
			return s, 0, false // the buffer empties first
		}
		s, result = s.locked(r)
	}
	s.begin(t, r.begun)
	s.logs = with(s.logs, t, string(binary.AppendVarint([]byte(s.logs[t]), int64(result))))
	done := x.request(t, s.logs[t]).ended
	s.begin(t, done) // one that touched no memory has begun here, too
	for n := range done {
		s.ended |= operationBit(t, n)
	}
	return s, result, true
}

// begin records which operations had ended before the first n operations of a thread
// began.
func (s *state) begin(t, n int) {
	for len(s.begun[t]) < n {
		s.begun = with(s.begun, t, append(append([]uint32(nil), s.begun[t]...), s.ended))
	}
}

// locked does an access that is one step for all threads.
func (s state) locked(r *request) (state, int) {
	if r.kind == fence {
		return s, 0
	}
	was := s.memory[r.address]
	switch r.kind {
	case cas:
		if was != r.old {
			return s, 0
		}
		s.memory = with(s.memory, r.address, r.value)
		return s, 1
	case add:
		s.memory = with(s.memory, r.address, was+r.value)
		return s, was + r.value
	}
	s.memory = with(s.memory, r.address, r.value)
	return s, was
}

// read returns the value that a thread sees: its own buffered stores come first.
func (s state) read(t, address int) int {
	for i := len(s.buffers[t]) - 1; i >= 0; i-- {
		if s.buffers[t][i].address == address {
			return s.buffers[t][i].value
		}
	}
	return s.memory[address]
}

// operationBit returns the bit of a thread's n-th operation in a set.
func operationBit(t, n int) uint32 { return 1 << (8*t + n) }
