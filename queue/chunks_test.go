package queue_test

import (
	"slices"
	"testing"

	"github.com/tarebench/tare/queue"
)

// TestInterruptedConsumerStopsNobody interrupts a consumer of an UnboundedMPMC between
// claiming an element and reading it, while others go on for several chunks.
func TestInterruptedConsumerStopsNobody(t *testing.T) {
	q := queue.TunedUnboundedMPMC[int](2, nearUint64)
	q.TryEnqueueBatch([]int{0, 1, 2})
	read := q.ClaimRead()
	if n := q.Len(); n != 2 {
		t.Errorf("Len = %d with 3 elements of which one is being taken, want 2", n)
	}
	for i := 1; i < 100; i++ {
		q.TryEnqueue(i + 2)
		if v, ok := q.TryDequeue(); v != i || !ok {
			t.Fatalf("TryDequeue = %d, %v beside an interrupted consumer, want %d", v, ok, i)
		}
	}
	if v := read(); v != 0 {
		t.Errorf("the interrupted consumer reads %d, want 0", v)
	}
}

// TestRunsAreTakenInParts takes elements one by one and in batches that do not end where
// those do in which they were added, nor where chunks do.
func TestRunsAreTakenInParts(t *testing.T) {
	for _, size := range []int{1, 2, 3, 5, 8} {
		for added := 1; added <= 7; added++ {
			for taken := 1; taken <= 7; taken++ {
				q := queue.TunedUnboundedMPMC[int](size, nearUint64)
				var want, got []int
				dst := make([]int, taken)
				for range 12 {
					vs := make([]int, added)
					for i := range vs {
						vs[i] = len(want) + i
					}
					want = append(want, vs...)
					q.TryEnqueueBatch(vs)
					if v, ok := q.TryDequeue(); ok {
						got = append(got, v)
					}
					n := q.TryDequeueBatch(dst)
					got = append(got, dst[:n]...)
					if n < taken && len(got) != len(want) {
						t.Fatalf("chunks of %d: a batch of %d has %d elements, and %d are left", size, taken, n, len(want)-len(got))
					}
					if q.Len() != len(want)-len(got) || q.IsEmpty() != (q.Len() == 0) || q.Dequeued() != uint64(len(got)) {
						t.Fatalf("chunks of %d: Len %d, Dequeued %d after %d of %d", size, q.Len(), q.Dequeued(), len(got), len(want))
					}
				}
				if got = append(got, slices.Collect(q.All())...); !slices.Equal(got, want) {
					t.Fatalf("chunks of %d, %d added and %d taken at once: %v", size, added, taken, got)
				}
			}
		}
	}
}
