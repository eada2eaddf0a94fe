package queue_test

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"testing"

	"github.com/tarebench/tare/queue"
)

// The benchmarks of this file hand over b.N pointers in all. Compare what lies in
// one run only, best with tare bench or -count: two cores of a shared machine are
// never twice the same.

const benchCapacity = 1024

// A handover is a way to add n elements and a way to take n, each for one goroutine.
type handover struct {
	name       string
	give, take func(n int)
}

func run(b *testing.B, producers, consumers int, h handover) {
	b.Run(h.name, func(b *testing.B) {
		b.ReportAllocs()
		var wg sync.WaitGroup
		for i := range producers {
			wg.Go(func() { h.give(share(b.N, producers, i)) })
		}
		for i := range consumers {
			wg.Go(func() { h.take(share(b.N, consumers, i)) })
		}
		wg.Wait()
	})
}

// share divides n among parties.
func share(n, parties, i int) int { return n*(i+1)/parties - n*i/parties }

func channel() handover {
	c, v := make(chan *int, benchCapacity), new(int)
	return handover{"channel",
		func(n int) {
			for range n {
				c <- v
			}
		},
		func(n int) {
			for range n {
				<-c
			}
		}}
}

// withBackoff hands over one by one, with a Backoff.
func withBackoff[Q queue.Queue[*int]](name string, q Q) handover {
	v := new(int)
	return handover{name + "/wait=backoff",
		func(n int) {
			w := queue.NewBackoff(benchCapacity)
			for n > 0 {
				if q.TryEnqueue(v) {
					w.Worked(1)
					n--
				} else {
					w.Wait()
				}
			}
		},
		func(n int) {
			w := queue.NewBackoff(benchCapacity)
			for n > 0 {
				if _, ok := q.TryDequeue(); ok {
					w.Worked(1)
					n--
				} else {
					w.Wait()
				}
			}
		}}
}

// spinning hands over one by one and lets others run after some failures.
func spinning[Q queue.Queue[*int]](name string, q Q) handover {
	v := new(int)
	retry := func(n int, try func() bool) {
		for fails := 0; n > 0; {
			if try() {
				n--
			} else if fails++; fails%128 == 0 {
				runtime.Gosched()
			}
		}
	}
	return handover{name + "/wait=spin",
		func(n int) { retry(n, func() bool { return q.TryEnqueue(v) }) },
		func(n int) { retry(n, func() bool { _, ok := q.TryDequeue(); return ok }) }}
}

type batcher interface {
	TryEnqueueBatch([]*int) int
	TryDequeueBatch([]*int) int
}

// inBatches hands over several at a time, with a Backoff.
func inBatches[Q batcher](name string, q Q, size int) handover {
	move := func(n int, try func([]*int) int) {
		buffer := make([]*int, size)
		w := queue.NewBackoff(benchCapacity)
		for n > 0 {
			if m := try(buffer[:min(size, n)]); m > 0 {
				w.Worked(m)
				n -= m
			} else {
				w.Wait()
			}
		}
	}
	return handover{fmt.Sprintf("%s/batch=%d/wait=backoff", name, size),
		func(n int) { move(n, q.TryEnqueueBatch) }, func(n int) { move(n, q.TryDequeueBatch) }}
}

// throughBuffers has both sides use buffered ends.
func throughBuffers(q *queue.SPSC[*int]) handover {
	h := throughBuffer(q)
	h.name = "Buffered/both/wait=backoff"
	h.take = func(n int) {
		end, w := q.BufferedConsumer(), queue.NewBackoff(benchCapacity)
		for n > 0 {
			if _, ok := end.TryDequeue(); ok {
				w.Worked(1)
				n--
			} else {
				w.Wait()
			}
		}
	}
	return h
}

