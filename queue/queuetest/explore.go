package queuetest

import (
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
)

// Memory says when other threads see a store.
type Memory int

const (
	// SC is sequential consistency: at once. Go's sync/atomic promises this.
	SC Memory = iota
	// TSO is the memory of amd64 as programs without LOCK see it: a store waits
	// in a buffer of its thread, first in first out, and reaches memory later
	// (Sewell et al., "x86-TSO", CACM 53(7), 2010). Xchg, CAS, Add and Fence
	// empty the buffer first.
	TSO
)

// Exploration is a small concurrent program, all of whose executions are tried.
//
// It is a model: a protocol is written again with the methods of [Thread], and
// nothing but reading keeps it in step with the code that it models. A model
// must therefore be kept beside the code's description, one step of the model
// for each access to shared memory, and be changed together with it. It has two
// or three threads, a few operations each, no memory weaker than TSO, and cannot
// show what needs more elements or threads than that.
type Exploration struct {
	Memory Memory
	// Init are the first contents of memory; its length is the memory's size.
	Init []int
	// Threads are the programs. Each must do the same whenever it gets the same
	// results, and may touch nothing but its own variables and the Thread.
	Threads []func(*Thread)
	// Capacity is that of the queue which the operations enqueue to and dequeue
	// from ([Thread.Enqueue], [Thread.Dequeue]), 0 for no limit.
	Capacity int
	// FalseFull and FalseEmpty are as in [Config].
	FalseFull, FalseEmpty Falsehood
	// Unflushed is how many elements may stay invisible until [Thread.Flush]. 0
	// means none.
	Unflushed int
	// MaxStates ends an exploration that is too large. Default: 2 million.
	MaxStates int
}

// ErrTooLarge is what Run wraps when MaxStates did not suffice.
var ErrTooLarge = errors.New("too many states")

// mostResults is how many bytes of results a thread sees at most: some of a hundred
// accesses. One that sees more is in a loop.
const mostResults = 400

// explorer is one exploration on its way.
type explorer struct {
	Exploration
	seen   map[string]bool
	judged map[string]error    // by history
	next   map[string]*request // by thread and what it has seen
	path   []string
}

// state is a moment between two steps.
type state struct {
	memory  []int
	buffers [][]store  // per thread, oldest first
	logs    []string   // per thread, the results that it has seen
	begun   [][]uint32 // per thread and operation, which operations had ended when it began
	ended   uint32     // set of operations that have ended
}

type store struct{ address, value int }

// Run tries every order of steps and returns how many states there are, and an
// error that tells the steps to one that is wrong: a history that no queue
// explains, an assertion that fails, or threads that wait or go on for ever.
func (e Exploration) Run() (states int, err error) {
	if e.MaxStates == 0 {
		e.MaxStates = 2_000_000
	}
	x := &explorer{Exploration: e, seen: map[string]bool{}, judged: map[string]error{}, next: map[string]*request{}}
	n := len(e.Threads)
	s := state{memory: e.Init, buffers: make([][]store, n), logs: make([]string, n), begun: make([][]uint32, n)}
	err = x.visit(s)
	return len(x.seen), err
}

// visit goes on from a state in all ways.
func (x *explorer) visit(s state) error {
	key := s.key()
	if x.seen[key] {
		return nil
	}
	if len(x.seen) >= x.MaxStates {
		return fmt.Errorf("%w: more than %d", ErrTooLarge, x.MaxStates)
	}
	x.seen[key] = true
	moved, finished := false, true
	for t := range x.Threads {
		if len(s.buffers[t]) > 0 {
			moved = true
			st := s.buffers[t][0]
			if err := x.step(s.flushed(t), "thread %d's store %d=%d reaches memory", t, st.address, st.value); err != nil {
				return err
			}
		}
		if len(s.logs[t]) > mostResults {
			return x.wrong(fmt.Errorf("thread %d goes on for ever", t))
		}
		r := x.request(t, s.logs[t])
		if r.violated != "" {
			return x.wrong(fmt.Errorf("thread %d: not so: %s", t, r.violated))
		}
		if r.finished {
			continue
		}
		finished = false
		after, result, ok := s.access(x, t, r)
		if !ok {
			continue
		}
		moved = true
		if err := x.step(after, "thread %d: %v = %d", t, r, result); err != nil {
			return err
		}
	}
	switch {
	case moved:
		return nil
	case !finished:
		return x.wrong(errors.New("all threads wait"))
	}
	if err := x.judge(s); err != nil {
		return x.wrong(err)
	}
	return nil
}

func (x *explorer) step(s state, format string, args ...any) error {
	x.path = append(x.path, fmt.Sprintf(format, args...))
	err := x.visit(s)
	x.path = x.path[:len(x.path)-1]
	return err
}

// mostSteps is how many steps are told to what went wrong.
const mostSteps = 100

func (x *explorer) wrong(err error) error {
	path := x.path
	if len(path) > mostSteps {
		path = append([]string{fmt.Sprintf("%d steps", len(path)-mostSteps)}, path[len(path)-mostSteps:]...)
	}
	return fmt.Errorf("%w, after\n  %s", err, strings.Join(path, "\n  "))
}

// key tells states apart.
func (s state) key() string {
	var b []byte
	number := func(v int) { b = binary.AppendVarint(b, int64(v)) }
	for _, v := range s.memory {
		number(v)
	}
	for t := range s.logs {
		number(len(s.buffers[t]))
		for _, st := range s.buffers[t] {
			number(st.address)
			number(st.value)
		}
		number(len(s.logs[t]))
		b = append(b, s.logs[t]...)
		for _, set := range s.begun[t] {
			number(int(set))
		}
	}
	return string(b)
}

// flushed returns the state in which the oldest store of a thread has reached
// memory.
func (s state) flushed(t int) state {
	st := s.buffers[t][0]
	s.memory = with(s.memory, st.address, st.value)
	s.buffers = with(s.buffers, t, s.buffers[t][1:])
	return s
}

// with returns a copy of a slice in which one element is different.
func with[T any](s []T, i int, v T) []T {
	c := append([]T(nil), s...)
	c[i] = v
	return c
}
