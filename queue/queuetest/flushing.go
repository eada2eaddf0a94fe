package queuetest

import "fmt"

// flushing checks how many elements a buffered producer keeps invisible: never more
// than Unflushed, and none after Flush. A second Flush must not repeat elements.
func flushing(c Config) error {
	const asked = 64
	q := c.New(asked)
	m := find(q)
	if m.flush == nil {
		return skipped("no Flush")
	}
	m.flush()
	if err := isEmpty(m); err != nil {
		return fmt.Errorf("after Flush of nothing: %w", err)
	}
	for round := range 3 {
		in := asked - 1 - round // no more than what makes it full, which may flush by itself
		for i := range in {
			if !m.enqueue(int64(i)) {
				return fmt.Errorf("round %d: full after %d elements", round+1, i)
			}
		}
		out := 0
		for v, ok := m.dequeue(); ok; v, ok = m.dequeue() {
			if v != int64(out) {
				return fmt.Errorf("round %d: got %d where %d is first", round+1, v, out)
			}
			out++
		}
		if hidden := in - out; c.Unflushed > 0 && hidden > c.Unflushed {
			return fmt.Errorf("round %d: %d of %d elements are invisible, %d may be", round+1, hidden, in, c.Unflushed)
		}
		m.flush()
		m.flush()
		if err := expect(m, out, in); err != nil {
			return fmt.Errorf("round %d: after Flush: %w", round+1, err)
		}
	}
	return nil
}
