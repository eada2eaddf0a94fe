package queuetest

import (
	"fmt"
	"runtime"
	"sync"
	"time"
	"weak"
)

// references looks whether a queue lets go of what was taken from it, by each
// of the ways to take, and of what it refused.
func references(c Config) error {
	if c.NewPointers == nil {
		return skipped("no NewPointers")
	}
	const asked = 8
	q := c.NewPointers(asked)
	m := find(q)
	for name, take := range takers(m) {
		if take == nil {
			continue
		}
		for turn := range 3 { // all slots have their turn
			if n := alive(leave(m, 5, take)); n > 0 {
				return fmt.Errorf("%d of 5 elements taken by %s cannot be collected (turn %d)", n, name, turn+1)
			}
		}
	}
	if err := refused(m, m.holds(asked)); err != nil {
		return err
	}
	runtime.KeepAlive(q)
	return nil
}

// takers are the ways to take n elements.
func takers(m methods[*int64]) map[string]func(n int) {
	one := func(try func() (*int64, bool)) func(int) {
		if try == nil {
			return nil
		}
		return func(n int) {
			for range n {
				try()
			}
		}
	}
	ways := map[string]func(int){"TryDequeue": one(m.dequeue), "TryDequeueStrict": one(m.dequeueStrict)}
	if m.dequeueBatch != nil {
		ways["TryDequeueBatch"] = func(n int) { m.dequeueBatch(make([]*int64, n)) }
	}
	if m.drain != nil {
		ways["Drain"] = func(n int) { m.drain(n, func(*int64) {}) }
	}
	if m.all != nil {
		ways["All"] = func(n int) {
			for range m.all() {
				if n--; n == 0 {
					break
				}
			}
		}
	}
	return ways
}

// leave puts n elements in and takes them out. It does so on a stack that is gone
// afterwards and cannot keep them alive.
func leave(m methods[*int64], n int, take func(int)) (kept []weak.Pointer[int64]) {
	var wg sync.WaitGroup
	wg.Go(func() {
		for range n {
			p := large()
			kept = append(kept, weak.Make(p))
			m.enqueue(p)
		}
		m.publish()
		take(n)
	})
	wg.Wait()
	return kept
}

// large returns a pointer into memory that is not shared with other small
// things, as 8 bytes alone would be: they would keep each other alive.
func large() *int64 { return &new([16]int64)[0] }

// alive returns how many elements some collections leave: one that runs already
// may have met an element when it was still in use, and a goroutine that has ended
// may not have been tidied up on a busy machine.
func alive(kept []weak.Pointer[int64]) (n int) {
	for tries := range 10 {
		time.Sleep(time.Duration(tries/3) * time.Millisecond)
		runtime.GC()
		n = 0
		for _, w := range kept {
			if w.Value() != nil {
				n++
			}
		}
		if n == 0 {
			return 0
		}
	}
	return n
}

// refused offers an element to a full queue.
func refused(m methods[*int64], holds int) error {
	if holds == unbounded {
		return nil
	}
	for range holds {
		m.enqueue(large())
	}
	if alive(leave(m, 1, func(int) {})) > 0 {
		return fmt.Errorf("an element that a full queue refused cannot be collected")
	}
	return nil
}