// throughBuffer has the producer use a BufferedProducer.
func throughBuffer(q *queue.SPSC[*int]) handover {
	h := withBackoff("Buffered", q)
	h.give = func(n int) {
		end, v := q.Buffered(32), new(int)
		defer end.Close()
		w := queue.NewBackoff(benchCapacity)
		for n > 0 {
			if end.TryEnqueue(v) {
				w.Worked(1)
				n--
			} else {
				w.Wait()
			}
		}
	}
	return h
}

// blocking hands over through the blocking layer.
func blocking(name string, q queue.Queue[*int], w queue.Wait, wait string) handover {
	b, v, ctx := queue.NewBlocking(q, w), new(int), context.Background()
	return handover{name + "/wait=" + wait,
		func(n int) {
			for range n {
				_ = b.Enqueue(ctx, v)
			}
		},
		func(n int) {
			for range n {
				_, _ = b.Dequeue(ctx)
			}
		}}
}

// slicesChannel is the strong rival of batches: a channel of slices that are used again.
func slicesChannel(size int) handover {
	full, empty := make(chan []*int, benchCapacity/size), make(chan []*int, benchCapacity/size+2)
	for range cap(empty) {
		empty <- make([]*int, size)
	}
	return handover{fmt.Sprintf("channel/slices=%d", size),
		func(n int) {
			v := new(int)
			for n > 0 {
				s := (<-empty)[:min(size, n)]
				for i := range s {
					s[i] = v
				}
				full <- s
				n -= len(s)
			}
		},
		func(n int) {
			for n > 0 {
				s := <-full
				n -= len(s)
				empty <- s
			}
		}}
}

func BenchmarkOneToOne(b *testing.B) {
	run(b, 1, 1, channel())
	run(b, 1, 1, slicesChannel(64))
	run(b, 1, 1, spinning("SPSC", queue.NewSPSC[*int](benchCapacity)))
	run(b, 1, 1, withBackoff("SPSC", queue.NewSPSC[*int](benchCapacity)))
	run(b, 1, 1, inBatches("SPSC", queue.NewSPSC[*int](benchCapacity), 64))
	run(b, 1, 1, throughBuffer(queue.NewSPSC[*int](benchCapacity)))
	run(b, 1, 1, throughBuffers(queue.NewSPSC[*int](benchCapacity)))
	run(b, 1, 1, withBackoff("UnboundedSPSC", queue.NewUnboundedSPSC[*int]()))
	run(b, 1, 1, blocking("Blocking", queue.NewSPSC[*int](benchCapacity), queue.Park, "park"))
	run(b, 1, 1, blocking("Blocking", queue.NewSPSC[*int](benchCapacity), queue.Adaptive, "adaptive"))
}

func BenchmarkTwoToOne(b *testing.B) {
	run(b, 2, 1, channel())
	run(b, 2, 1, spinning("MPSC", queue.NewMPSC[*int](benchCapacity)))
	run(b, 2, 1, withBackoff("MPSC", queue.NewMPSC[*int](benchCapacity)))
	run(b, 2, 1, inBatches("MPSC", queue.NewMPSC[*int](benchCapacity), 64))
	run(b, 2, 1, withBackoff("LinkedMPSC", queue.NewLinkedMPSC[*int]()))
	run(b, 2, 1, withBackoff("UnboundedMPSC", queue.NewUnboundedMPSC[*int]()))
	run(b, 2, 1, withBackoff("UnboundedMPMC", queue.NewUnboundedMPMC[*int]()))
	run(b, 2, 1, blocking("Blocking", queue.NewMPSC[*int](benchCapacity), queue.Park, "park"))
}

func BenchmarkOneToTwo(b *testing.B) {
	run(b, 1, 2, channel())
	run(b, 1, 2, withBackoff("SPMC", queue.NewSPMC[*int](benchCapacity)))
	run(b, 1, 2, inBatches("SPMC", queue.NewSPMC[*int](benchCapacity), 64))
}

