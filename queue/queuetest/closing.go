package queuetest

import (
	"context"
	"time"
)

// closingHistories plays histories in which a client closes the queue. At the end it
// takes the rest, so that all elements that went in are known.
func closingHistories(c Config) error {
	if m := find(c.New(2)); !m.waits.available() || m.waits.close == nil {
		return skipped("no Enqueue and Dequeue with a context, or no Close")
	}
	return eachCapacity(c, func(c Config, capacity int) error { return histories(c, capacity, true) })
}

// addClose makes one of the clients close the queue in the middle of its operations.
func (h *history) addClose() {
	random := h.clients[0].random
	h.clients[random.IntN(len(h.clients))].closesAt = random.IntN(h.operations)
}

func (c *client) close() {
	call := c.clock.Add(1)
	c.m.waits.close()
	c.record(call, operation{kind: closing, method: "Close"})
}

// takeRest takes the rest of a closed queue until Dequeue reports that it is closed,
// as a last consumer would.
func (h *history) takeRest() {
	for _, c := range h.clients {
		if c.role&consumes == 0 {
			continue
		}
		for more := true; more; {
			ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
			op := operation{kind: dequeue, method: "Dequeue", n: 1}
			call := c.clock.Add(1)
			v, err := c.m.waits.dequeue(ctx)
			cancel()
			if op.closed = isClosedError(err); err == nil {
				op.ids = []byte{idOf(v)}
			} else if !op.closed {
				op.ids = []byte{0} // it waited in a closed queue, which the specification never allows
			}
			more = err == nil
			c.record(call, op)
		}
		return
	}
}

// markOverlapping marks the calls that began before Close returned. They may add elements
// until a dequeue has reported to a consumer that the queue is closed.
func markOverlapping(events []event) {
	closed := int64(-1)
	for _, e := range events {
		if e.op.kind == closing {
			closed = e.back
		}
	}
	for _, e := range events {
		e.op.late = e.op.kind == enqueue && e.call < closed
	}
}
