package queuetest

import "fmt"

// bounds fills and empties queues of all capacities several times: they must take
// exactly as many elements as they hold, in order, and be empty afterwards.
func bounds(c Config) error {
	for _, asked := range []int{2, 3, 4, 7, 8, 64} {
		q := c.New(asked)
		m := find(q)
		holds := m.holds(asked)
		if holds < asked {
			return finding("Cap is %d where %d were asked for", holds, asked)
		}
		for round := range 3 {
			if err := fillAndEmpty(m, holds, asked); err != nil {
				return fmt.Errorf("capacity %d (%s), round %d: %w", asked, capacityText(holds), round+1, err)
			}
		}
	}
	return nil
}

func fillAndEmpty(m methods[int64], holds, asked int) error {
	want := holds
	if holds == unbounded {
		want = 20 * asked
	}
	for i := range want {
		if !m.enqueue(int64(i)) {
			return fmt.Errorf("full after %d of %d elements", i, want)
		}
	}
	if holds != unbounded && m.enqueue(-1) {
		return fmt.Errorf("took %d elements", want+1)
	}
	m.publish()
	for i := range want {
		if m.peek != nil {
			for range 2 {
				if v, ok := m.peek(); !ok || v != int64(i) {
					return finding("Peek gave %d, %v where element %d is first", v, ok, i)
				}
			}
		}
		if v, ok := m.dequeue(); !ok || v != int64(i) {
			return fmt.Errorf("got %d, %v where element %d is first", v, ok, i)
		}
	}
	return isEmpty(m)
}

// isEmpty returns an error unless every method reports that the queue is empty, with
// a zero value.
func isEmpty(m methods[int64]) error {
	for name, try := range map[string]func() (int64, bool){
		"TryDequeue": m.dequeue, "TryDequeueStrict": m.dequeueStrict, "Peek": m.peek,
	} {
		if try == nil {
			continue
		}
		if v, ok := try(); ok || v != 0 {
			return fmt.Errorf("%s gave %d, %v on an empty queue", name, v, ok)
		}
	}
	if m.size != nil && m.size() != 0 {
		return finding("Len is %d for an empty queue", m.size())
	}
	if m.empty != nil && !m.empty() {
		return finding("IsEmpty is false for an empty queue")
	}
	return nil
}

// enqueueAll adds 0, 1, … n-1 to an empty queue and publishes them.
func enqueueAll(m methods[int64], n int) error {
	for i := range n {
		if !m.enqueue(int64(i)) {
			return fmt.Errorf("full after %d elements", i)
		}
	}
	m.publish()
	return nil
}

// expect returns an error unless the queue holds exactly first, first+1, … last-1.
func expect(m methods[int64], first, last int) error {
	for i := first; i < last; i++ {
		if v, ok := m.dequeue(); !ok || v != int64(i) {
			return fmt.Errorf("got %d, %v where %d is first", v, ok, i)
		}
	}
	if v, ok := m.dequeue(); ok {
		return fmt.Errorf("got %d, which is one more than there should be", v)
	}
	return nil
}
