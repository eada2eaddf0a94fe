package queue_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tarebench/tare/queue"
)

var waits = map[string]queue.Wait{
	"Park": queue.Park, "Adaptive": queue.Adaptive, "Yield": queue.Yield, "Spin": queue.Spin,
}

// bare hides all but the two methods that a queue must have.
type bare struct{ queue.Queue[int] }

// TestNoLostWakeUp has many goroutines park for each other in a tiny queue, with
// pauses, cancellations and batches at random. A wake-up that gets lost shows as a
// hang, an element that gets lost as a wrong sum.
func TestNoLostWakeUp(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	for name, q := range map[string]queue.Queue[int]{
		"MPMC": queue.NewMPMC[int](2), "bare": bare{queue.NewMPMC[int](2)},
		"MPSC": queue.TunedMPSC[int](4, 3, 0), "SPMC": queue.NewSPMC[int](2),
		"SPSC": queue.TunedSPSC[int](4, 3, 0),
	} {
		t.Run(name, func(t *testing.T) {
			producers, consumers := 3, 3
			if name == "SPSC" || name == "SPMC" {
				producers = 1
			}
			if name == "SPSC" || name == "MPSC" {
				consumers = 1
			}
			crowd(t, queue.NewBlocking(q, queue.Park), producers, consumers, seed)
		})
	}
}

func crowd(t *testing.T, b *queue.Blocking[int], producers, consumers int, seed uint64) {
	const each = 1500
	var in, out sync.WaitGroup
	var sent, got atomic.Int64
	for p := range producers {
		in.Go(func() { produce(t, b, rand.New(rand.NewPCG(seed, uint64(p))), each, &sent) })
	}
	for c := range consumers {
		out.Go(func() { consume(t, b, rand.New(rand.NewPCG(seed, uint64(100+c))), &got) })
	}
	in.Wait()
	b.Close()
	out.Wait()
	if sent.Load() != got.Load() {
		t.Errorf("sum of what was enqueued is %d, of what was dequeued %d (seed %d)", sent.Load(), got.Load(), seed)
	}
}

func produce(t *testing.T, b *queue.Blocking[int], r *rand.Rand, each int, sum *atomic.Int64) {
	for i := 1; i <= each; i++ {
		switch r.IntN(50) {
		case 0:
			time.Sleep(time.Duration(r.IntN(100)) * time.Microsecond)
		case 1:
			n, err := b.EnqueueBatch(context.Background(), []int{i, i, i})
			if n != 3 || err != nil {
				t.Errorf("EnqueueBatch = %d, %v", n, err)
			}
			sum.Add(int64(3 * i))
			continue
		}
		ctx, cancel := context.WithTimeout(context.Background(), time.Duration(1+r.IntN(1000))*time.Microsecond)
		err := b.Enqueue(ctx, i)
		cancel()
		if err == nil {
			sum.Add(int64(i))
		} else if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("Enqueue: %v", err)
		}
	}
}

func consume(t *testing.T, b *queue.Blocking[int], r *rand.Rand, sum *atomic.Int64) {
	dst := make([]int, 2)
	for {
		if r.IntN(50) == 0 {
			time.Sleep(time.Duration(r.IntN(100)) * time.Microsecond)
		}
		ctx, cancel := context.Background(), context.CancelFunc(func() {})
		if r.IntN(4) == 0 {
			ctx, cancel = context.WithTimeout(ctx, time.Duration(1+r.IntN(300))*time.Microsecond)
		}
		n, err := 1, error(nil)
		if r.IntN(2) == 0 {
			dst[0], err = b.Dequeue(ctx)
		} else {
			n, err = b.DequeueBatch(ctx, dst)
		}
		cancel()
		switch {
		case errors.Is(err, queue.ErrClosed):
			return
		case err == nil:
			for _, v := range dst[:n] {
				sum.Add(int64(v))
			}
		case !errors.Is(err, context.DeadlineExceeded):
			t.Errorf("Dequeue: %v", err)
		}
	}
}

// TestBlockingRoomIsKnown has a consumer take one element of a full queue and then
// never come back: the producer must find the room even so.
func TestBlockingRoomIsKnown(t *testing.T) {
	for name, w := range waits {
		t.Run(name, func(t *testing.T) {
			b := queue.NewBlocking(queue.NewSPSC[int](1024), w)
			for i := 0; b.TryEnqueue(i); i++ {
			}
			done := make(chan error)
			go func() { done <- b.Enqueue(context.Background(), 0) }()
			if _, err := b.Dequeue(context.Background()); err != nil {
				t.Fatal(err)
			}
			if err := <-done; err != nil {
				t.Fatal(err)
			}
		})
	}
}

func TestBlockingOneProcessor(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	for name, w := range waits {
		t.Run(name, func(t *testing.T) {
			b := queue.NewBlocking(queue.NewSPSC[int](2), w)
			go func() {
				defer b.Close()
				for i := range 500 {
					_ = b.Enqueue(context.Background(), i)
				}
			}()
			n := 0
			for v := range b.All(context.Background()) {
				if v != n {
					t.Fatalf("got %d, want %d", v, n)
				}
				n++
			}
			if n != 500 {
				t.Errorf("got %d elements, want 500", n)
			}
		})
	}
}

func TestBlockingClosed(t *testing.T) {
	ctx := context.Background()
	b := queue.NewBlocking(queue.NewMPMC[int](4), queue.Park)
	if n, err := b.EnqueueBatch(ctx, []int{1, 2, 3}); n != 3 || err != nil {
		t.Fatalf("EnqueueBatch = %d, %v", n, err)
	}
	if b.Closed() {
		t.Error("closed before Close")
	}
	b.Close()
	b.Close()
	if err := b.Enqueue(ctx, 4); !errors.Is(err, queue.ErrClosed) || b.TryEnqueue(4) || !b.Closed() {
		t.Errorf("Enqueue after Close: %v", err)
	}
	if n, err := b.EnqueueBatch(ctx, []int{4}); n != 0 || !errors.Is(err, queue.ErrClosed) {
		t.Errorf("EnqueueBatch after Close = %d, %v", n, err)
	}
	if n, err := b.DequeueBatch(ctx, nil); n != 0 || err != nil {
		t.Errorf("DequeueBatch of nothing = %d, %v", n, err)
	}
	dst := make([]int, 9)
	if n, err := b.DequeueBatch(ctx, dst); n != 3 || err != nil {
		t.Errorf("DequeueBatch = %d, %v", n, err)
	}
	if n, err := b.DequeueBatch(ctx, dst); n != 0 || !errors.Is(err, queue.ErrClosed) {
		t.Errorf("DequeueBatch of the rest = %d, %v", n, err)
	}
}

func TestNewBlockingPanics(t *testing.T) {
	for want, f := range map[string]func(){
		"q is nil":     func() { queue.NewBlocking[int](nil, queue.Park) },
		"no such Wait": func() { queue.NewBlocking(queue.NewMPMC[int](2), queue.Spin+1) },
	} {
		if got := fmt.Sprint(panicOf(f)); got != "queue: NewBlocking: "+want {
			t.Errorf("panic %q, want %q", got, want)
		}
	}
}

func TestWaitNames(t *testing.T) {
	for want, w := range waits {
		if w.String() != want {
			t.Errorf("%d.String() = %s, want %s", int(w), w, want)
		}
	}
	if got := queue.Wait(9).String(); got != "Wait(9)" {
		t.Errorf("String of no Wait = %s", got)
	}
}

// panicOf returns what f panics with.
func panicOf(f func()) (v any) {
	defer func() { v = recover() }()
	f()
	return nil
}
