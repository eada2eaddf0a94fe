package queue_test

import (
	"runtime"
	"strings"
	"testing"

	"github.com/tarebench/tare/queue"
)

// TestBubbles interrupts a goroutine in the middle of a call, and looks what the
// weak methods say meanwhile and that the strict ones wait.
func TestBubbles(t *testing.T) {
	type weak interface {
		queue.Queue[int]
		TryDequeueStrict() (int, bool)
		TryEnqueueBatch([]int) int
		Len() int
	}
	mpsc, mpmc := queue.NewMPSC[int](4), queue.NewMPMC[int](4)
	chunks, shared := queue.TunedUnboundedMPSC[int](4, 0), queue.TunedUnboundedMPMC[int](4, 0)
	for name, c := range map[string]struct {
		q     weak
		claim func() func(int)
	}{
		"MPSC": {mpsc, mpsc.ClaimOnly}, "MPMC": {mpmc, mpmc.ClaimOnly},
		"UnboundedMPSC": {chunks, chunks.ClaimOnly}, "UnboundedMPMC": {shared, shared.ClaimOnly},
	} {
		t.Run(name, func(t *testing.T) {
			if _, ok := c.q.TryDequeueStrict(); ok {
				t.Fatal("TryDequeueStrict of an empty queue succeeds")
			}
			fill := c.claim()
			offered := []int{2, 3, 4, 5}
			if strings.HasPrefix(name, "Unbounded") {
				offered = offered[:3]
			}
			if n := c.q.TryEnqueueBatch(offered); n != 3 {
				t.Fatalf("TryEnqueueBatch behind a bubble = %d, want 3", n)
			}
			if v, ok := c.q.TryDequeue(); ok {
				t.Errorf("TryDequeue passes a bubble and returns %d", v)
			}
			if n := c.q.Len(); n != 4 {
				t.Errorf("Len = %d, want 4, the bubble included", n)
			}
			got := waitsIn(t, "TryDequeueStrict", func() int { v, _ := c.q.TryDequeueStrict(); return v })
			fill(1)
			if v := <-got; v != 1 {
				t.Errorf("TryDequeueStrict = %d, want 1", v)
			}
			if v, ok := c.q.TryDequeue(); v != 2 || !ok {
				t.Errorf("TryDequeue = %d, %v behind what was a bubble, want 2", v, ok)
			}
		})
	}
}

// waitsIn calls f in another goroutine, and reports an error if f returns although it
// should wait. It returns a channel for the result.
func waitsIn[T any](t *testing.T, what string, f func() T) <-chan T {
	t.Helper()
	result, begun := make(chan T, 1), make(chan bool)
	go func() {
		close(begun)
		result <- f()
	}()
	<-begun
	for range 1000 {
		runtime.Gosched()
		if len(result) > 0 {
			t.Errorf("%s did not wait", what)
			break
		}
	}
	return result
}

// TestSlowReaders interrupts a consumer between claiming an element and reading it.
func TestSlowReaders(t *testing.T) {
	type weak interface {
		queue.Queue[int]
		TryEnqueueStrict(int) bool
		TryEnqueueBatch([]int) int
	}
	spmc, mpmc := queue.NewSPMC[int](2), queue.NewMPMC[int](2)
	for name, c := range map[string]struct {
		q     weak
		claim func() func() int
	}{
		"SPMC": {spmc, spmc.ClaimRead}, "MPMC": {mpmc, mpmc.ClaimRead},
	} {
		t.Run(name, func(t *testing.T) {
			if n := c.q.TryEnqueueBatch([]int{1, 2, 3}); n != 2 {
				t.Fatalf("TryEnqueueBatch = %d, want 2", n)
			}
			if c.q.TryEnqueueStrict(3) {
				t.Fatal("TryEnqueueStrict to a full queue succeeds")
			}
			read := c.claim()
			if c.q.TryEnqueue(3) {
				t.Error("TryEnqueue overwrites what is being read")
			}
			if n := c.q.TryEnqueueBatch([]int{3}); n != 0 {
				t.Error("TryEnqueueBatch overwrites what is being read")
			}
			done := waitsIn(t, "TryEnqueueStrict", func() bool { return c.q.TryEnqueueStrict(3) })
			if v := read(); v != 1 {
				t.Errorf("read %d, want 1", v)
			}
			if !<-done {
				t.Error("TryEnqueueStrict did not wait for the reader")
			}
			for _, want := range []int{2, 3} {
				if v, ok := c.q.TryDequeue(); v != want || !ok {
					t.Errorf("TryDequeue = %d, %v, want %d", v, ok, want)
				}
			}
		})
	}
}
