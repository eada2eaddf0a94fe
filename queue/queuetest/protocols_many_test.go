package queuetest

// free is the queue for one producer and many consumers: the producer publishes its
// index, consumers claim by CAS within what they have seen of it, and say when a slot
// may be filled again.
type free struct {
	fault
	capacity int
	met      map[string]bool
	tail     int // producer
}

// Addresses of free, then for each slot: for which position it is free, and value.
const freePublished, freeLimit, freeHead, freeSlots = 0, 1, 2, 3

func newFree(f fault, capacity int, met map[string]bool) func() *free {
	return func() *free { return &free{fault: f, capacity: capacity, met: met} }
}

func (q *free) memory() []int {
	m := make([]int, freeSlots+2*q.capacity)
	for i := range q.capacity {
		m[q.slot(i)] = i
	}
	return m
}

func (q *free) slot(i int) int  { return freeSlots + 2*(i%q.capacity) }
func (q *free) value(i int) int { return q.slot(i) + 1 }

func (q *free) enqueue(t *Thread, v int) bool {
	return t.Enqueue(v, func() bool { return q.put(t, v) == 1 })
}

func (q *free) enqueueBatch(t *Thread, vs ...int) int {
	return t.EnqueueBatch(vs, func() int { return q.put(t, vs...) })
}

func (q *free) put(t *Thread, vs ...int) (n int) {
	for n < len(vs) && q.hasRoom(t) {
		t.Store(q.value(q.tail), vs[n])
		q.tail++
		n++
	}
	if n > 0 {
		t.Xchg(freePublished, q.tail)
	}
	return n
}

func (q *free) hasRoom(t *Thread) bool {
	if q.fault == "takes claimed slots for free" {
		return q.tail-t.Load(freeHead) < q.capacity
	}
	return t.Load(q.slot(q.tail)) == q.tail
}

func (q *free) claim(t *Thread, want int) (head, n int) {
	for {
		head = t.Load(freeHead)
		limit := t.Load(freeLimit)
		if head >= limit || limit-head < want {
			limit = t.Load(freePublished)
			if head >= limit {
				return head, 0
			}
			t.Xchg(freeLimit, limit)
		}
		if n = min(want, limit-head); q.fault == "claims a batch where there is one" {
			n = want
		}
		if n > 1 {
			q.met["claimed a batch"] = true
		}
		if t.CAS(freeHead, head, head+n) {
			return head, n
		}
		q.met["lost a race"] = true
		if q.fault == "takes a lost race for won" {
			return head, n
		}
	}
}

func (q *free) read(t *Thread, position int) int {
	if q.fault == "frees before it reads" {
		t.Xchg(q.slot(position), position+q.capacity)
	}
	v := t.Load(q.value(position))
	t.Store(q.value(position), 0)
	if q.fault != "frees before it reads" {
		t.Xchg(q.slot(position), position+q.capacity)
	}
	return v
}

func (q *free) dequeue(t *Thread) (int, bool) {
	return t.Dequeue(func() (int, bool) {
		head, n := q.claim(t, 1)
		if n == 0 {
			return 0, false
		}
		return q.read(t, head), true
	})
}

func (q *free) dequeueBatch(t *Thread, want int) []int {
	return t.DequeueBatch(want, func() (vs []int) {
		head, n := q.claim(t, want)
		for i := range n {
			vs = append(vs, q.read(t, head+i))
		}
		return vs
	})
}

// vyukov is the queue for many producers and many consumers by Dmitry Vyukov
// (1024cores.net): the turn of a slot says whose it is. A batch claims slots that it
// has all looked at.
type vyukov struct {
	fault
	capacity int
	met      map[string]bool
}

// Addresses of vyukov, then for each slot: turn and value.
const vyukovHead, vyukovTail, vyukovSlots = 0, 1, 2

func newVyukov(f fault, capacity int, met map[string]bool) func() vyukov {
	return func() vyukov { return vyukov{f, capacity, met} }
}

func (q vyukov) memory() []int {
	m := make([]int, vyukovSlots+2*q.capacity)
	for i := range q.capacity {
		m[q.turn(i)] = i
	}
	return m
}

func (q vyukov) turn(i int) int  { return vyukovSlots + 2*(i%q.capacity) }
func (q vyukov) value(i int) int { return q.turn(i) + 1 }

func (q vyukov) enqueue(t *Thread, v int) bool {
	return t.Enqueue(v, func() bool {
		tail, ok := q.claim(t, vyukovTail, 0)
		if ok {
			q.fill(t, tail, v)
		}
		return ok
	})
}

func (q vyukov) dequeue(t *Thread) (int, bool) {
	return t.Dequeue(func() (int, bool) {
		head, ok := q.claim(t, vyukovHead, 1)
		if !ok {
			return 0, false
		}
		return q.read(t, head), true
	})
}

// claim claims the next position of a side, if its slot has its turn.
func (q vyukov) claim(t *Thread, side, turn int) (at int, ok bool) {
	for {
		at = t.Load(side)
		s := t.Load(q.turn(at))
		switch {
		case s < at+turn:
			return at, false
		case s > at+turn:
			q.met["lost a race"] = true
			continue // others were faster
		}
		if t.CAS(side, at, at+1) || q.fault == "takes a lost race for won" {
			return at, true
		}
	}
}

func (q vyukov) fill(t *Thread, position, v int) {
	t.Store(q.value(position), v)
	t.Xchg(q.turn(position), position+1)
}

func (q vyukov) read(t *Thread, position int) int {
	v := t.Load(q.value(position))
	t.Store(q.value(position), 0)
	t.Xchg(q.turn(position), position+q.capacity)
	return v
}

func (q vyukov) enqueueBatch(t *Thread, vs ...int) int {
	return t.EnqueueBatch(vs, func() int {
		tail, n := q.claimAll(t, vyukovTail, 0, len(vs))
		for i, v := range vs[:n] {
			q.fill(t, tail+i, v)
		}
		return n
	})
}

func (q vyukov) dequeueBatch(t *Thread, want int) []int {
	return t.DequeueBatch(want, func() (vs []int) {
		head, n := q.claimAll(t, vyukovHead, 1, want)
		for i := range n {
			vs = append(vs, q.read(t, head+i))
		}
		return vs
	})
}

// claimAll is claimFree and claimFilled.
func (q vyukov) claimAll(t *Thread, side, turn, want int) (at, n int) {
	for {
		at = t.Load(side)
		if t.Load(q.turn(at)) < at+turn {
			return at, 0
		}
		for n = 0; n < want && t.Load(q.turn(at+n)) == at+n+turn; n++ {
			if q.fault == "looks at the first slot only" {
				n = want
				break
			}
		}
		if n > 1 {
			q.met["claimed a batch"] = true
		}
		if n > 0 && (t.CAS(side, at, at+n) || q.fault == "takes a lost race for won") {
			return at, n
		}
		q.met["lost a race"] = true
	}
}
