package queuetest

// runs is the queue for many producers and one consumer: a claim by CAS within a
// limit that producers share, then the values, then where their run ends.
type runs struct {
	fault
	capacity, lazy         int
	met                    map[string]bool
	head, limit, published int // consumer
}

// Addresses of runs, then for each slot: end and value.
const runsTail, runsRoom, runsTaken, runsSlots = 0, 1, 2, 3

func newRuns(f fault, capacity, lazy int, met map[string]bool) func() *runs {
	return func() *runs { return &runs{fault: f, capacity: capacity, lazy: lazy, met: met} }
}

func (q *runs) memory() []int {
	m := make([]int, runsSlots+2*q.capacity)
	m[runsRoom] = q.capacity
	return m
}

func (q *runs) end(i int) int   { return runsSlots + 2*(i%q.capacity) }
func (q *runs) value(i int) int { return q.end(i) + 1 }

func (q *runs) enqueue(t *Thread, v int) bool {
	return t.Enqueue(v, func() bool { return q.add(t, v) == 1 })
}

func (q *runs) enqueueBatch(t *Thread, vs ...int) int {
	return t.EnqueueBatch(vs, func() int { return q.add(t, vs...) })
}

func (q *runs) add(t *Thread, vs ...int) int {
	tail, n := q.claim(t, len(vs))
	if n == 0 {
		return 0
	}
	if q.fault == "publishes before it writes" {
		t.Xchg(q.end(tail), tail+n)
	}
	for i, v := range vs[:n] {
		t.Store(q.value(tail+i), v)
	}
	if q.fault == "publishes one of a batch" {
		t.Xchg(q.end(tail), tail+1)
	} else if q.fault != "publishes before it writes" {
		t.Xchg(q.end(tail), tail+n)
	}
	return n
}

func (q *runs) claim(t *Thread, want int) (tail, n int) {
	for {
		tail = t.Load(runsTail)
		room := t.Load(runsRoom)
		if tail >= room || room-tail < want {
			room = t.Load(runsTaken) + q.capacity
			if tail >= room {
				return tail, 0
			}
			t.Xchg(runsRoom, room)
		}
		if n = min(want, room-tail); q.fault == "claims a batch where one fits" {
			n = want
		}
		if n > 1 {
			q.met["claimed a batch"] = true
		}
		if n < want {
			q.met["cut a batch short"] = true
		}
		if t.CAS(runsTail, tail, tail+n) {
			return tail, n
		}
		q.met["lost a race"] = true
		if q.fault == "takes a lost race for won" {
			return tail, n
		}
	}
}

func (q *runs) ready(t *Thread) bool {
	if q.head != q.limit {
		return true
	}
	end := t.Load(q.end(q.head))
	if q.head >= end {
		q.settle(t)
		return false
	}
	q.limit = end
	return true
}

func (q *runs) take(t *Thread) int {
	v := t.Load(q.value(q.head))
	t.Store(q.value(q.head), 0)
	q.head++
	return v
}

func (q *runs) dequeue(t *Thread) (int, bool) {
	return t.Dequeue(func() (int, bool) { return q.takeIf(t, q.ready(t)) })
}

func (q *runs) takeIf(t *Thread, ready bool) (v int, ok bool) {
	if !ready {
		return 0, false
	}
	v = q.take(t)
	if q.head-q.published >= q.lazy {
		q.settle(t)
	}
	return v, true
}

// dequeueStrict waits for the slot where the code looks again and again.
func (q *runs) dequeueStrict(t *Thread) (int, bool) {
	return t.DequeueStrict(func() (int, bool) {
		for !q.ready(t) {
			if t.Load(runsTail) == q.head || q.fault == "does not wait for a bubble" {
				return 0, false
			}
			q.met["waited for a bubble"] = true
			t.Await(q.end(q.head), func(end int) bool { return end > q.head })
		}
		return q.takeIf(t, true)
	})
}

func (q *runs) dequeueBatch(t *Thread, n int) []int {
	return t.DequeueBatch(n, func() (vs []int) {
		for len(vs) < n && q.ready(t) {
			vs = append(vs, q.take(t))
		}
		q.settle(t)
		return vs
	})
}

func (q *runs) settle(t *Thread) {
	if q.published != q.head {
		q.published = q.head
		t.Xchg(runsTaken, q.head)
	}
}
