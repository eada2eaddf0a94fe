package queuetest

// listed is Vyukov's list for many producers and one consumer, with a consumer that
// waits for a torn link. Nodes have numbers from 1 on, of which 1 is the first node
// before an element; every producer has numbers of its own.
type listed struct {
	fault
	met  map[string]bool
	made int // producer: its last node
	head int // consumer: the node before the first element
}

// Addresses of listed, then for each node: next and value.
const listedTail, listedNodes = 0, 1

const mostNodes = 9

// newListed returns a producer whose nodes come after a certain one, or a consumer.
func newListed(f fault, met map[string]bool) func(made int) *listed {
	return func(made int) *listed { return &listed{fault: f, met: met, made: made, head: 1} }
}

func (q *listed) memory() []int {
	m := make([]int, listedNodes+2*(1+mostNodes))
	m[listedTail] = 1
	return m
}

func (q *listed) next(node int) int  { return listedNodes + 2*node }
func (q *listed) value(node int) int { return q.next(node) + 1 }

func (q *listed) enqueue(t *Thread, v int) bool {
	return t.Enqueue(v, func() bool {
		q.made++
		t.Store(q.value(q.made), v)
		q.link(t, q.made, q.made)
		return true
	})
}

func (q *listed) enqueueBatch(t *Thread, vs ...int) int {
	return t.EnqueueBatch(vs, func() int {
		first := q.made + 1
		for i, v := range vs {
			q.made++
			t.Store(q.value(q.made), v)
			if i > 0 {
				t.Xchg(q.next(q.made-1), q.made)
			}
		}
		q.link(t, first, q.made)
		return len(vs)
	})
}

func (q *listed) link(t *Thread, first, last int) {
	switch q.fault {
	case "links before it swaps":
		before := t.Load(listedTail)
		t.Xchg(q.next(before), first)
		t.Xchg(listedTail, last)
	case "swaps in two steps":
		before := t.Load(listedTail)
		t.Xchg(listedTail, last)
		t.Xchg(q.next(before), first)
	default:
		t.Xchg(q.next(t.Xchg(listedTail, last)), first)
	}
}

func (q *listed) second(t *Thread) int {
	if n := t.Load(q.next(q.head)); n != 0 || q.fault == "takes a bubble for the end" {
		return n
	}
	if t.Load(listedTail) == q.head {
		return 0
	}
	q.met["waited for a bubble"] = true
	return t.Await(q.next(q.head), func(n int) bool { return n != 0 })
}

func (q *listed) dequeue(t *Thread) (int, bool) {
	return t.Dequeue(func() (int, bool) { return q.take(t) })
}

func (q *listed) dequeueBatch(t *Thread, n int) []int {
	return t.DequeueBatch(n, func() (vs []int) {
		for len(vs) < n {
			v, ok := q.take(t)
			if !ok {
				break
			}
			vs = append(vs, v)
		}
		return vs
	})
}

func (q *listed) take(t *Thread) (int, bool) {
	n := q.second(t)
	if n == 0 {
		return 0, false
	}
	v := t.Load(q.value(n))
	t.Store(q.value(n), 0)
	q.head = n
	return v, true
}

// chunked is the queue of chunks for many producers and one consumer. Chunks have
// numbers from 1 on; every producer has numbers of its own for those that it makes.
type chunked struct {
	fault
	size               int
	met                map[string]bool
	made               int // producer: its last chunk
	chunk, index, last int // consumer; last is limit
}

// Addresses of chunked, then for each chunk: claim, next, and for each slot run and
// value.
const chunkedLast, chunkedChunks = 0, 1

const mostChunks = 7

// newChunked returns a producer whose chunks come after a certain one, or a consumer.
func newChunked(f fault, size int, met map[string]bool) func(made int) *chunked {
	return func(made int) *chunked { return &chunked{fault: f, size: size, met: met, made: made, chunk: 1} }
}

func (q *chunked) memory() []int {
	m := make([]int, chunkedChunks+(1+mostChunks)*(2+2*q.size))
	m[chunkedLast] = 1
	return m
}

func (q *chunked) claim(chunk int) int    { return chunkedChunks + chunk*(2+2*q.size) }
func (q *chunked) next(chunk int) int     { return q.claim(chunk) + 1 }
func (q *chunked) run(chunk, i int) int   { return q.claim(chunk) + 2 + 2*i }
func (q *chunked) value(chunk, i int) int { return q.run(chunk, i) + 1 }

func (q *chunked) enqueue(t *Thread, v int) bool {
	return t.Enqueue(v, func() bool {
		for {
			c := t.Load(chunkedLast)
			if i := q.claimSlot(t, c); i < q.size {
				t.Store(q.value(c, i), v)
				t.Xchg(q.run(c, i), 1)
				return true
			}
			q.goOn(t, c)
		}
	})
}

func (q *chunked) claimSlot(t *Thread, c int) int {
	if q.fault == "claims in two steps" {
		i := t.Load(q.claim(c))
		t.Xchg(q.claim(c), i+1)
		return i
	}
	return t.Add(q.claim(c), 1) - 1
}

func (q *chunked) goOn(t *Thread, c int) {
	q.met["linked"] = true
	if t.Load(q.next(c)) == 0 {
		q.made++
		if q.fault == "links what is linked" {
			t.Xchg(q.next(c), q.made)
		} else if !t.CAS(q.next(c), 0, q.made) {
			q.met["lost a race"] = true
		}
	}
	t.CAS(chunkedLast, c, t.Load(q.next(c)))
}

func (q *chunked) ready(t *Thread) bool {
	if q.index < q.last {
		return true
	}
	if q.index == q.size {
		next := t.Load(q.next(q.chunk))
		if next == 0 {
			return false
		}
		q.chunk, q.index, q.last = next, 0, 0
	}
	run := t.Load(q.run(q.chunk, q.index))
	q.last = q.index + run
	return run != 0
}

func (q *chunked) take(t *Thread) int {
	v := t.Load(q.value(q.chunk, q.index))
	t.Store(q.value(q.chunk, q.index), 0)
	q.index++
	return v
}

func (q *chunked) dequeue(t *Thread) (int, bool) {
	return t.Dequeue(func() (int, bool) {
		if !q.ready(t) {
			return 0, false
		}
		return q.take(t), true
	})
}

// dequeueStrict waits for the slot where the code looks again and again.
func (q *chunked) dequeueStrict(t *Thread) (int, bool) {
	return t.DequeueStrict(func() (int, bool) {
		for !q.ready(t) {
			if q.index == q.size || t.Load(q.claim(q.chunk)) <= q.index || q.fault == "does not wait for a bubble" {
				return 0, false
			}
			q.met["waited for a bubble"] = true
			t.Await(q.run(q.chunk, q.index), func(run int) bool { return run != 0 })
		}
		return q.take(t), true
	})
}
