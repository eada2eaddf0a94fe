package queuetest

import (
	"fmt"
)

// sizes reads the length of a queue under traffic: it must be from 0 to the capacity.
// Counts must not decrease.
func sizes(c Config) error {
	m := find(c.New(2))
	if m.size == nil && m.empty == nil && m.enqueued == nil && m.dequeued == nil {
		return skipped("no Len, IsEmpty, Enqueued or Dequeued")
	}
	s := subject[int64]{c.New, func(v int64) int64 { return v }, func(v int64) int64 { return v }}
	for _, capacity := range []int{2, 8} {
		part := c
		part.Budget /= 4
		if err := rounds(part, s, capacity, observer(capacity)); err != nil {
			return fmt.Errorf("capacity %d: %w", capacity, err)
		}
	}
	return nil
}

// observer returns a function that checks a queue's sizes and remembers the counts of
// the queue that it saw last.
func observer(asked int) func(Queue[int64]) error {
	var last Queue[int64]
	var in, out uint64
	return func(q Queue[int64]) error {
		m := find(q)
		if q != last {
			last, in, out = q, 0, 0
		}
		if m.size != nil {
			if n := m.size(); n < 0 || n > m.holds(asked) {
				return finding("Len was %d under traffic, in a queue for %s", n, capacityText(m.holds(asked)))
			}
		}
		if m.empty != nil {
			m.empty()
		}
		if m.enqueued != nil {
			n := m.enqueued()
			if n < in && in-n < 1<<62 {
				return finding("Enqueued went back from %d to %d", in, n)
			}
			in = n
		}
		if m.dequeued != nil {
			n := m.dequeued()
			if n < out && out-n < 1<<62 {
				return finding("Dequeued went back from %d to %d", out, n)
			}
			out = n
		}
		return nil
	}
}
