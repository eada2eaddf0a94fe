package queue_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tarebench/tare/queue"
)

// TestAbsurdCapacityPanics before it asks for the memory.
func TestAbsurdCapacityPanics(t *testing.T) {
	for _, n := range []int{math.MinInt, math.MaxInt} {
		for name, f := range map[string]func(){
			"NewSPSC":               func() { queue.NewSPSC[[1 << 20]int64](n) },
			"NewMPSC":               func() { queue.NewMPSC[[1 << 20]int64](n) },
			"NewSPMC":               func() { queue.NewSPMC[[1 << 20]int64](n) },
			"NewMPMC":               func() { queue.NewMPMC[[1 << 20]int64](n) },
			"NewGrowableSPSC, max":  func() { queue.NewGrowableSPSC[int](2, n) },
			"NewGrowableSPSC, both": func() { queue.NewGrowableSPSC[int](n, n) },
			"Buffered":              func() { queue.NewSPSC[int](2).Buffered(math.MinInt) },
		} {
			got, _ := panicOf(f).(string)
			if name == "Buffered" && n > 0 {
				continue
			}
			if len(got) < 7 || got[:7] != "queue: " {
				t.Errorf("%s(%d) panics with %q", name, n, got)
			}
		}
	}
	if end := queue.NewSPSC[int](2).Buffered(math.MaxInt); !end.TryEnqueue(1) || end.Hidden() != 1 {
		t.Error("a BufferedProducer that never publishes by itself does not work")
	}
}

// TestNegativeLimits ask for nothing.
func TestNegativeLimits(t *testing.T) {
	for name, q := range all() {
		q.TryEnqueue(1)
		if n := q.Drain(-1, func(int) { t.Errorf("%s: Drain(-1) calls back", name) }); n != 0 {
			t.Errorf("%s: Drain(-1) = %d", name, n)
		}
		if f, ok := q.(interface{ Fill(int, func() int) int }); ok {
			if n := f.Fill(math.MinInt, func() int { t.Errorf("%s: Fill(-…) calls back", name); return 0 }); n != 0 {
				t.Errorf("%s: Fill(-…) = %d", name, n)
			}
		}
		if q.TryEnqueueBatch(nil) != 0 || q.TryDequeueBatch(nil) != 0 || q.Len() != 1 {
			t.Errorf("%s: a batch of nothing changes something", name)
		}
	}
}

// TestZeroValuesPanic, or refuse, instead of losing an element or hanging: they are
// no queues.
func TestZeroValuesPanic(t *testing.T) {
	for name, q := range map[string]queue.Queue[int]{
		"SPSC": new(queue.SPSC[int]), "GrowableSPSC": new(queue.GrowableSPSC[int]),
		"UnboundedSPSC": new(queue.UnboundedSPSC[int]), "MPSC": new(queue.MPSC[int]),
		"LinkedMPSC": new(queue.LinkedMPSC[int]), "UnboundedMPSC": new(queue.UnboundedMPSC[int]),
		"SPMC": new(queue.SPMC[int]), "MPMC": new(queue.MPMC[int]), "UnboundedMPMC": new(queue.UnboundedMPMC[int]), "Blocking": new(queue.Blocking[int]),
	} {
		taken := false
		if panicOf(func() { taken = q.TryEnqueue(1) }) == nil && taken {
			t.Errorf("the zero %s takes an element", name)
		}
	}
}

// TestBlockingBodyPanics in the middle of a loop over All: the element that the body
// had is gone, and nothing else.
func TestBlockingBodyPanics(t *testing.T) {
	ctx := context.Background()
	for _, inner := range []queue.Queue[int]{queue.NewSPSC[int](16), queue.NewMPMC[int](16), queue.NewMPSC[int](16), queue.NewUnboundedMPSC[int](), queue.NewUnboundedMPMC[int]()} {
		b := queue.NewBlocking(inner, queue.Park)
		if n, err := b.EnqueueBatch(ctx, []int{1, 2, 3, 4}); n != 4 || err != nil {
			t.Fatal(n, err)
		}
		if got := panicOf(func() {
			for v := range b.All(ctx) {
				if v == 2 {
					panic("the body gives up")
				}
			}
		}); got != "the body gives up" {
			t.Errorf("%T: panic %v", inner, got)
		}
		b.Close()
		if got := slices.Collect(b.All(ctx)); !slices.Equal(got, []int{3, 4}) {
			t.Errorf("%T: %v are left, want 3 and 4", inner, got)
		}
	}
}

