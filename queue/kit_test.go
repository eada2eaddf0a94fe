package queue_test

import (
	"errors"
	"iter"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tarebench/tare/internal/testkit/testutil"
	"github.com/tarebench/tare/queue"
	"github.com/tarebench/tare/queue/queuetest"
)

// kitCase is a way to make a queue, and what package queuetest shall hold it to.
type kitCase struct {
	name   string
	config queuetest.Config
}

// The search for an order of operations gets out of hand if many elements of several
// producers stay in a queue, as they may in one without bound: they could lie in any
// order. There it is done with few elements, and only there.
func (c kitCase) wants(check string) bool {
	if strings.HasSuffix(c.name, "/few") {
		return check == "linearizability"
	}
	unbounded := strings.HasPrefix(c.name, "UnboundedMP") || c.name == "LinkedMPSC"
	return !unbounded || check != "linearizability"
}

// Positions that overflow during the tests, as int64 and as uint64.
const (
	nearInt64  = math.MaxInt64 - 20
	nearUint64 = math.MaxUint64 - 20
)

// made fills in the two constructors of a configuration.
func made[Q queuetest.Queue[int64], P queuetest.Queue[*int64]](ints func(int) Q, pointers func(int) P, c queuetest.Config) queuetest.Config {
	c.New = func(n int) queuetest.Queue[int64] { return ints(n) }
	c.NewPointers = func(n int) queuetest.Queue[*int64] { return pointers(n) }
	return c
}

// lazily is the configuration of a queue whose consumer publishes late.
var lazily = queuetest.Config{SpuriousFull: queuetest.Anytime}

func singleCases() []kitCase {
	unbounded := queuetest.Config{Allocates: true}
	return []kitCase{
		{"SPSC", made(queue.NewSPSC[int64], queue.NewSPSC[*int64], queuetest.Config{
			SpuriousFull: queuetest.Anytime, // at a capacity of 64; below 16 it is strict
		})},
		{"SPSC/lazy2", made(tunedSPSC[int64](2, nearUint64), tunedSPSC[*int64](2, nearUint64), lazily)},
		{"SPSC/lazy3", made(tunedSPSC[int64](3, nearInt64), tunedSPSC[*int64](3, nearInt64), lazily)},
		{"SPSC/eager", made(tunedSPSC[int64](1, nearUint64), tunedSPSC[*int64](1, nearUint64), queuetest.Config{})},
		{"GrowableSPSC", made(tunedGrowable[int64](1, nearUint64), tunedGrowable[*int64](1, nearUint64), queuetest.Config{
			SpuriousFull: queuetest.Anytime, Allocates: true,
		})},
		{"UnboundedSPSC", made(tunedUnbounded[int64](1, nearUint64), tunedUnbounded[*int64](1, nearUint64), unbounded)},
		{"UnboundedSPSC/lazy3", made(tunedUnbounded[int64](3, nearInt64), tunedUnbounded[*int64](3, nearInt64), queuetest.Config{
			SpuriousFull: queuetest.Anytime, Allocates: true,
		})},
		{"BufferedProducer/1", made(buffered[int64](1, 1), buffered[*int64](1, 1), queuetest.Config{
			SpuriousFull: queuetest.Anytime, Unflushed: 1,
		})},
		{"BufferedProducer/3", made(buffered[int64](3, 2), buffered[*int64](3, 2), queuetest.Config{
			SpuriousFull: queuetest.Anytime, SpuriousEmpty: queuetest.Anytime, Unflushed: 2,
		})},
		{"BufferedConsumer/1", made(eagerTaker[int64], eagerTaker[*int64], queuetest.Config{})},
		{"BufferedConsumer/3", made(bufferedTaker[int64](3), bufferedTaker[*int64](3), lazily)},
		{"BufferedConsumer/both", made(bufferedBoth[int64](3, 2), bufferedBoth[*int64](3, 2), queuetest.Config{
			SpuriousFull: queuetest.Anytime, SpuriousEmpty: queuetest.Anytime, Unflushed: 2,
		})},
	}
}

