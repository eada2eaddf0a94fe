package queue_test

import (
	"context"
	"fmt"
	"sync"

	"github.com/tarebench/tare/queue"
)

func Example() {
	b := queue.NewBlocking(queue.NewSPSC[int](1024), queue.Park)
	go func() {
		defer b.Close()
		for i := range 5 {
			if err := b.Enqueue(context.Background(), i); err != nil {
				return
			}
		}
	}()
	sum := 0
	for v := range b.All(context.Background()) {
		sum += v
	}
	fmt.Println(sum)
	// Output: 10
}

func ExampleSPSC() {
	q := queue.NewSPSC[string](100)
	fmt.Println(q.Cap(), q.TryEnqueueBatch([]string{"one", "two", "three"}))
	dst := make([]string, 2)
	fmt.Println(q.TryDequeueBatch(dst), dst, q.Len())
	// Output:
	// 128 3
	// 2 [one two] 1
}

func ExampleGrowableSPSC() {
	q := queue.NewGrowableSPSC[int](16, 64)
	i := 0
	fmt.Println(q.Fill(1000, func() int { i++; return i }), q.Cap())
	fmt.Println(q.Peek())
	// Output:
	// 64 64
	// 1 true
}

func ExampleUnboundedSPSC() {
	q := queue.NewUnboundedSPSC[int]()
	for i := range 10_000 {
		q.TryEnqueue(i)
	}
	fmt.Println(q.Len(), q.Cap())
	// Output: 10000 -1
}

func ExampleMPSC() {
	q := queue.NewMPSC[int](8)
	var producers sync.WaitGroup
	for i := range 3 {
		producers.Go(func() { q.TryEnqueue(1 + i) })
	}
	producers.Wait()
	sum := 0
	q.Drain(q.Cap(), func(v int) { sum += v })
	fmt.Println(sum)
	// Output: 6
}

func ExampleLinkedMPSC() {
	q := queue.NewLinkedMPSC[string]()
	q.TryEnqueue("a")
	q.TryEnqueue("b")
	for v := range q.All() {
		fmt.Println(v)
	}
	// Output:
	// a
	// b
}

func ExampleUnboundedMPSC() {
	q := queue.NewUnboundedMPSC[int]()
	q.TryEnqueueBatch([]int{1, 2, 3})
	v, ok := q.TryDequeueStrict()
	fmt.Println(v, ok, q.Enqueued(), q.Dequeued())
	// Output: 1 true 3 1
}

func ExampleSPMC() {
	q := queue.NewSPMC[int](4)
	fmt.Println(q.TryEnqueueBatch([]int{1, 2, 3, 4, 5}))
	fmt.Println(q.TryDequeue())
	// Output:
	// 4
	// 1 true
}

func ExampleMPMC() {
	q := queue.NewMPMC[int](2)
	fmt.Println(q.TryEnqueue(1), q.TryEnqueue(2), q.TryEnqueueStrict(3))
	fmt.Println(q.TryDequeue())
	// Output:
	// true true false
	// 1 true
}

func ExampleUnboundedMPMC() {
	q := queue.NewUnboundedMPMC[int]()
	q.TryEnqueueBatch([]int{1, 2, 3})
	batch := make([]int, 2)
	n := q.TryDequeueBatch(batch)
	fmt.Println(batch[:n], q.Len(), q.Cap())
	// Output: [1 2] 1 -1
}

func ExampleBufferedProducer() {
	q := queue.NewSPSC[int](1024)
	end := q.Buffered(32)
	for i := range 40 {
		end.TryEnqueue(i)
	}
	fmt.Println(q.Len(), end.Hidden())
	end.Flush()
	fmt.Println(q.Len(), end.Hidden())
	// Output:
	// 32 8
	// 40 0
}

func ExampleBufferedConsumer() {
	q := queue.NewSPSC[int](1024)
	q.TryEnqueueBatch([]int{1, 2, 3})
	end := q.BufferedConsumer()
	for v, ok := end.TryDequeue(); ok; v, ok = end.TryDequeue() {
		fmt.Println(v, q.Len())
	}
	fmt.Println(q.Len())
	// Output:
	// 1 3
	// 2 3
	// 3 3
	// 0
}

// A consumer that takes what there is, and waits only when there is nothing.
func ExampleBlocking() {
	ctx := context.Background()
	b := queue.NewBlocking(queue.NewMPSC[int](64), queue.Park)
	var producers sync.WaitGroup
	for i := range 4 {
		producers.Go(func() {
			n, err := b.EnqueueBatch(ctx, []int{10 * i, 10*i + 1, 10*i + 2})
			if err != nil {
				fmt.Println("only", n, "were enqueued:", err)
			}
		})
	}
	go func() {
		producers.Wait()
		b.Close()
	}()
	batch, sum := make([]int, 16), 0
	for {
		n, err := b.DequeueBatch(ctx, batch)
		if err != nil {
			fmt.Println(sum, err)
			return
		}
		for _, v := range batch[:n] {
			sum += v
		}
	}
	// Output: 192 queue: closed
}

func ExampleBackoff() {
	q := queue.NewSPSC[int](64)
	go func() {
		b := queue.NewBackoff(q.Cap())
		for i := 0; i < 1000; {
			if q.TryEnqueue(1) {
				b.Worked(1)
				i++
			} else {
				b.Wait()
			}
		}
	}()
	b := queue.NewBackoff(q.Cap())
	sum := 0
	for sum < 1000 {
		if v, ok := q.TryDequeue(); ok {
			b.Worked(1)
			sum += v
		} else {
			b.Wait()
		}
	}
	fmt.Println(sum)
	// Output: 1000
}
