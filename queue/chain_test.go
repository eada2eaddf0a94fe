package queue_test

import (
	"testing"

	"github.com/tarebench/tare/queue"
)

// TestGrowsWithoutCopying fills a growable queue that is partly used, so that rings
// of several sizes hold elements at the same time.
func TestGrowsWithoutCopying(t *testing.T) {
	for taken := range 20 {
		q := queue.NewGrowableSPSC[int](2, 64)
		next, want := 0, 0
		add := func() bool {
			if !q.TryEnqueue(next) {
				return false
			}
			next++
			return true
		}
		for range taken {
			add()
			add()
			if v, ok := q.TryDequeue(); v != want || !ok {
				t.Fatalf("taken %d: TryDequeue = %d, %v, want %d", taken, v, ok, want)
			}
			want++
		}
		for add() {
		}
		for q.TryEnqueueStrict(next) { // room that the consumer publishes late
			next++
		}
		if q.Len() != 64 {
			t.Errorf("taken %d: %d elements in the full queue, want 64", taken, q.Len())
		}
		for v := range q.All() {
			if v != want {
				t.Fatalf("taken %d: All yields %d, want %d", taken, v, want)
			}
			want++
		}
		if want != next || !q.IsEmpty() {
			t.Errorf("taken %d: got %d of %d elements", taken, want, next)
		}
	}
}

// TestUnboundedSteadyStateAllocatesNothing: a ring is used again and again, alone if
// the consumer keeps up, and in turns with another if it is a little behind.
func TestUnboundedSteadyStateAllocatesNothing(t *testing.T) {
	if raceDetector {
		t.Skip("the race detector allocates")
	}
	q := queue.TunedUnboundedSPSC[int](16, 2, 0)
	vs, dst := make([]int, 24), make([]int, 24)
	for name, round := range map[string]func(){
		"one by one": func() {
			for i := range 40 {
				q.TryEnqueue(i)
				q.TryDequeue()
			}
		},
		"more than a ring": func() {
			q.TryEnqueueBatch(vs)
			q.TryDequeueBatch(dst)
		},
	} {
		if n := testing.AllocsPerRun(100, round); n != 0 {
			t.Errorf("%s: %v allocations per round, want 0", name, n)
		}
	}
}

// TestHungryConsumerIsServed looks when a BufferedProducer publishes.
func TestHungryConsumerIsServed(t *testing.T) {
	q := queue.NewSPSC[int](64)
	end := q.Buffered(4)
	end.TryEnqueue(1)
	end.TryEnqueue(2)
	if _, ok := q.TryDequeue(); ok {
		t.Fatal("an element is visible before its time")
	}
	end.TryEnqueue(3) // sees that the consumer found nothing
	if n := q.Len(); n != 3 || end.Hidden() != 0 {
		t.Errorf("%d elements visible and %d hidden though the consumer is emptyAt, want 3 and 0", n, end.Hidden())
	}
	for i := 4; i <= 6; i++ {
		end.TryEnqueue(i)
	}
	if n := q.Len(); n != 3 || end.Hidden() != 3 {
		t.Errorf("%d elements visible and %d hidden, want 3 and 3", n, end.Hidden())
	}
	end.TryEnqueue(7)
	if n := q.Len(); n != 7 {
		t.Errorf("%d elements visible after four more, want 7", n)
	}
	end.TryEnqueue(8)
	end.Close()
	if n := q.Len(); n != 8 || end.TryEnqueue(9) {
		t.Errorf("%d elements visible after Close, want 8, and no more taken", n)
	}
	if !q.TryEnqueue(9) || q.Len() != 9 {
		t.Error("the queue did not stay open")
	}
}

// TestFullBufferIsVisible: who finds the queue full must not be the reason for it.
func TestFullBufferIsVisible(t *testing.T) {
	q := queue.NewSPSC[int](4)
	end := q.Buffered(100)
	n := 0
	for end.TryEnqueue(n) {
		n++
	}
	if n != 4 || q.Len() != 4 {
		t.Errorf("%d elements taken and %d visible, want 4 and 4", n, q.Len())
	}
}

// TestOwnMethodsShowWhatIsBuffered: a producer may mix its buffered end with the
// queue's own methods, which must not leave a full queue that looks empty.
func TestOwnMethodsShowWhatIsBuffered(t *testing.T) {
	for name, c := range map[string]struct {
		hidden  int // elements that the end adds first
		add     func(*queue.SPSC[int]) bool
		visible int // afterwards
	}{
		"TryEnqueue":                      {2, func(q *queue.SPSC[int]) bool { return q.TryEnqueue(9) }, 3},
		"TryEnqueueBatch":                 {2, func(q *queue.SPSC[int]) bool { return q.TryEnqueueBatch([]int{9, 9}) == 2 }, 4},
		"Fill":                            {2, func(q *queue.SPSC[int]) bool { return q.Fill(1, func() int { return 9 }) == 1 }, 3},
		"TryEnqueue of a full queue":      {4, func(q *queue.SPSC[int]) bool { return !q.TryEnqueue(9) }, 4},
		"TryEnqueueBatch of a full queue": {4, func(q *queue.SPSC[int]) bool { return q.TryEnqueueBatch([]int{9}) == 0 }, 4},
		"Fill of a full queue":            {4, func(q *queue.SPSC[int]) bool { return q.Fill(1, func() int { return 9 }) == 0 }, 4},
	} {
		q := queue.NewSPSC[int](4)
		end := q.Buffered(100)
		for i := range c.hidden {
			end.TryEnqueue(i)
		}
		if q.Len() != 0 || end.Hidden() != c.hidden {
			t.Fatalf("%s: %d elements visible and %d hidden, want 0 and %d", name, q.Len(), end.Hidden(), c.hidden)
		}
		if !c.add(q) {
			t.Errorf("%s: not the result that there should be", name)
		}
		if q.Len() != c.visible || end.Hidden() != 0 {
			t.Errorf("%s: %d elements visible and %d hidden, want %d and 0", name, q.Len(), end.Hidden(), c.visible)
		}
		end.TryEnqueue(9)
		end.Flush()
		if end.Hidden() != 0 {
			t.Errorf("%s: %d elements hidden after Flush", name, end.Hidden())
		}
	}
}

// TestBlockingAllocatesNothing: a Blocking queue allocates nothing while no goroutine waits.
func TestBlockingAllocatesNothing(t *testing.T) {
	if raceDetector {
		t.Skip("the race detector allocates")
	}
	b := queue.NewBlocking(queue.NewMPSC[*int](8), queue.Park)
	v, ctx, dst := new(int), t.Context(), make([]*int, 4)
	n := testing.AllocsPerRun(100, func() {
		_ = b.Enqueue(ctx, v)
		_, _ = b.Dequeue(ctx)
		_, _ = b.EnqueueBatch(ctx, dst)
		_, _ = b.DequeueBatch(ctx, dst)
	})
	if n != 0 {
		t.Errorf("%v allocations, want 0", n)
	}
}
