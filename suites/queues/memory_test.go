package queues_test

import (
	"fmt"
	"testing"

	workiva "github.com/Workiva/go-datastructures/queue"
	"github.com/puzpuzpuz/xsync/v4"
	"github.com/tarebench/tare/bench"
	"github.com/tarebench/tare/footprint"
	"github.com/tarebench/tare/queue"
	"github.com/tarebench/tare/suites/queues"
)

// A vessel is a queue that can be weighed, and how to put an element into it.
type vessel struct {
	queue any
	add   func()
}

// vessels makes queues by their names.
func vessels[T any]() []struct {
	name   string
	create func(capacity int) vessel
} {
	var v T
	try := func(q queue.Queue[T]) vessel { return vessel{q, func() { q.TryEnqueue(v) }} }
	return []struct {
		name   string
		create func(capacity int) vessel
	}{
		{"channel", func(n int) vessel { c := make(chan T, n); return vessel{c, func() { c <- v }} }},
		{"SPSC", func(n int) vessel { return try(queue.NewSPSC[T](n)) }},
		{"GrowableSPSC", func(n int) vessel { return try(queue.NewGrowableSPSC[T](16, n)) }},
		{"UnboundedSPSC", func(int) vessel { return try(queue.NewUnboundedSPSC[T]()) }},
		{"MPSC", func(n int) vessel { return try(queue.NewMPSC[T](n)) }},
		{"LinkedMPSC", func(int) vessel { return try(queue.NewLinkedMPSC[T]()) }},
		{"UnboundedMPSC", func(int) vessel { return try(queue.NewUnboundedMPSC[T]()) }},
		{"SPMC", func(n int) vessel { return try(queue.NewSPMC[T](n)) }},
		{"UnboundedMPMC", func(int) vessel { return try(queue.NewUnboundedMPMC[T]()) }},
		{"MPMC", func(n int) vessel { return try(queue.NewMPMC[T](n)) }},
		{"xsync.SPSC", func(n int) vessel { return try(xsync.NewSPSCQueue[T](n)) }},
		{"xsync.MPMC", func(n int) vessel { return try(xsync.NewMPMCQueue[T](n)) }},
		{"xsync.UMPSC", func(int) vessel { q := xsync.NewUMPSCQueue[T](); return vessel{q, func() { q.Enqueue(v) }} }},
		{"Workiva", func(n int) vessel {
			q := workiva.NewRingBuffer(uint64(n))
			return vessel{q, func() { _ = q.Put(v) }}
		}},
	}
}

// weight is what a queue of some capacity occupies, without what its elements
// point to.
type weight struct {
	empty, full int64
	gaps        int // places that footprint does not follow, such as the inside of a sync.Pool
}

func weigh(create func(capacity int) vessel, capacity int) weight {
	v := create(capacity)
	empty := footprint.Measure(v.queue)
	for range capacity {
		v.add()
	}
	full := footprint.Measure(v.queue)
	return weight{empty.Bytes, full.Bytes, len(full.NotFollowed)}
}

// BenchmarkMemory weighs queues of capacity 1024, empty and full, and what one more
// element takes, from the difference to capacity 65536. It measures no time.
func BenchmarkMemory(b *testing.B) {
	weighAll(b, queues.Int64, vessels[int64]())
	weighAll(b, queues.Ptr, vessels[*queues.Item]())
}

func weighAll(b *testing.B, elem queues.Elem, vs []struct {
	name   string
	create func(capacity int) vessel
}) {
	const small, large = 1024, 65536
	for _, v := range vs {
		b.Run(fmt.Sprintf("elem=%s/queue=%s", elem, v.name), func(b *testing.B) {
			ws := bench.Trial(b, func() ([2]weight, error) {
				return [2]weight{weigh(v.create, small), weigh(v.create, large)}, nil
			}, nil)
			b.ReportMetric(float64(ws[0].empty), "empty-B")
			b.ReportMetric(float64(ws[0].full), "full-B")
			b.ReportMetric(float64(ws[1].full-ws[0].full)/(large-small), "element-B")
			b.ReportMetric(float64(ws[1].gaps), "gaps")
			b.ReportMetric(0, "ns/op")
		})
	}
}
