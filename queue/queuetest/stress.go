package queuetest

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// subject is how queues under stress are made, and their elements from numbers.
type subject[T any] struct {
	new    func(capacity int) Queue[T]
	pack   func(int64) T
	unpack func(T) int64
}

// order checks that no element is lost, repeated or overtakes others of its producer,
// at capacities at which indices wrap all the time and at one at which they do not.
func order(c Config) error {
	s := subject[int64]{c.New, func(v int64) int64 { return v }, func(v int64) int64 { return v }}
	for _, capacity := range []int{2, 8, 64} {
		part := c
		part.Budget /= 3
		if err := rounds(part, s, capacity, nil); err != nil {
			return fmt.Errorf("capacity %d: %w", capacity, err)
		}
	}
	return nil
}

// orderOfPointers does the same with pointers: a slot that is cleared too late gives
// nil.
func orderOfPointers(c Config) error {
	if c.NewPointers == nil {
		return skipped("no NewPointers")
	}
	s := subject[*int64]{c.NewPointers, func(v int64) *int64 { return &v }, func(p *int64) int64 {
		if p == nil {
			return nothing
		}
		return *p
	}}
	return rounds(c, s, 8, nil)
}

const (
	pill    = -1 // ends a consumer
	nothing = -2 // stands for a nil that came out
)

// rounds repeats a round until the time is up.
func rounds[T any](c Config, s subject[T], capacity int, observe func(Queue[T]) error) error {
	start := time.Now()
	for n := uint64(0); n == 0 || time.Since(start) < c.Budget; n++ {
		r := newRound(c, s, capacity, n)
		if err := r.run(observe); err != nil {
			return fmt.Errorf("round %d of seed %d, %d producers and %d consumers: %w",
				n, c.Seed, len(r.producers), len(r.consumers), err)
		}
	}
	return nil
}

// round is one queue with its producers and consumers, from the first element to the
// last pill.
type round[T any] struct {
	subject[T]
	q         Queue[T]
	m         methods[T]
	capacity  int
	elements  int // of each producer
	producers []*stressWorker
	consumers []*stressConsumer[T]
	unended   atomic.Int32 // producers that have not finished
	pills     atomic.Int32 // pills that came out
	closes    bool         // Close ends the round, instead of pills
	closed    atomic.Bool  // Close was called
	watch     watchdog
}

// stressWorker is a producer or consumer.
type stressWorker struct {
	random *rand.Rand
	stall  stall
}

func newRound[T any](c Config, s subject[T], capacity int, n uint64) *round[T] {
	r := &round[T]{subject: s, q: s.new(capacity), capacity: capacity}
	r.m = find(r.q)
	random := c.random(2, uint64(capacity), n)
	r.elements = 1 << (7 + random.IntN(6))
	r.closes = r.m.waits.close != nil && random.IntN(2) == 0
	count := func(s Side) int {
		if s == One {
			return 1
		}
		return 1 + random.IntN(3)
	}
	for i := range count(c.Producers) {
		r.producers = append(r.producers, &stressWorker{random: c.random(3, n, uint64(i))})
	}
	for i := range count(c.Consumers) {
		r.consumers = append(r.consumers, newStressConsumer(r, c.random(4, n, uint64(i))))
	}
	r.unended.Store(int32(len(r.producers)))
	r.watch.running.Store(int32(len(r.producers) + len(r.consumers)))
	return r
}

// run lets all workers run and returns an error for elements that came out wrong.
func (r *round[T]) run(observe func(Queue[T]) error) error {
	var workers, observers sync.WaitGroup
	var ended atomic.Bool
	var observed error
	for i, p := range r.producers {
		workers.Go(func() { r.produce(i, p) })
	}
	for _, s := range r.consumers {
		workers.Go(s.consume)
	}
	if observe != nil {
		observers.Go(func() {
			for !ended.Load() && observed == nil {
				observed = observe(r.q)
				runtime.Gosched()
			}
		})
	}
	workers.Wait()
	ended.Store(true)
	observers.Wait()
	if observed != nil {
		return observed
	}
	return r.judge()
}

// produce adds the elements of the i-th producer in bursts. The producer that ends
// last adds a pill for each consumer, or closes the queue.
func (r *round[T]) produce(i int, p *stressWorker) {
	defer r.watch.finish(&p.stall)
	next := 0
	value := func(k int) T { return r.pack(int64(i)<<32 | int64(k)) }
	for next < r.elements && !r.watch.stuck() {
		burst := min(r.elements-next, 1+p.random.IntN(2*r.capacity))
		for burst > 0 && !r.watch.stuck() {
			n := r.put(p, burst, func(k int) T { return value(next + k) })
			next, burst = next+n, burst-n
			r.watch.note(&p.stall, n > 0)
		}
		pause(p.random)
	}
	if r.unended.Add(-1) == 0 {
		r.end(p)
	}
	r.m.publish()
}

func (r *round[T]) end(p *stressWorker) {
	if r.closes {
		r.closed.Store(true)
		r.m.waits.close()
		return
	}
	for range r.consumers {
		for !r.m.enqueue(r.pack(pill)) && !r.watch.stuck() {
			r.watch.note(&p.stall, false)
		}
		r.watch.note(&p.stall, true)
	}
}

// put offers up to n elements by one of the queue's methods and returns how many were
// taken.
func (r *round[T]) put(p *stressWorker, n int, value func(int) T) int {
	one := func(try func(T) bool) int {
		if try(value(0)) {
			return 1
		}
		return 0
	}
	if r.m.waits.available() && p.random.IntN(2) == 0 {
		return r.putWaiting(p, n, value)
	}
	switch way := p.random.IntN(8); {
	case way == 0 && r.m.enqueueStrict != nil:
		return one(r.m.enqueueStrict)
	case way <= 2 && r.m.enqueueBatch != nil:
		vs := make([]T, 1+p.random.IntN(n))
		for k := range vs {
			vs[k] = value(k)
		}
		return r.m.enqueueBatch(vs)
	case way == 3 && r.m.fill != nil:
		k := 0
		return r.m.fill(1+p.random.IntN(n), func() T { k++; return value(k - 1) })
	case way == 4 && r.m.flush != nil:
		r.m.flush()
	}
	return one(r.m.enqueue)
}

// putWaiting does the same with the methods that wait.
func (r *round[T]) putWaiting(p *stressWorker, n int, value func(int) T) int {
	ctx, cancel := endingSoon(p.random.IntN(1<<10), 10*longWait)
	defer cancel()
	if r.m.waits.enqueueBatch != nil && p.random.IntN(2) == 0 {
		vs := make([]T, 1+p.random.IntN(n))
		for k := range vs {
			vs[k] = value(k)
		}
		n, _ := r.m.waits.enqueueBatch(ctx, vs)
		return n
	}
	if r.m.waits.enqueue(ctx, value(0)) != nil {
		return 0
	}
	return 1
}

// pause lets others catch up, mostly for some nanoseconds.
func pause(random *rand.Rand) {
	switch k := random.IntN(64); {
	case k == 0:
		time.Sleep(time.Microsecond)
	case k < 8:
		runtime.Gosched()
	case k < 40:
		for n := random.IntN(200); n > 0; n-- {
			runtime.KeepAlive(n)
		}
	}
}
