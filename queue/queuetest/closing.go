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
				op.ids = []byte{0} // it waited in a closed queue: nothing explains that
			}
			more = err == nil
			c.record(call, op)
		}
		return
	}
}

// markLateEnqueues marks elements that went in although their call failed. This is
// allowed if the call overlapped with Close, and is known only when the elements come
// out.
func markLateEnqueues(events []event) {
	closed := int64(-1)
	came := map[byte]bool{}
	for _, e := range events {
		switch e.op.kind {
		case closing:
			closed = e.back
		case dequeue:
			for _, id := range e.op.ids {
				came[id] = true
			}
		}
	}
	for _, e := range events {
		op := e.op
		if op.kind != enqueue || e.call > closed {
			continue
		}
		op.late = op.closed
		for op.n < len(op.ids) && came[op.ids[op.n]] {
			op.n, op.late = op.n+1, true
		}
	}
}
