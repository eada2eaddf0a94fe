package queuetest

import (
	"fmt"
	"strings"

	"github.com/anishathalye/porcupine"
)

// kind is the effect of an operation in the model.
type kind uint8

const (
	enqueue kind = iota
	dequeue
	peek
	flush
	closing
)

// operation is one step of a history with its result. A call of Fill, Drain or All
// becomes several operations with one interval, because other goroutines may see its
// elements one by one.
type operation struct {
	kind              kind
	method            string // name of the called method
	ids               []byte // enqueue: the elements offered; others: the elements returned
	n                 int    // enqueue: how many were accepted; dequeue: how many were asked for
	maySpuriouslyFail bool   // may report full or empty spuriously
	closed            bool   // reported that the queue is closed
	late              bool   // began before Close returned

	client   int  // number of the calling client
	turn, of byte // index and number of the operations of one call; 0 of 0 if there is one
}

// maxID is the highest number of an element, because the state of the model has one
// byte for each element.
const maxID = 255

// fifo is the specification: a queue of limited capacity. Elements have numbers that
// grow with time for each producer; the producer of id is id % producers. 0 producers
// means that the numbers have no meaning.
//
// A state is a string. Byte 0 counts the elements at the front that are certainly
// visible (a buffered producer may keep others invisible). Then come the last element
// of each producer, then for each client how many operations of a call with several
// operations have been done, then whether the queue is closed (0, 1, or closedSeen),
// then the elements.
type fifo struct {
	capacity  int
	producers int
	clients   int
	buffered  bool // there is a Flush
	unflushed int  // with buffered: how many elements may be invisible, 0 for any number
}

// closedSeen is the byte of a closed queue after a dequeue has reported that it is closed.
// No element may be added any more.
const closedSeen = 2

// head returns how many bytes precede the elements.
func (f fifo) head() int { return 2 + f.producers + f.clients }

func (f fifo) init() string { return string(make([]byte, f.head())) }

// step applies an operation. It returns false if the operation could not have had
// this result.
func (f fifo) step(state string, op *operation) (bool, string) {
	if op.of == 0 {
		return f.apply(state, op)
	}
	turn := 1 + f.producers + op.client
	if state[turn] != op.turn {
		return false, "" // an earlier operation of the same call has not been applied
	}
	next := []byte(state)
	next[turn] = (op.turn + 1) % op.of
	return f.apply(string(next), op)
}

func (f fifo) apply(state string, op *operation) (bool, string) {
	head, queue := state[:f.head()], state[f.head():]
	visible := int(head[0])
	closed := head[len(head)-1]
	shut := closed != 0
	switch op.kind {
	case enqueue:
		switch {
		case op.n > 0 && (shut && !op.late || closed == closedSeen), op.n == 0 && op.closed && !shut:
			return false, state
		case op.n == 0 && shut:
			return true, state
		}
		return f.enqueue(head, queue, op)
	case dequeue, peek:
		if op.closed {
			return shut && queue == "", head[:len(head)-1] + "\x02" + queue
		}
		if len(op.ids) == 0 {
			return visible == 0 || op.maySpuriouslyFail || op.n == 0, state
		}
		if !strings.HasPrefix(queue, string(op.ids)) {
			return false, state
		}
		if op.kind == peek {
			return true, state
		}
		visible = max(0, visible-len(op.ids))
		return true, string([]byte{byte(visible)}) + head[1:] + queue[len(op.ids):]
	case closing:
		return true, head[:len(head)-1] + string([]byte{max(closed, 1)}) + queue
	default: // flush
		return true, string([]byte{byte(len(queue))}) + head[1:] + queue
	}
}

func (f fifo) enqueue(head, queue string, op *operation) (bool, string) {
	room := f.capacity - len(queue)
	full := op.n < len(op.ids)
	if op.n > room || op.n == 0 && full && room > 0 && !op.maySpuriouslyFail {
		return false, ""
	}
	next := []byte(head + queue)
	for _, id := range op.ids[:op.n] {
		if f.producers > 0 {
			last := 1 + int(id)%f.producers
			if id <= next[last] {
				return false, "" // overtook an older element of its producer
			}
			next[last] = id
		}
		next = append(next, id)
	}
	length := len(queue) + op.n
	switch {
	case !f.buffered:
		next[0] = byte(length)
	case f.unflushed > 0:
		next[0] = max(next[0], byte(max(0, length-f.unflushed)))
	}
	return true, string(next)
}

// porcupine returns the specification as a model for the checker.
func (f fifo) porcupine() porcupine.Model {
	return porcupine.Model{
		Init: func() any { return f.init() },
		Step: func(state, input, _ any) (bool, any) {
			return f.step(state.(string), input.(*operation))
		},
		DescribeOperation: func(input, _ any) string { return input.(*operation).String() },
		DescribeState: func(state any) string {
			return fmt.Sprintf("%v", []byte(state.(string)[f.head():]))
		},
	}
}

// String returns the call and its result.
func (op *operation) String() string {
	switch {
	case op.kind == enqueue && op.n == 0 && op.closed:
		return fmt.Sprintf("%s(%d) closed", op.method, op.ids[0])
	case op.kind == dequeue && op.closed:
		return op.method + "() closed"
	case op.kind == flush || op.kind == closing:
		return op.method + "()"
	case op.kind == enqueue && len(op.ids) == 1:
		return fmt.Sprintf("%s(%d) %v", op.method, op.ids[0], op.n == 1)
	case op.kind == enqueue:
		return fmt.Sprintf("%s(%v) %d", op.method, op.ids, op.n)
	case len(op.ids) == 0:
		return op.method + "() nothing"
	case len(op.ids) == 1:
		return fmt.Sprintf("%s() %d", op.method, op.ids[0])
	}
	return fmt.Sprintf("%s() %v", op.method, op.ids)
}
