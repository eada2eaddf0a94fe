package queue_test

import (
	"fmt"
	"math/bits"
	"testing"
	"time"

	"github.com/tarebench/tare/internal/testkit/testutil"
	"github.com/tarebench/tare/queue"
	"github.com/tarebench/tare/queue/queuetest"
)

// blockingCases are the layer that waits, around each type, with each way to wait,
// on one processor and on two. The layer publishes room after each element, so that
// it is as strict as the type inside can be.
func blockingCases() (cases []kitCase) {
	one := queuetest.Config{SplitBatches: true}
	many := queuetest.Config{SplitBatches: true, Producers: queuetest.Many, Consumers: queuetest.Many,
		SpuriousFull: queuetest.WhileBusy, SpuriousEmpty: queuetest.WhileBusy}
	mpsc, spmc := many, many
	mpsc.Consumers, spmc.Producers = queuetest.One, queuetest.One
	unbounded := one
	unbounded.Allocates = true
	for w := queue.Park; w <= queue.Spin; w++ {
		for processors := 1; processors <= 2; processors++ {
			add := func(kind string, c queuetest.Config) {
				c.Processors = processors
				cases = append(cases, kitCase{fmt.Sprintf("Blocking/%v/processors=%d/%s", w, processors, kind), c})
			}
			add("SPSC", made(
				blocked(w, func(n int) *queue.SPSC[int64] { return queue.TunedSPSC[int64](n, 3, nearUint64) }),
				blocked(w, func(n int) *queue.SPSC[*int64] { return queue.TunedSPSC[*int64](n, 3, nearUint64) }), one))
			add("MPMC", made(blocked(w, tunedMPMC[int64](nearUint64)), blocked(w, tunedMPMC[*int64](nearUint64)), many))
			if w != queue.Park || processors == 1 {
				continue // the types differ in what they publish and wake, not in how they wait
			}
			add("MPSC", made(blocked(w, tunedMPSC[int64](3, nearUint64)), blocked(w, tunedMPSC[*int64](3, nearUint64)), mpsc))
			add("SPMC", made(blocked(w, tunedSPMC[int64](nearUint64)), blocked(w, tunedSPMC[*int64](nearUint64)), spmc))
			add("UnboundedSPSC", made(blocked(w, tunedUnbounded[int64](3, nearUint64)), blocked(w, tunedUnbounded[*int64](3, nearUint64)), unbounded))
			add("bare", made(blocked(w, bareMPMC[int64]), blocked(w, bareMPMC[*int64]), many))
		}
	}
	return cases
}

// TestBlockingKit runs the verification kit over them.
func TestBlockingKit(t *testing.T) {
	for _, c := range blockingCases() {
		t.Run(c.name, func(t *testing.T) {
			if testing.Short() && c.config.Processors == 1 {
				t.Skip("the half will do")
			}
			c.config.Budget = testutil.PickSeconds[time.Duration](4, 20) * time.Millisecond
			c.check(t)
		})
	}
}

// waiting is a queue with the layer that waits, and tells how much it holds.
type waiting[T any] struct {
	*queue.Blocking[T]
	capacity int
}

func blocked[T any, Q queue.Queue[T]](w queue.Wait, inner func(int) Q) func(int) waiting[T] {
	return func(n int) waiting[T] {
		var q queue.Queue[T] = inner(n)
		capacity := 1 << bits.Len(uint(n-1)) // of one that does not tell
		if q, ok := q.(interface{ Cap() int }); ok {
			capacity = q.Cap()
		}
		return waiting[T]{queue.NewBlocking(q, w), capacity}
	}
}

func (w waiting[T]) Cap() int { return w.capacity }

// bareQueue hides all but the two methods that a queue must have.
type bareQueue[T any] struct{ queue.Queue[T] }

func bareMPMC[T any](n int) bareQueue[T] { return bareQueue[T]{queue.TunedMPMC[T](n, nearUint64)} }
