package queues_test

import (
	"context"
	"fmt"
	"runtime"
	"testing"
	"time"

	"github.com/puzpuzpuz/xsync/v4"
	"github.com/tarebench/tare/hist"
	"github.com/tarebench/tare/internal/base/clock"
	"github.com/tarebench/tare/internal/numbers/pace"
	"github.com/tarebench/tare/queue"
	"github.com/tarebench/tare/suites/queues"
)

// A pipe hands times over, from one goroutine to another. Both calls wait.
type pipe struct {
	name string
	give func(int64)
	take func() int64
}

func channelPipe(capacity int) pipe {
	c := make(chan int64, capacity)
	return pipe{"queue=channel/wait=own", func(v int64) { c <- v }, func() int64 { return <-c }}
}

// retrying waits for a queue at 128 tries, or by a Backoff.
func retrying(name string, q queue.Queue[int64], capacity int, wait queues.Wait) pipe {
	out, in := waiter(capacity, wait), waiter(capacity, wait)
	return pipe{fmt.Sprintf("queue=%s/wait=%s", name, wait),
		func(v int64) {
			for !q.TryEnqueue(v) {
				out(false)
			}
			out(true)
		},
		func() int64 {
			for {
				if v, ok := q.TryDequeue(); ok {
					in(true)
					return v
				}
				in(false)
			}
		}}
}

// waiter waits when it is told of a failure.
func waiter(capacity int, wait queues.Wait) func(ok bool) {
	back, fails := queue.NewBackoff(capacity), 0
	if wait == queues.Backoff {
		return func(ok bool) {
			if ok {
				back.Worked(1)
			} else {
				back.Wait()
			}
		}
	}
	return func(ok bool) {
		if fails++; ok {
			fails = 0
		} else if fails%128 == 0 {
			runtime.Gosched()
		}
	}
}

func waitingPipe(capacity int, wait queues.Wait, how queue.Wait) pipe {
	q, ctx := queue.NewBlocking(queue.NewSPSC[int64](capacity), how), context.Background()
	return pipe{fmt.Sprintf("queue=Blocking/wait=%s", wait),
		func(v int64) { _ = q.Enqueue(ctx, v) },
		func() int64 { v, _ := q.Dequeue(ctx); return v }}
}

func pipes(capacity int) []pipe {
	return []pipe{
		channelPipe(capacity),
		retrying("SPSC", queue.NewSPSC[int64](capacity), capacity, queues.Spin),
		retrying("SPSC", queue.NewSPSC[int64](capacity), capacity, queues.Backoff),
		retrying("MPMC", queue.NewMPMC[int64](capacity), capacity, queues.Spin),
		waitingPipe(capacity, queues.Park, queue.Park),
		waitingPipe(capacity, queues.Adaptive, queue.Adaptive),
		waitingPipe(capacity, queues.Yield, queue.Yield),
		retrying("xsync.SPSC", xsync.NewSPSCQueue[int64](capacity), capacity, queues.Spin),
		retrying("xsync.MPMC", xsync.NewMPMCQueue[int64](capacity), capacity, queues.Spin),
	}
}

// BenchmarkLatency sends elements on a schedule, whether or not those before have
// arrived, and measures from when each was due until the consumer has it. An element
// that waits behind others has that in its latency, and so has one that the sender
// could not send in time.
func BenchmarkLatency(b *testing.B) {
	const capacity = 1024
	for _, rate := range []float64{100e3, 1e6} {
		for i, p := range pipes(capacity) {
			b.Run(fmt.Sprintf("rate=%.0f/capacity=%d/elem=int64/%s", rate, capacity, p.name), func(b *testing.B) {
				latency(b, rate, pipes(capacity)[i])
			})
		}
	}
}

func latency(b *testing.B, rate float64, p pipe) {
	line := queues.LineNs()
	schedule, err := pace.New(pace.Config{Rate: rate, Ops: uint64(b.N)})
	if err != nil {
		b.Fatal(err)
	}
	group, err := pace.NewGroup(pace.Spin, b.Context().Done())
	if err != nil {
		b.Fatal(err)
	}
	defer group.Close()
	pacer, err := group.Pacer()
	if err != nil {
		b.Fatal(err)
	}
	var latencies hist.Histogram
	done := make(chan struct{})
	go func() {
		defer close(done)
		for range b.N {
			due := p.take()
			latencies.Record(clock.Now() - due)
		}
	}()
	b.ResetTimer()
	start := clock.Now() + int64(time.Millisecond)
	for {
		_, due, ok := schedule.Claim()
		if !ok {
			break
		}
		at := start + int64(due)
		if _, _, err := pacer.Wait(at); err != nil {
			b.Fatal(err)
		}
		p.give(at)
	}
	<-done
	b.StopTimer()
	reportLine(b, line)
	ps := latencies.Percentiles()
	b.ReportMetric(ps.Mean, "mean-ns")
	b.ReportMetric(float64(ps.P50), "p50-ns")
	b.ReportMetric(float64(ps.P99), "p99-ns")
	b.ReportMetric(float64(ps.P999), "p99.9-ns")
	b.ReportMetric(float64(ps.Max), "max-ns")
}
