package queuetest

import (
	"context"
	"time"
)

// closingHistories are histories in which somebody closes the queue. When all are
// done, what is left is taken, so that it is known which elements went in.
func closingHistories(c Config) error {
	if m := find(c.New(2)); !m.waits.there() || m.waits.close == nil {
		return skipped("no Enqueue and Dequeue with a context, or no Close")
	}
	return eachCapacity(c, func(c Config, capacity int) error { return histories(c, capacity, true) })
}

// willClose has one of the clients close the queue, in the middle of its operations.
func (h *history) willClose() {
	random := h.clients[0].random
	h.clients[random.IntN(len(h.clients))].closesAt = random.IntN(h.operations)
}

func (c *client) close() {
	call := c.clock.Add(1)
	c.m.waits.close()
	c.record(call, operation{kind: closing, method: "Close"})
}

// takeRest takes what was left in a closed queue, until Dequeue says that there is
// no more. It stands for the consumer that never gives up.
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
			if op.closed = saysClosed(err); err == nil {
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

// settleLate finds the elements that went in although their call failed, which is
// allowed if it overlapped with Close: nobody can tell before they come out.
func settleLate(events []event) {
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