// TestUseAfterClose asks every method of a Blocking after Close.
func TestUseAfterClose(t *testing.T) {
	ctx := context.Background()
	for name, w := range waits {
		b := queue.NewBlocking(queue.NewSPSC[int](4), w)
		b.Close()
		if b.TryEnqueue(1) {
			t.Errorf("%s: TryEnqueue succeeds", name)
		}
		_, dequeue := b.Dequeue(ctx)
		_, dequeueBatch := b.DequeueBatch(ctx, make([]int, 1))
		n, enqueueBatch := b.EnqueueBatch(ctx, []int{1, 2})
		for method, err := range map[string]error{
			"Enqueue": b.Enqueue(ctx, 1), "EnqueueBatch": enqueueBatch, "Dequeue": dequeue, "DequeueBatch": dequeueBatch,
		} {
			if !errors.Is(err, queue.ErrClosed) {
				t.Errorf("%s: %s returns %v", name, method, err)
			}
		}
		if v, ok := b.TryDequeue(); ok || n != 0 {
			t.Errorf("%s: TryDequeue gives %d, EnqueueBatch adds %d", name, v, n)
		}
		for v := range b.All(ctx) {
			t.Errorf("%s: All gives %d", name, v)
		}
		if n, err := b.EnqueueBatch(ctx, nil); n != 0 || err != nil {
			t.Errorf("%s: EnqueueBatch of nothing = %d, %v", name, n, err)
		}
	}
	end := queue.NewSPSC[int](4).Buffered(2)
	end.Close()
	end.Close()
	end.Flush()
	if end.TryEnqueue(1) || end.Hidden() != 0 {
		t.Error("a BufferedProducer takes an element after Close")
	}
}

// TestNilArguments panic with the name of the argument, whether or not the call would wait.
func TestNilArguments(t *testing.T) {
	b := queue.NewBlocking(queue.NewMPMC[int](4), queue.Park)
	b.TryEnqueue(1)
	var none context.Context
	for want, f := range map[string]func(){
		"queue: NewBlocking: q is nil":             func() { queue.NewBlocking[int](nil, queue.Park) },
		"queue: NewBlocking: q is nil ":            func() { queue.NewBlocking((*queue.SPSC[int])(nil), queue.Park) },
		"queue: Blocking.Enqueue: ctx is nil":      func() { b.Enqueue(none, 1) },
		"queue: Blocking.EnqueueBatch: ctx is nil": func() { b.EnqueueBatch(none, []int{1}) },
		"queue: Blocking.Dequeue: ctx is nil":      func() { b.Dequeue(none) },
		"queue: Blocking.DequeueBatch: ctx is nil": func() { b.DequeueBatch(none, make([]int, 1)) },
		"queue: Blocking.All: ctx is nil":          func() { b.All(none) },
	} {
		if got := panicOf(f); got != strings.TrimSpace(want) {
			t.Errorf("panics with %v, want %q", got, want)
		}
	}
}

// panicking is a queue whose first call that adds panics, or never returns.
type panicking struct {
	queue.Queue[int]
	calls *int
	hang  chan struct{} // gets a value when the call has begun, and another when it may end; nil: it panics
}

func (p panicking) add() {
	*p.calls++
	switch {
	case *p.calls > 1:
	case p.hang != nil:
		p.hang <- struct{}{}
		p.hang <- struct{}{}
	default:
		panic("no room in the disk")
	}
}

func (p panicking) TryEnqueue(v int) bool        { p.add(); return p.Queue.TryEnqueue(v) }
func (p panicking) TryEnqueueBatch(vs []int) int { p.add(); return 0 }

// TestPanicOfWrapped: a call that panics in the wrapped queue, and is recovered from, is over for Close.
func TestPanicOfWrapped(t *testing.T) {
	for name, enqueue := range map[string]func(*queue.Blocking[int]){
		"TryEnqueue":   func(b *queue.Blocking[int]) { b.TryEnqueue(1) },
		"Enqueue":      func(b *queue.Blocking[int]) { b.Enqueue(context.Background(), 1) },
		"EnqueueBatch": func(b *queue.Blocking[int]) { b.EnqueueBatch(context.Background(), []int{1}) },
	} {
		b := queue.NewBlocking[int](panicking{Queue: queue.NewMPMC[int](4), calls: new(int)}, queue.Park)
		if got := panicOf(func() { enqueue(b) }); got != "no room in the disk" {
			t.Fatalf("%s: panics with %v", name, got)
		}
		b.TryEnqueue(2)
		b.Close()
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute) // not reached
		if v, err := b.Dequeue(ctx); v != 2 || err != nil {
			t.Errorf("%s: %d, %v", name, v, err)
		}
		if _, err := b.Dequeue(ctx); err != queue.ErrClosed {
			t.Errorf("%s: %v", name, err)
		}
		cancel()
	}
}

// TestDequeueBesideHanging: after Close, Dequeue waits for producers that are adding only until its context ends.
func TestDequeueBesideHanging(t *testing.T) {
	hang, over := make(chan struct{}), make(chan struct{})
	calls := 0
	b := queue.NewBlocking[int](panicking{Queue: queue.NewMPMC[int](4), calls: &calls, hang: hang}, queue.Park)
	go func() {
		defer close(over)
		b.TryEnqueue(1)
	}()
	<-hang
	b.Close()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := b.Dequeue(ctx); err != context.Canceled {
		t.Errorf("%v", err)
	}
	<-hang
	<-over
}
