package queuetest

import (
	"fmt"
	"strings"
)

// sequence calls all methods at random from one goroutine and compares each result
// with the model. Only failures that SpuriousFailure Anytime allows are accepted.
// Capacities 1 to 9 show faults of indices that wrap.
func sequence(c Config) error {
	for round := range uint64(80) {
		asked := 1 + int(round)%9
		if err := oneSequence(c, max(2, asked), round); err != nil {
			return fmt.Errorf("capacity %d, round %d, seed %d: %w", asked, round, c.Seed, err)
		}
	}
	return nil
}

func oneSequence(c Config, asked int, round uint64) error {
	q := c.New(asked)
	advanceIndices(q, int(round)%(2*asked))
	m := find(q)
	spec := fifo{capacity: m.holds(asked), producers: 1, clients: 1, buffered: m.flush != nil, unflushed: c.Unflushed}
	cl := newClient(c, m, both, &startBarrier{clients: 1})
	cl.alone, cl.producers, cl.random = true, 1, c.random(1, round)
	counters := newCounters(m)
	state := spec.init()
	for cl.last+5 < maxID {
		before := len(cl.events)
		filling := len(cl.events)/20%2 == 0
		if cl.random.IntN(3) > 0 == filling {
			cl.produce()
		} else {
			cl.consume()
		}
		markSpurious(c, cl.events[before:])
		for _, e := range cl.events[before:] {
			ok, next := spec.step(state, e.op)
			if !ok {
				return fmt.Errorf("%v, when the queue held %v; before:\n%s", e.op, []byte(state[spec.head():]), recent(cl.events))
			}
			state = next
			counters.count(e.op)
		}
		if err := counters.compare(c, len(state)-spec.head(), spec.capacity); err != nil {
			return fmt.Errorf("%w; after:\n%s", err, recent(cl.events))
		}
	}
	return nil
}

// recent lists the last operations of a sequence.
func recent(events []event) string {
	var b strings.Builder
	for _, e := range events[max(0, len(events)-12):] {
		fmt.Fprintf(&b, "  %v\n", e.op)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// counters compares the sizes that a queue reports with the expected ones.
type counters struct {
	m         methods[int64]
	in, out   uint64
	in0, out0 uint64 // counts at the beginning
}

func newCounters(m methods[int64]) *counters {
	t := &counters{m: m}
	if m.enqueued != nil {
		t.in0 = m.enqueued()
	}
	if m.dequeued != nil {
		t.out0 = m.dequeued()
	}
	return t
}

func (t *counters) count(op *operation) {
	switch op.kind {
	case enqueue:
		t.in += uint64(op.n)
	case dequeue:
		t.out += uint64(len(op.ids))
	}
}

// compare checks the sizes of a queue at rest. They are exact, unless one side
// publishes late: then a length must still be possible.
func (t *counters) compare(c Config, length, capacity int) error {
	exact := c.SpuriousFull != Anytime && t.m.flush == nil
	if t.m.size != nil {
		n := t.m.size()
		if exact && n != length || n < 0 || n > capacity {
			return finding("Len is %d for %d elements of at most %s", n, length, capacityText(capacity))
		}
	}
	if t.m.empty != nil {
		e := t.m.empty()
		if exact && e != (length == 0) || e && length > 0 && t.m.flush == nil {
			return finding("IsEmpty is %v for %d elements", e, length)
		}
	}
	if !exact {
		return nil
	}
	if t.m.enqueued != nil && t.m.enqueued()-t.in0 != t.in {
		return finding("Enqueued grew by %d for %d elements", t.m.enqueued()-t.in0, t.in)
	}
	if t.m.dequeued != nil && t.m.dequeued()-t.out0 != t.out {
		return finding("Dequeued grew by %d for %d elements", t.m.dequeued()-t.out0, t.out)
	}
	return nil
}
