package queuetest

import (
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// role says which operations a client may do.
type role uint8

const (
	produces role = 1 << iota
	consumes
	both = produces | consumes
)

// clientSets returns the sets of clients that a queue allows. Small sets come first
// and more than once: two clients overlap best on few processors.
func clientSets(c Config) [][]role {
	switch {
	case c.Producers == Many && c.Consumers == Many:
		return [][]role{{both, both}, {produces, consumes}, {both, both}, {both, both, both}, {produces, produces, consumes, consumes}}
	case c.Producers == Many:
		return [][]role{{produces, consumes}, {both, produces}, {both, produces}, {produces, produces, consumes}}
	case c.Consumers == Many:
		return [][]role{{produces, consumes}, {both, consumes}, {both, consumes}, {produces, consumes, consumes}}
	}
	return [][]role{{produces, consumes}}
}

// event is one operation of a client with the time of its call and return.
type event struct {
	client     int
	call, back int64
	op         *operation
}

// startBarrier makes the clients of one history start together, and holds their
// clock.
type startBarrier struct {
	clock   atomic.Int64 // stamps calls and returns
	arrived atomic.Int32 // clients at the barrier
	clients int32
}

// await returns when all clients have called it. They spin, because goroutines that a
// channel wakes up start one after the other and rarely overlap. A client that has
// spun for about 50 µs yields to the system. With one processor it yields at once.
func (s *startBarrier) await() {
	s.arrived.Add(1)
	alone := runtime.GOMAXPROCS(0) == 1
	for spins := 1; s.arrived.Load() < s.clients; spins++ {
		if alone {
			runtime.Gosched()
		} else if spins%(1<<16) == 0 {
			time.Sleep(time.Microsecond)
		}
	}
}

// client is one goroutine of a history.
type client struct {
	*startBarrier
	number    int
	role      role
	producer  int // number among producers
	producers int
	last      int // last id that was used
	m         methods[int64]
	split     bool // batches count element by element
	random    *rand.Rand
	events    []event
	producing []func(*client) // ways to produce
	consuming []func(*client)
	alone     bool // no other client is in a call
	closesAt  int  // the operation before which this client closes the queue, -1 for none
}

// nextID returns the next element, or 0 when the ids are used up.
func (c *client) nextID() byte {
	id := c.last + c.producers
	if id > maxID {
		return 0
	}
	c.last = id
	return byte(id)
}

// nextIDs returns up to n elements.
func (c *client) nextIDs(n int) []byte {
	var ids []byte
	for range n {
		if id := c.nextID(); id != 0 {
			ids = append(ids, id)
		}
	}
	return ids
}

// play does a number of operations that the client's random numbers choose.
func (c *client) play(operations int) {
	for i := range operations {
		if i == c.closesAt {
			c.close()
		}
		for range c.random.IntN(20) {
			c.clock.Load()
		}
		if c.role == both && c.random.IntN(2) == 0 || c.role == produces {
			c.produce()
		} else {
			c.consume()
		}
	}
}

// record appends an operation that has just ended.
func (c *client) record(call int64, op operation) {
	c.events = append(c.events, event{c.number, call, c.clock.Add(1), &op})
}

// history is one queue and its clients.
type history struct {
	startBarrier
	spec       fifo
	clients    []*client
	operations int // of each client
}

// newHistory returns a history whose clients have the given roles.
func newHistory(c Config, capacity int, roles []role, number uint64) *history {
	random := c.random(uint64(capacity), number)
	q := c.New(capacity)
	advanceIndices(q, random.IntN(3*capacity+1))
	m := find(q)
	h := &history{operations: 4 + random.IntN(16)}
	h.startBarrier.clients = int32(len(roles))
	h.spec = fifo{capacity: m.holds(capacity), clients: len(roles), buffered: m.flush != nil, unflushed: c.Unflushed}
	for i, r := range roles {
		cl := newClient(c, m, r, &h.startBarrier)
		cl.number, cl.random = i, c.random(uint64(capacity), number, uint64(i))
		if r&produces != 0 {
			cl.producer = h.spec.producers
			h.spec.producers++
		}
		h.clients = append(h.clients, cl)
	}
	for _, cl := range h.clients {
		cl.producers, cl.last = h.spec.producers, cl.producer
	}
	return h
}

func newClient(c Config, m methods[int64], r role, s *startBarrier) *client {
	return &client{
		closesAt:     -1,
		startBarrier: s, role: r, m: m, split: c.SplitBatches,
		producing: producerOps(m), consuming: consumerOps(m),
		events: make([]event, 0, 64),
	}
}

// playAll plays the i-th client of all histories in the same goroutine, one history
// after the other without a pause: clients that have overlapped once keep overlapping
// while the system lets them run.
func playAll(histories []*history) {
	var wg sync.WaitGroup
	for i := range histories[0].clients {
		wg.Go(func() {
			for _, h := range histories {
				h.await()
				h.clients[i].play(h.operations)
			}
		})
	}
	wg.Wait()
}

// events returns the operations of all clients and marks those that may have failed
// spuriously.
func (h *history) events(c Config) []event {
	var all []event
	for _, cl := range h.clients {
		all = append(all, cl.events...)
	}
	markOverlapping(all)
	markSpurious(c, all)
	return all
}

// overlaps reports whether two operations were in flight at the same time.
func overlaps(a, b event) bool { return a.call < b.back && b.call < a.back }

// overlapping returns how many pairs of operations of different clients overlap.
// Without any, a history proves no more than a sequential test.
func overlapping(events []event) int {
	n := 0
	for i, a := range events {
		for _, b := range events[:i] {
			if a.client != b.client && overlaps(a, b) {
				n++
			}
		}
	}
	return n
}

// markSpurious marks the operations that may have failed spuriously.
func markSpurious(c Config, events []event) {
	for i, e := range events {
		level := c.SpuriousEmpty
		if e.op.kind == enqueue {
			level = c.SpuriousFull
		}
		if strict[e.op.method] {
			level = Never
		}
		e.op.maySpuriouslyFail = level == Anytime || level == WhileBusy && busy(events, i) ||
			c.FillReserves && e.op.kind == enqueue && besideFill(events, i)
	}
}

// besideFill reports whether a Fill of another client was in flight during the i-th event.
func besideFill(events []event, i int) bool {
	for _, e := range events {
		if e.op.method == "Fill" && e.client != events[i].client && overlaps(e, events[i]) {
			return true
		}
	}
	return false
}

// busy reports whether another client was in a call during the i-th event.
func busy(events []event, i int) bool {
	for _, e := range events {
		if e.client != events[i].client && overlaps(e, events[i]) {
			return true
		}
	}
	return false
}