func sharedCases() []kitCase {
	mpsc := queuetest.Config{Producers: queuetest.Many, SpuriousFull: queuetest.Anytime, SpuriousEmpty: queuetest.WhileBusy, FillReserves: true}
	linked := queuetest.Config{Producers: queuetest.Many, Allocates: true}
	chunks := queuetest.Config{Producers: queuetest.Many, SpuriousEmpty: queuetest.WhileBusy, Allocates: true}
	linking := chunks
	linking.SplitBatches = true
	spmc := queuetest.Config{Consumers: queuetest.Many, SpuriousFull: queuetest.WhileBusy}
	mpmc := queuetest.Config{
		Producers: queuetest.Many, Consumers: queuetest.Many,
		SpuriousFull: queuetest.WhileBusy, SpuriousEmpty: queuetest.WhileBusy, FillReserves: true,
	}
	chunksMPMC := chunks
	chunksMPMC.Consumers = queuetest.Many
	linkingMPMC := linking
	linkingMPMC.Consumers = queuetest.Many
	return []kitCase{
		{"MPSC", made(queue.NewMPSC[int64], queue.NewMPSC[*int64], mpsc)},
		{"MPSC/lazy3", made(tunedMPSC[int64](3, nearUint64), tunedMPSC[*int64](3, nearUint64), mpsc)},
		{"LinkedMPSC", made(tunedLinked[int64](nearUint64), tunedLinked[*int64](nearUint64), linked)},
		{"UnboundedMPSC", made(tunedChunks[int64](1024, nearUint64), tunedChunks[*int64](1024, nearUint64), chunks)},
		{"UnboundedMPSC/linking", made(tunedChunks[int64](4, nearUint64), tunedChunks[*int64](4, nearUint64), linking)},
		{"UnboundedMPSC/few", queuetest.Config{New: few(tunedChunks[int64](4, nearUint64)),
			Producers: queuetest.Many, SpuriousFull: queuetest.Anytime, SpuriousEmpty: queuetest.WhileBusy}},
		{"UnboundedMPMC", made(tunedChunksMPMC[int64](1024, nearUint64), tunedChunksMPMC[*int64](1024, nearUint64), chunksMPMC)},
		{"UnboundedMPMC/linking", made(tunedChunksMPMC[int64](4, nearUint64), tunedChunksMPMC[*int64](4, nearUint64), linkingMPMC)},
		{"UnboundedMPMC/few", queuetest.Config{New: few(tunedChunksMPMC[int64](4, nearUint64)),
			Producers: queuetest.Many, Consumers: queuetest.Many, SpuriousFull: queuetest.Anytime, SpuriousEmpty: queuetest.WhileBusy,
			SplitBatches: true}},
		{"LinkedMPSC/few", queuetest.Config{New: few(tunedLinked[int64](nearUint64)),
			Producers: queuetest.Many, SpuriousFull: queuetest.Anytime}},
		{"SPMC", made(tunedSPMC[int64](nearUint64), tunedSPMC[*int64](nearInt64), spmc)},
		{"MPMC", made(tunedMPMC[int64](nearUint64), tunedMPMC[*int64](nearInt64), mpmc)},
	}
}

// TestKit runs the verification kit over every type.
func TestKit(t *testing.T) {
	for _, c := range append(singleCases(), sharedCases()...) {
		t.Run(c.name, func(t *testing.T) {
			c.config.Budget = testutil.PickSeconds[time.Duration](5, 40) * time.Millisecond // TestStress is for more
			c.check(t)
		})
	}
}

// check runs the checks of the kit with certain names, or all.
func (c kitCase) check(t *testing.T, names ...string) {
	if c.config.Seed == 0 {
		c.config.Seed = rand.Uint64()
	}
	for _, check := range queuetest.Checks() {
		if !c.wants(check.Name) || len(names) > 0 && !slices.Contains(names, check.Name) {
			continue
		}
		if err := check.Run(c.config); err != nil && !errors.Is(err, queuetest.ErrSkipped) {
			t.Errorf("%v\nseed %d", err, c.config.Seed)
		}
	}
}

func tunedSPSC[T any](publishEvery int, origin uint64) func(int) *queue.SPSC[T] {
	return func(n int) *queue.SPSC[T] { return queue.TunedSPSC[T](n, publishEvery, origin) }
}

func tunedGrowable[T any](publishEvery int, origin uint64) func(int) *queue.GrowableSPSC[T] {
	return func(n int) *queue.GrowableSPSC[T] { return queue.TunedGrowableSPSC[T](2, n, publishEvery, origin) }
}

func tunedUnbounded[T any](publishEvery int, origin uint64) func(int) *queue.UnboundedSPSC[T] {
	return func(int) *queue.UnboundedSPSC[T] { return queue.TunedUnboundedSPSC[T](4, publishEvery, origin) }
}

func tunedMPSC[T any](publishEvery int, origin uint64) func(int) *queue.MPSC[T] {
	return func(n int) *queue.MPSC[T] { return queue.TunedMPSC[T](n, publishEvery, origin) }
}

func tunedLinked[T any](origin uint64) func(int) *queue.LinkedMPSC[T] {
	return func(int) *queue.LinkedMPSC[T] { return queue.TunedLinkedMPSC[T](origin) }
}

func tunedChunks[T any](chunk int, origin uint64) func(int) *queue.UnboundedMPSC[T] {
	return func(int) *queue.UnboundedMPSC[T] { return queue.TunedUnboundedMPSC[T](chunk, origin) }
}

func tunedChunksMPMC[T any](chunk int, origin uint64) func(int) *queue.UnboundedMPMC[T] {
	return func(int) *queue.UnboundedMPMC[T] { return queue.TunedUnboundedMPMC[T](chunk, origin) }
}

// fewQueue is a queue without bound that takes no more when there are four elements.
type fewQueue struct{ drainer64 }

