package queuetest

import (
	"fmt"
	"testing"
)

// allocations returns an error if a method allocates. It leaves out All, because a loop
// over All may allocate a closure in the caller.
func allocations(c Config) error {
	if raceDetector {
		return skipped("the race detector allocates")
	}
	if c.Allocates {
		return skipped("the queue says that it allocates")
	}
	m := find(c.New(8))
	buffer, next := make([]int64, 3), func() int64 { return 1 }
	drop := func(int64) {}
	for name, turn := range map[string]func(){
		"TryEnqueue and TryDequeue": func() { m.enqueue(1); m.publish(); m.dequeue() },
		"TryEnqueueBatch": callIf(m.enqueueBatch != nil, func() {
			m.enqueueBatch(buffer)
			empty(m)
		}),
		"TryDequeueBatch":  callIf(m.dequeueBatch != nil, func() { m.enqueue(1); m.publish(); m.dequeueBatch(buffer) }),
		"Fill":             callIf(m.fill != nil, func() { m.fill(3, next); empty(m) }),
		"Drain":            callIf(m.drain != nil, func() { m.enqueue(1); m.publish(); m.drain(3, drop) }),
		"TryEnqueueStrict": callIf(m.enqueueStrict != nil, func() { m.enqueueStrict(1); empty(m) }),
		"TryDequeueStrict": callIf(m.dequeueStrict != nil, func() { m.enqueue(1); m.publish(); m.dequeueStrict() }),
		"Peek":             callIf(m.peek != nil, func() { m.enqueue(1); m.publish(); m.peek(); m.dequeue() }),
		"Len":              callIf(m.size != nil, func() { m.size() }),
	} {
		if n := testing.AllocsPerRun(200, turn); n != 0 {
			return fmt.Errorf("%s allocates %v times per call", name, n)
		}
	}
	return nil
}

func callIf(there bool, f func()) func() {
	if !there {
		return func() {}
	}
	return f
}

func empty(m methods[int64]) {
	m.publish()
	for _, ok := m.dequeue(); ok; _, ok = m.dequeue() {
	}
}
