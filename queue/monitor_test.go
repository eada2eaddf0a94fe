package queue_test

import (
	"testing"

	"github.com/tarebench/tare/queue"
)

// monitored is what all types have for those who watch a queue.
type monitored interface {
	queue.Queue[int]
	Len() int
	IsEmpty() bool
	Enqueued() uint64
	Dequeued() uint64
}

func allTypes() map[string]func() monitored {
	return map[string]func() monitored{
		"SPSC":          func() monitored { return queue.NewSPSC[int](1024) },
		"GrowableSPSC":  func() monitored { return queue.NewGrowableSPSC[int](16, 1024) },
		"UnboundedSPSC": func() monitored { return queue.NewUnboundedSPSC[int]() },
		"MPSC":          func() monitored { return queue.NewMPSC[int](1024) },
		"UnboundedMPSC": func() monitored { return queue.NewUnboundedMPSC[int]() },
		"UnboundedMPMC": func() monitored { return queue.NewUnboundedMPMC[int]() },
		"LinkedMPSC":    func() monitored { return queue.NewLinkedMPSC[int]() },
		"SPMC":          func() monitored { return queue.NewSPMC[int](1024) },
		"MPMC":          func() monitored { return queue.NewMPMC[int](1024) },
	}
}

// TestMonitoringIsExact: after each element that is taken, Len and the counts are exact, also for another goroutine, and
// when the last one is taken the queue is empty. Around the numbers at which indices are published it was not.
func TestMonitoringIsExact(t *testing.T) {
	for name, make := range allTypes() {
		for _, n := range []int{1, 2, 63, 64, 65, 100, 1000} {
			q := make()
			for i := range n {
				if !q.TryEnqueue(i) {
					t.Fatalf("%s: element %d of %d was refused", name, i, n)
				}
			}
			for i := range n {
				q.TryDequeue()
				left, dequeued := readElsewhere(q)
				if left != n-i-1 || dequeued != uint64(i+1) || q.IsEmpty() != (left == 0) {
					t.Fatalf("%s: after %d of %d: Len %d, Dequeued %d, IsEmpty %v", name, i+1, n, left, dequeued, q.IsEmpty())
				}
			}
		}
	}
}

// readElsewhere reads the figures in another goroutine.
func readElsewhere(q monitored) (left int, dequeued uint64) {
	done := make(chan struct{})
	go func() {
		left, dequeued = q.Len(), q.Dequeued()
		close(done)
	}()
	<-done
	return left, dequeued
}

// TestStrictEnqueueFindsRoom: a consumer that takes any number of elements of a full queue and stops has made room for as
// many, which TryEnqueueStrict finds, also after TryEnqueue has looked for it.
func TestStrictEnqueueFindsRoom(t *testing.T) {
	const size = 1024
	found := 0
	for name, make := range allTypes() {
		if _, ok := make().(interface{ TryEnqueueStrict(int) bool }); !ok || make().(interface{ Cap() int }).Cap() != size {
			continue
		}
		found++
		for _, taken := range []int{0, 1, 36, 63, 64, 65, 500} {
			q := make()
			in := q.(interface{ TryEnqueueStrict(int) bool })
			next, want := 0, 0
			fill := func(add func(int) bool) (n int) {
				for ; add(next); n++ {
					next++
				}
				return n
			}
			for lap, room := range []int{size, taken, taken, taken} {
				weak := fill(q.TryEnqueue)
				if got := weak + fill(in.TryEnqueueStrict); got != room {
					t.Errorf("%s, lap %d: room for %d, %d of them for TryEnqueue; want %d", name, lap, got, weak, room)
				}
				for range taken {
					if v, ok := q.TryDequeue(); v != want || !ok {
						t.Fatalf("%s: %d, %v, want %d", name, v, ok, want)
					}
					want++
				}
			}
		}
	}
	if found != 5 {
		t.Errorf("%d bounded types have TryEnqueueStrict, want 5", found)
	}
}