type drainer64 interface {
	queuetest.Queue[int64]
	Len() int
	TryDequeueBatch([]int64) int
}

func (q fewQueue) TryEnqueue(v int64) bool { return q.Len() < 4 && q.drainer64.TryEnqueue(v) }

// Cap says that some more may slip in.
func (fewQueue) Cap() int { return -1 }

// The methods of consumers that some types without bound have.
type (
	peeker64 interface{ Peek() (int64, bool) }
	strict64 interface{ TryDequeueStrict() (int64, bool) }
	both64   interface {
		peeker64
		strict64
		PeekStrict() (int64, bool)
	}
)

func few[Q drainer64](make func(int) Q) func(int) queuetest.Queue[int64] {
	return func(n int) queuetest.Queue[int64] {
		q := make(n)
		switch q := any(q).(type) {
		case both64:
			return struct {
				fewQueue
				both64
			}{fewQueue{q.(drainer64)}, q}
		case strict64:
			return struct {
				fewQueue
				strict64
			}{fewQueue{q.(drainer64)}, q}
		case peeker64:
			return struct {
				fewQueue
				peeker64
			}{fewQueue{q.(drainer64)}, q}
		}
		return fewQueue{q}
	}
}

func tunedSPMC[T any](origin uint64) func(int) *queue.SPMC[T] {
	return func(n int) *queue.SPMC[T] { return queue.TunedSPMC[T](n, origin) }
}

func tunedMPMC[T any](origin uint64) func(int) *queue.MPMC[T] {
	return func(n int) *queue.MPMC[T] { return queue.TunedMPMC[T](n, origin) }
}

// bufferedQueue is an SPSC whose producer uses a BufferedProducer.
type bufferedQueue[T any] struct {
	q   *queue.SPSC[T]
	end *queue.BufferedProducer[T]
}

func buffered[T any](every, publishEvery int) func(int) *bufferedQueue[T] {
	return func(n int) *bufferedQueue[T] {
		q := queue.TunedSPSC[T](n, publishEvery, nearUint64)
		return &bufferedQueue[T]{q, q.Buffered(every)}
	}
}

func (b *bufferedQueue[T]) TryEnqueue(v T) bool         { return b.end.TryEnqueue(v) }
func (b *bufferedQueue[T]) Flush()                      { b.end.Flush() }
func (b *bufferedQueue[T]) TryDequeue() (T, bool)       { return b.q.TryDequeue() }
func (b *bufferedQueue[T]) TryDequeueBatch(dst []T) int { return b.q.TryDequeueBatch(dst) }
func (b *bufferedQueue[T]) Peek() (T, bool)             { return b.q.Peek() }
func (b *bufferedQueue[T]) Cap() int                    { return b.q.Cap() }

// takerQueue is an SPSC whose consumer uses a BufferedConsumer for single elements.
type takerQueue[T any] struct {
	singleQueue[T]
	end *queue.BufferedConsumer[T]
}

// singleQueue is what an SPSC keeps of its guarantees beside a BufferedConsumer:
// TryEnqueueStrict does not find room that this has not published.
type singleQueue[T any] interface {
	queuetest.Queue[T]
	TryEnqueueBatch([]T) int
	TryDequeueBatch([]T) int
	Fill(int, func() T) int
	Drain(int, func(T)) int
	All() iter.Seq[T]
	Peek() (T, bool)
	Len() int
	Cap() int
	IsEmpty() bool
	Enqueued() uint64
	Dequeued() uint64
}

func bufferedTaker[T any](publishEvery int) func(int) *takerQueue[T] {
	return func(n int) *takerQueue[T] {
		q := queue.TunedSPSC[T](n, publishEvery, nearUint64)
		return &takerQueue[T]{q, q.BufferedConsumer()}
	}
}

func (b *takerQueue[T]) TryDequeue() (T, bool) { return b.end.TryDequeue() }

// strictTaker has TryEnqueueStrict, for a consumer that publishes each element.
type strictTaker[T any] struct {
	*takerQueue[T]
	strict interface{ TryEnqueueStrict(T) bool }
}

func (b strictTaker[T]) TryEnqueueStrict(v T) bool { return b.strict.TryEnqueueStrict(v) }

func eagerTaker[T any](n int) strictTaker[T] {
	q := queue.TunedSPSC[T](n, 1, nearUint64)
	return strictTaker[T]{&takerQueue[T]{q, q.BufferedConsumer()}, q}
}

// bothQueue is an SPSC with both.
type bothQueue[T any] struct {
	bufferedQueue[T]
	taker *queue.BufferedConsumer[T]
}

func bufferedBoth[T any](every, publishEvery int) func(int) *bothQueue[T] {
	return func(n int) *bothQueue[T] {
		b := buffered[T](every, publishEvery)(n)
		return &bothQueue[T]{*b, b.q.BufferedConsumer()}
	}
}

func (b *bothQueue[T]) TryDequeue() (T, bool) { return b.taker.TryDequeue() }
