package queuetest

import (
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
)

// Memory is a memory model: it says when other threads see a store.
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

// Exploration is a small concurrent program whose executions are all tried.
//
// It is a model: the protocol of a queue is written again with the methods of
// [Thread]. Nothing checks that the model agrees with the code. Keep the model beside
// the code's description, with one step for each access to shared memory, and change
// both together. A model has two or three threads, a few operations each, and no
// memory weaker than TSO. It cannot show faults that need more elements or threads.
type Exploration struct {
	Memory Memory
	// Init are the first contents of memory; its length is the memory's size.
	Init []int
	// Threads are the programs. Each must do the same whenever it gets the same
	// results, and may touch nothing but its own variables and the Thread.
	Threads []func(*Thread)
	// Capacity is that of the queue in the model ([Thread.Enqueue],
	// [Thread.Dequeue]), 0 for no limit.
	Capacity int
	// SpuriousFull and SpuriousEmpty are as in [Config].
	SpuriousFull, SpuriousEmpty SpuriousFailure
	// Unflushed is how many elements may stay invisible until [Thread.Flush]. 0
	// means none.
	Unflushed int
	// MaxStates ends an exploration that is too large. Default: 2 million.
	MaxStates int
}

// ErrTooLarge is wrapped by the error of Run when MaxStates did not suffice.
var ErrTooLarge = errors.New("too many states")

// maxResultBytes is the limit of a thread's results in bytes, those of about a
// hundred accesses. A thread that exceeds it is in a loop.
const maxResultBytes = 400

// explorer is an exploration in progress.
type explorer struct {
	Exploration
	seen   map[string]bool
	judged map[string]error    // by history
	next   map[string]*request // by thread and what it has seen
	path   []step
}

// step is a step that was taken, as arguments of [fmt.Sprintf]: a text is made only of those that an error shows.
type step struct {
	format string
	args   []any
}

// state is the state between two steps.
type state struct {
	memory  []int
	buffers [][]store  // per thread, oldest first
	logs    []string   // per thread, the results that it has seen
	begun   [][]uint32 // per thread and operation, which operations had ended when it began
	ended   uint32     // set of operations that have ended
}

type store struct{ address, value int }

// Run tries every order of steps and returns the number of states. It returns an
// error with the steps that lead to a history that no queue explains, to a failed
// assertion, or to threads that wait or run forever.
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

// visit tries all steps from a state.
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
		if len(s.logs[t]) > maxResultBytes {
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
	x.path = append(x.path, step{format, args})
	err := x.visit(s)
	x.path = x.path[:len(x.path)-1]
	return err
}

// maxSteps is how many steps an error shows.
const maxSteps = 100

func (x *explorer) wrong(err error) error {
	var path []string
	more := max(0, len(x.path)-maxSteps)
	if more > 0 {
		path = append(path, fmt.Sprintf("%d steps", more))
	}
	for _, s := range x.path[more:] {
		path = append(path, fmt.Sprintf(s.format, s.args...))
	}
	return fmt.Errorf("%w, after\n  %s", err, strings.Join(path, "\n  "))
}

// key returns a string that is different for different states.
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

// with returns a copy of a slice with one element replaced.
func with[T any](s []T, i int, v T) []T {
	c := append([]T(nil), s...)
	c[i] = v
	return c
}
