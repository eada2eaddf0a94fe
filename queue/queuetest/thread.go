package queuetest

import (
	"encoding/binary"
	"fmt"
)

// Thread is what a program of an [Exploration] works with: memory, and marks
// where the operations of a queue begin and end. Addresses are indices of
// Exploration.Init.
type Thread struct {
	log     string // results of the accesses that have been done
	asked   *request
	results []*opResult // operations that the program has begun
	ended   int         // how many of them have ended
}

// opResult is one operation of a queue.
type opResult struct {
	kind   kind
	strict bool
	values []int // offered or taken
	n      int   // as in operation
}

// request is the next access of a thread and what it has done before it.
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

// String tells an access.
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

// Load reads memory, or the youngest store of this thread to it that still waits.
func (t *Thread) Load(address int) int { return t.do(request{kind: load, address: address}) }

// Store writes memory: under TSO, later.
func (t *Thread) Store(address, v int) { t.do(request{kind: put, address: address, value: v}) }

// Xchg writes memory at once and returns what was there. It is what Go's atomic
// stores are on amd64.
func (t *Thread) Xchg(address, v int) int {
	return t.do(request{kind: xchg, address: address, value: v})
}

// CAS writes v if old is there, and says whether.
func (t *Thread) CAS(address, old, v int) bool {
	return t.do(request{kind: cas, address: address, value: v, old: old}) == 1
}

// Add adds to memory and returns the sum.
func (t *Thread) Add(address, delta int) int {
	return t.do(request{kind: add, address: address, value: delta})
}

// Fence waits until the stores of this thread have reached memory.
func (t *Thread) Fence() { t.do(request{kind: fence}) }

// Await waits until memory has a value with a property and returns the value.
// Write loops that wait for another thread with it: a loop of loads would have
// executions without end.
func (t *Thread) Await(address int, until func(int) bool) int {
	return t.do(request{kind: await, address: address, until: until})
}

// Enqueue marks an operation of the queue that tries to add v, greater than 0
// and enqueued once. It begins with the first access in f and ends with the
// last, so that no test could see it happen in less time.
func (t *Thread) Enqueue(v int, f func() bool) bool {
	return t.EnqueueBatch([]int{v}, func() int {
		if f() {
			return 1
		}
		return 0
	}) == 1
}

// EnqueueBatch marks an operation that tries to add elements, from the first on, in
// one step for everybody, and returns how many.
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
// whatever Exploration.FalseEmpty says.
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

// DequeueBatch marks an operation that tries to take up to n elements, neighbours in
// the queue, in one step for everybody.
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

// begin notes an operation. What it points to is this run's only.
func (t *Thread) begin(r opResult) *opResult {
	t.results = append(t.results, &r)
	return &r
}

// Assert ends the exploration with the claim if it is false: for what a history does
// not show.
func (t *Thread) Assert(ok bool, claim string) {
	if !ok {
		panic(violated(claim))
	}
}

// violated is the panic of an assertion that failed.
type violated string

// suspended is the panic that ends a program at an access whose result is not
// known yet.
type suspended struct{}

// do returns the result of an access from the log, or, when it is the next one,
// ends the program.
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

// request returns the next access of a thread that has seen certain results.
// Programs cannot be stopped and copied, so they are run again from their start;
// each answer is remembered.
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

// access does what a thread asks for, if it can be done now.
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

// begin notes for the first n operations of a thread what had ended before them.
func (s *state) begin(t, n int) {
	for len(s.begun[t]) < n {
		s.begun = with(s.begun, t, append(append([]uint32(nil), s.begun[t]...), s.ended))
	}
}

// locked does an access that is one step for everybody.
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

// read is what a thread sees: its own stores before the others do.
func (s state) read(t, address int) int {
	for i := len(s.buffers[t]) - 1; i >= 0; i-- {
		if s.buffers[t][i].address == address {
			return s.buffers[t][i].value
		}
	}
	return s.memory[address]
}

// operationBit is the n-th operation of a thread in a set.
func operationBit(t, n int) uint32 { return 1 << (8*t + n) }
