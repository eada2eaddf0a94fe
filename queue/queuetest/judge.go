package queuetest

import (
	"errors"
	"math/bits"

	"github.com/anishathalye/porcupine"
)

// judge checks that a queue explains the history of an execution that has ended.
// Executions with the same history are checked once.
func (x *explorer) judge(s state) error {
	events := x.history(s)
	key := table(events)
	err, known := x.judged[key]
	if !known {
		err = x.explain(events)
		x.judged[key] = err
	}
	return err
}

// explored are the names of operations in what an exploration says.
var explored = map[kind]string{enqueue: "enqueue", dequeue: "dequeue", flush: "flush"}

// history turns the recorded operations into events. An operation began after certain
// others had ended; those sets grow with time, so their sizes serve as a clock: an
// operation in the set of another ended before the other began.
func (x *explorer) history(s state) []event {
	var events []event
	for t := range x.Threads {
		for n, r := range x.request(t, s.logs[t]).results {
			if n >= len(s.begun[t]) {
				continue // never touched memory
			}
			op := &operation{kind: r.kind, method: explored[r.kind], n: r.n}
			if r.strict {
				op.method = "TryDequeueStrict"
			}
			for _, v := range r.values {
				op.ids = append(op.ids, byte(v))
			}
			events = append(events, event{
				client: t,
				call:   2*int64(bits.OnesCount32(s.begun[t][n])) + 1,
				back:   x.ended(s, operationBit(t, n)),
				op:     op,
			})
		}
	}
	markSpurious(Config{SpuriousFull: x.SpuriousFull, SpuriousEmpty: x.SpuriousEmpty}, events)
	return events
}

// ended returns the latest time at which an operation can have ended.
func (x *explorer) ended(s state, operation uint32) int64 {
	end := int64(2)
	for _, sets := range s.begun {
		end += 2 * int64(len(sets))
	}
	for _, sets := range s.begun {
		for _, set := range sets {
			if set&operation != 0 {
				end = min(end, 2*int64(bits.OnesCount32(set)))
			}
		}
	}
	return end
}

func (x *explorer) explain(events []event) error {
	spec := fifo{capacity: x.Capacity, producers: 0, clients: len(x.Threads),
		buffered: x.Unflushed > 0, unflushed: x.Unflushed}
	if spec.capacity == 0 {
		spec.capacity = unbounded
	}
	var ops []porcupine.Operation
	for _, e := range events {
		ops = append(ops, porcupine.Operation{ClientId: e.client, Input: e.op, Call: e.call, Output: e.op, Return: e.back})
	}
	if porcupine.CheckOperations(spec.porcupine(), ops) {
		return nil
	}
	return errors.New("no order of the operations explains\n" + table(events) + "  which is possible")
}
