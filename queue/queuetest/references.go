package queuetest

import (
	"fmt"
	"runtime"
	"sync"
	"time"
	"weak"
)

// references checks that a queue keeps no references to elements that it refused or that any of its methods took
// out.
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
		for turn := range 3 { // until all slots were used
			if n := alive(fillAndTake(m, 5, take)); n > 0 {
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

// takers returns functions that take n elements, by the name of the method they use.
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

// fillAndTake adds n elements, takes them, and returns weak pointers to them. Its stack frame has ended when the
// caller checks, so it cannot keep them alive.
func fillAndTake(m methods[*int64], n int, take func(int)) (kept []weak.Pointer[int64]) {
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

// large returns a pointer to a block of its own. The allocator puts objects of 8 bytes without pointers into one
// block, where they keep each other alive.
func large() *int64 { return &new([16]int64)[0] }

// alive returns how many elements survive several garbage collections. One is not enough: a collection that
// already runs may have marked an element that was still in use.
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

// refused offers an element to a full queue and checks that it can be collected.
func refused(m methods[*int64], holds int) error {
	if holds == unbounded {
		return nil
	}
	for range holds {
		m.enqueue(large())
	}
	if alive(fillAndTake(m, 1, func(int) {})) > 0 {
		return fmt.Errorf("an element that a full queue refused cannot be collected")
	}
	return nil
}
