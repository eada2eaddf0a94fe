package queue_test

import (
	"iter"
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/tarebench/tare/queue"
)

// singles is what the types with one producer and one consumer have.
type singles interface {
	drainer
	TryEnqueueStrict(int) bool
	Fill(int, func() int) int
	Buffered(int) *queue.BufferedProducer[int]
	Peek() (int, bool)
	All() iter.Seq[int]
	BufferedConsumer() *queue.BufferedConsumer[int]
	Enqueued() uint64
	Dequeued() uint64
	Cap() int
}

func newSingles(publishEvery int) map[string]singles {
	return map[string]singles{
		"SPSC":          queue.TunedSPSC[int](8, publishEvery, nearUint64),
		"GrowableSPSC":  queue.TunedGrowableSPSC[int](2, 16, publishEvery, nearUint64),
		"UnboundedSPSC": queue.TunedUnboundedSPSC[int](4, publishEvery, nearUint64),
	}
}

// A randomProducer adds 0, 1, 2 … by any method, with two BufferedProducers in turn.
type randomProducer struct {
	q    singles
	end  *queue.BufferedProducer[int]
	r    *rand.Rand
	next int
}

// step calls one method. It reports whether all elements are visible afterwards.
func (p *randomProducer) step() (visible bool) {
	count := func(ok bool) {
		if ok {
			p.next++
		}
	}
	add := func() int { p.next++; return p.next - 1 }
	switch p.r.IntN(16) {
	case 0:
		count(p.q.TryEnqueue(p.next))
	case 1:
		count(p.q.TryEnqueueStrict(p.next))
	case 2:
		batch := make([]int, p.r.IntN(5))
		for i := range batch {
			batch[i] = p.next + i
		}
		p.next += p.q.TryEnqueueBatch(batch)
	case 3:
		p.q.Fill(p.r.IntN(5), add)
	case 4:
		p.end.Flush()
	case 5:
		if p.r.IntN(4) == 0 {
			p.end = p.q.Buffered(1 + p.r.IntN(5))
		}
		return false
	case 6:
		if p.r.IntN(4) == 0 {
			p.end.Close()
			p.end = p.q.Buffered(1 + p.r.IntN(5))
			return true
		}
		return false
	default:
		ok := p.end.TryEnqueue(p.next)
		count(ok)
		return !ok
	}
	return true
}

// A randomConsumer takes elements by any method.
type randomConsumer struct {
	q    singles
	end  *queue.BufferedConsumer[int]
	r    *rand.Rand
	next int
}

// step calls one method. It reports whether elements came in order, and whether the
// counts are exact afterwards.
func (c *randomConsumer) step() (right, exact bool) {
	right = true
	take := func(v int) { right, c.next = right && v == c.next, c.next+1 }
	takeIf := func(v int, ok bool) {
		if ok {
			take(v)
		}
	}
	switch c.r.IntN(16) {
	case 0:
		takeIf(c.q.TryDequeue())
	case 1:
		v, ok := c.q.Peek()
		return !ok || v == c.next, false
	case 2:
		batch := make([]int, c.r.IntN(5))
		for _, v := range batch[:c.q.TryDequeueBatch(batch)] {
			take(v)
		}
	case 3:
		c.q.Drain(c.r.IntN(5), take)
	case 4:
		for v := range c.q.All() {
			if take(v); c.r.IntN(3) == 0 {
				break
			}
		}
	case 5:
		if c.r.IntN(4) == 0 {
			c.end = c.q.BufferedConsumer()
		}
		return true, false
	default:
		v, ok := c.end.TryDequeue()
		takeIf(v, ok)
		return right, !ok
	}
	return right, true
}

// TestBufferedMixed uses the buffered ends and the queue's own methods in any order,
// by one goroutine, and compares the counts with what was added and taken.
func TestBufferedMixed(t *testing.T) {
	seed := rand.Uint64()
	for every := 1; every <= 4; every++ {
		for name, q := range newSingles(every) {
			r := rand.New(rand.NewPCG(seed, uint64(every)))
			p := randomProducer{q: q, end: q.Buffered(3), r: r}
			c := randomConsumer{q: q, end: q.BufferedConsumer(), r: r}
			for i := range 20_000 {
				if r.IntN(2) == 0 {
					visible := p.step()
					if n := int(q.Enqueued()); visible && n != p.next || n+p.end.Hidden() != p.next {
						t.Fatalf("%s, seed %d, step %d: %d added, Enqueued %d, Hidden %d", name, seed, i, p.next, n, p.end.Hidden())
					}
				} else {
					right, exact := c.step()
					n := int(q.Dequeued())
					if !right || exact && n != c.next || n > c.next || n < c.next-every {
						t.Fatalf("%s, seed %d, step %d: in order %v, %d taken, Dequeued %d", name, seed, i, right, c.next, n)
					}
				}
			}
			if c.next == 0 {
				t.Errorf("%s, seed %d: nothing was taken", name, seed)
			}
		}
	}
}

// TestBufferedMixedAcross does so with two goroutines, and has all elements arrive in
// order.
func TestBufferedMixedAcross(t *testing.T) {
	const enough = 20_000
	seed := rand.Uint64()
	for every := 1; every <= 3; every++ {
		for name, q := range newSingles(every) {
			done := make(chan int)
			go func() {
				p := randomProducer{q: q, end: q.Buffered(3), r: rand.New(rand.NewPCG(seed, 1))}
				for p.next < enough {
					if before := p.next; !p.step() || p.next == before {
						runtime.Gosched()
					}
				}
				p.end.Close()
				done <- p.next
			}()
			c := randomConsumer{q: q, end: q.BufferedConsumer(), r: rand.New(rand.NewPCG(seed, 2))}
			want := -1
			for c.next != want {
				before := c.next
				if right, _ := c.step(); !right {
					t.Fatalf("%s, seed %d: elements are out of order around %d", name, seed, c.next)
				}
				select {
				case want = <-done:
				default:
					if c.next == before {
						runtime.Gosched()
					}
				}
			}
		}
	}
}