func BenchmarkTwoToTwo(b *testing.B) {
	run(b, 2, 2, channel())
	run(b, 2, 2, spinning("MPMC", queue.NewMPMC[*int](benchCapacity)))
	run(b, 2, 2, withBackoff("MPMC", queue.NewMPMC[*int](benchCapacity)))
	run(b, 2, 2, inBatches("MPMC", queue.NewMPMC[*int](benchCapacity), 64))
	run(b, 2, 2, spinning("UnboundedMPMC", queue.NewUnboundedMPMC[*int]()))
	run(b, 2, 2, withBackoff("UnboundedMPMC", queue.NewUnboundedMPMC[*int]()))
	run(b, 2, 2, blocking("Blocking", queue.NewMPMC[*int](benchCapacity), queue.Park, "park"))
	run(b, 2, 2, blocking("Blocking", queue.NewMPMC[*int](benchCapacity), queue.Yield, "yield"))
}

// BenchmarkRoundTrip sends one element there and back through two queues.
func BenchmarkRoundTrip(b *testing.B) {
	v := new(int)
	b.Run("channel", func(b *testing.B) {
		there, back := make(chan *int, benchCapacity), make(chan *int, benchCapacity)
		go func() {
			for range b.N {
				back <- <-there
			}
		}()
		for range b.N {
			there <- v
			<-back
		}
	})
	b.Run("SPSC/wait=spin", func(b *testing.B) {
		roundTrip(b, queue.NewSPSC[*int](benchCapacity), queue.NewSPSC[*int](benchCapacity))
	})
	b.Run("MPMC/wait=spin", func(b *testing.B) {
		roundTrip(b, queue.NewMPMC[*int](benchCapacity), queue.NewMPMC[*int](benchCapacity))
	})
}

func roundTrip[Q queue.Queue[*int]](b *testing.B, there, back Q) {
	v := new(int)
	wait := func(q Q) {
		for fails := 1; ; fails++ {
			if _, ok := q.TryDequeue(); ok {
				return
			}
			if fails%128 == 0 {
				runtime.Gosched()
			}
		}
	}
	go func() {
		for range b.N {
			wait(there)
			back.TryEnqueue(v)
		}
	}()
	for range b.N {
		there.TryEnqueue(v)
		wait(back)
	}
}

// BenchmarkPair is what the instructions alone cost: one goroutine adds an element
// and takes it.
func BenchmarkPair(b *testing.B) {
	v := new(int)
	b.Run("channel", func(b *testing.B) {
		c := make(chan *int, benchCapacity)
		for b.Loop() {
			c <- v
			<-c
		}
	})
	b.Run("SPSC", func(b *testing.B) {
		q := queue.NewSPSC[*int](benchCapacity)
		for b.Loop() {
			q.TryEnqueue(v)
			q.TryDequeue()
		}
	})
	b.Run("Buffered", func(b *testing.B) {
		q := queue.NewSPSC[*int](benchCapacity)
		end := q.Buffered(1)
		for b.Loop() {
			end.TryEnqueue(v)
			q.TryDequeue()
		}
	})
	b.Run("Buffered both", func(b *testing.B) {
		q := queue.NewSPSC[*int](benchCapacity)
		in, out := q.Buffered(32), q.BufferedConsumer()
		for b.Loop() {
			for range 32 {
				in.TryEnqueue(v)
			}
			for range 32 {
				out.TryDequeue()
			}
		}
		b.ReportMetric(float64(b.Elapsed())/float64(b.N)/32, "ns/pair")
	})
	b.Run("MPSC", func(b *testing.B) {
		q := queue.NewMPSC[*int](benchCapacity)
		for b.Loop() {
			q.TryEnqueue(v)
			q.TryDequeue()
		}
	})
	b.Run("Blocking", func(b *testing.B) {
		q := queue.NewBlocking(queue.NewSPSC[*int](benchCapacity), queue.Park)
		for b.Loop() {
			q.TryEnqueue(v)
			q.TryDequeue()
		}
	})
	b.Run("MPMC", func(b *testing.B) {
		q := queue.NewMPMC[*int](benchCapacity)
		for b.Loop() {
			q.TryEnqueue(v)
			q.TryDequeue()
		}
	})
}
