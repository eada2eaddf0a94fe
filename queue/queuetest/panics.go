package queuetest

import "fmt"

// panics checks that no element is lost or repeated when a callback panics: an
// element has left the queue once a callback has received it, and is in the queue
// once a callback has returned it.
func panics(c Config) error {
	const asked = 8
	m := find(c.New(asked))
	if m.fill == nil && m.drain == nil && m.all == nil {
		return skipped("no Fill, Drain or All")
	}
	for range 5 {
		for _, try := range []func(methods[int64]) error{panicInFill, panicInDrain, panicInAll, nilCallbacks} {
			if err := try(m); err != nil {
				return err
			}
			if err := fillAndEmpty(m, m.holds(asked), asked); err != nil {
				return fmt.Errorf("after a panic in a callback: %w", err)
			}
		}
	}
	return nil
}

// caught runs f and reports whether it panicked.
func caught(f func()) (panicked bool) {
	defer func() { panicked = recover() != nil }()
	f()
	return false
}

func panicInFill(m methods[int64]) error {
	if m.fill == nil {
		return nil
	}
	next, calls := counter()
	if !caught(func() {
		m.fill(6, func() int64 {
			if *calls == 3 {
				panic("the callback of Fill gives up")
			}
			return next()
		})
	}) {
		return finding("Fill swallowed the panic of its callback")
	}
	m.publish()
	if err := expect(m, 0, 3); err != nil {
		return fmt.Errorf("after 3 elements Fill's callback panicked: %w", err)
	}
	return nil
}

func panicInDrain(m methods[int64]) error {
	if m.drain == nil {
		return nil
	}
	if err := enqueueAll(m, 6); err != nil {
		return err
	}
	if !caught(func() { m.drain(6, panicAt(2)) }) {
		return finding("Drain swallowed the panic of its callback")
	}
	if err := expect(m, 3, 6); err != nil {
		return finding("Drain's callback panicked at element 2 of 6: %w", err)
	}
	return nil
}

func panicInAll(m methods[int64]) error {
	if m.all == nil {
		return nil
	}
	if err := enqueueAll(m, 6); err != nil {
		return err
	}
	if !caught(func() {
		f := panicAt(2)
		for v := range m.all() {
			f(v)
		}
	}) {
		return finding("All swallowed the panic of the loop's body")
	}
	if err := expect(m, 3, 6); err != nil {
		return fmt.Errorf("the body of a loop over All panicked at element 2 of 6: %w", err)
	}
	return nil
}

// panicAt returns a callback that panics at an element.
func panicAt(stop int64) func(int64) {
	return func(v int64) {
		if v == stop {
			panic("the callback gives up")
		}
	}
}

// nilCallbacks checks that nil callbacks cost no elements. Whether they panic is the
// queue's choice.
func nilCallbacks(m methods[int64]) error {
	if err := enqueueAll(m, 3); err != nil {
		return err
	}
	if m.drain != nil {
		caught(func() { m.drain(1, nil) })
	}
	if m.fill != nil {
		caught(func() { m.fill(1, nil) })
	}
	if err := expect(m, 0, 3); err != nil {
		return fmt.Errorf("after Fill and Drain with nil: %w", err)
	}
	return nil
}
