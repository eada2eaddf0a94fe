package queuetest

import (
	"fmt"
	"slices"
)

// batches checks edge cases of TryEnqueueBatch and TryDequeueBatch: empty batches,
// batches that are larger than the room, and that elements that were not moved stay
// unchanged.
func batches(c Config) error {
	const asked = 8
	q := c.New(asked)
	m := find(q)
	if m.enqueueBatch == nil && m.dequeueBatch == nil {
		return skipped("no TryEnqueueBatch and no TryDequeueBatch")
	}
	for range 5 { // more than once round
		if m.enqueueBatch != nil {
			if err := enqueueBatches(m, m.holds(asked)); err != nil {
				return err
			}
		}
		if m.dequeueBatch != nil {
			if err := dequeueBatches(m); err != nil {
				return err
			}
		}
	}
	return nil
}

func enqueueBatches(m methods[int64], holds int) error {
	for name, vs := range map[string][]int64{"nil": nil, "an empty slice": {}} {
		if n := m.enqueueBatch(vs); n != 0 {
			return fmt.Errorf("TryEnqueueBatch of %s returned %d", name, n)
		}
	}
	vs := make([]int64, min(holds, 100)+5)
	for i := range vs {
		vs[i] = int64(i)
	}
	mine := slices.Clone(vs)
	in := 0
	for in < len(vs) {
		n := m.enqueueBatch(vs[in:])
		if n == 0 {
			break
		}
		in += n
	}
	if want := min(holds, len(vs)); in != want {
		return fmt.Errorf("TryEnqueueBatch took %d of %d elements in all, there is room for %s", in, len(vs), capacityText(holds))
	}
	if !slices.Equal(vs, mine) {
		return fmt.Errorf("TryEnqueueBatch changed the slice of its caller to %v", vs)
	}
	clear(vs) // the queue must have copied it
	m.publish()
	return expect(m, 0, in)
}

func dequeueBatches(m methods[int64]) error {
	if err := enqueueAll(m, 6); err != nil {
		return err
	}
	if n := m.dequeueBatch(nil) + m.dequeueBatch([]int64{}); n != 0 {
		return fmt.Errorf("TryDequeueBatch into nothing returned %d", n)
	}
	dst := []int64{-7, -7, -7, -7}
	if n := m.dequeueBatch(dst[:2]); n != 2 || !slices.Equal(dst, []int64{0, 1, -7, -7}) {
		return fmt.Errorf("TryDequeueBatch of 2 from 6 elements returned %d and left %v", n, dst)
	}
	large := slices.Repeat([]int64{-7}, 10)
	out := 0
	for out < 4 {
		n := m.dequeueBatch(large[out:])
		if n == 0 {
			break
		}
		out += n
	}
	if !slices.Equal(large, []int64{2, 3, 4, 5, -7, -7, -7, -7, -7, -7}) {
		return fmt.Errorf("TryDequeueBatch of 10 from 4 elements left %v", large)
	}
	if n := m.dequeueBatch(dst); n != 0 {
		return fmt.Errorf("TryDequeueBatch of an empty queue returned %d", n)
	}
	return isEmpty(m)
}
