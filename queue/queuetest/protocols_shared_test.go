package queuetest

// shared is the queue of chunks for many producers and many consumers. Its producers
// are those of chunked. The consumers of a chunk share one word: the index that they
// take next, and the limit before which slots are known to be filled.
type shared struct {
	*chunked
	fault
	met map[string]bool
}

// Addresses of shared: those of chunked, then the chunk of the consumers and the word of
// each chunk.
func (q *shared) head() int           { return chunkedChunks + (1+mostChunks)*(2+2*q.size) }
func (q *shared) taken(chunk int) int { return q.head() + chunk }

// word puts an index and a limit into one word.
func word(index, limit int) int { return index<<8 | limit }

func newShared(f fault, size int, met map[string]bool) func(made int) *shared {
	producer := newChunked(right, size, met)
	return func(made int) *shared { return &shared{chunked: producer(made), fault: f, met: met} }
}

func (q *shared) memory() []int {
	m := append(q.chunked.memory(), make([]int, 1+mostChunks)...)
	m[q.head()] = 1
	return m
}

// startAt lets n slots of the first chunk be filled and taken already.
func (q *shared) startAt(m []int, n int) {
	m[q.claim(1)] = n
	m[q.taken(1)] = word(n, n)
	for i := range n {
		m[q.run(1, i)] = 1
	}
}

func (q *shared) enqueueBatch(t *Thread, vs ...int) int {
	return t.EnqueueBatch(vs, func() int {
		c := t.Load(chunkedLast)
		i := t.Add(q.claim(c), len(vs)) - len(vs)
		for k, v := range vs { // the chunk has room for all
			t.Store(q.value(c, i+k), v)
		}
		t.Xchg(q.run(c, i), len(vs))
		return len(vs)
	})
}

// claimFilled is UnboundedMPMC.claim.
func (q *shared) claimFilled(t *Thread, want int) (c, index, n int) {
	for {
		c = t.Load(q.head())
		w := t.Load(q.taken(c))
		index, limit := w>>8, w&0xff
		if index == q.size {
			if !q.goToNext(t, c) {
				return c, 0, 0
			}
			continue
		}
		most := min(want, q.size-index)
		for limit < index+most {
			run := t.Load(q.run(c, limit))
			if run == 0 {
				break
			}
			limit += run
		}
		if q.fault == "takes slots that are not there" {
			limit = max(limit, index+most)
		}
		if limit == index {
			if q.fault == "leaves a bubble behind" && q.goToNext(t, c) {
				continue
			}
			return c, 0, 0
		}
		n = min(most, limit-index)
		if q.claimRun(t, c, w, index+n, limit) {
			return c, index, n
		}
		q.met["lost a race to take"] = true
	}
}

// goToNext makes consumers continue in the next chunk, if there is one.
func (q *shared) goToNext(t *Thread, c int) bool {
	next := t.Load(q.next(c))
	if next != 0 {
		q.met["went to the next chunk"] = true
		t.CAS(q.head(), c, next)
	}
	return next != 0
}

// claimRun moves the consumers' index of a chunk.
func (q *shared) claimRun(t *Thread, c, old, index, limit int) bool {
	if index < limit {
		q.met["cut a run short"] = true
	}
	if q.fault == "forgets where the run ends" {
		limit = index
	}
	return t.CAS(q.taken(c), old, word(index, limit)) || q.fault == "takes a lost race for won"
}

func (q *shared) read(t *Thread, c, index int) int {
	v := t.Load(q.value(c, index))
	t.Store(q.value(c, index), 0)
	return v
}

func (q *shared) tryTake(t *Thread) (int, bool) {
	c, index, n := q.claimFilled(t, 1)
	if n == 0 {
		return 0, false
	}
	return q.read(t, c, index), true
}

func (q *shared) dequeue(t *Thread) (int, bool) {
	return t.Dequeue(func() (int, bool) { return q.tryTake(t) })
}

func (q *shared) dequeueBatch(t *Thread, want int) []int {
	return t.DequeueBatch(want, func() (vs []int) {
		c, index, n := q.claimFilled(t, want)
		for i := range n {
			vs = append(vs, q.read(t, c, index+i))
		}
		return vs
	})
}

// dequeueStrict waits for the slot where the code looks again and again. It is for a
// single chunk.
func (q *shared) dequeueStrict(t *Thread) (int, bool) {
	return t.DequeueStrict(func() (int, bool) {
		for {
			if v, ok := q.tryTake(t); ok || q.fault == "does not wait for a bubble" {
				return v, ok
			}
			index := t.Load(q.taken(t.Load(q.head()))) >> 8
			if index == min(t.Load(q.claim(t.Load(chunkedLast))), q.size) {
				return 0, false
			}
			q.met["waited for a bubble"] = true
			t.Await(q.run(1, index), func(run int) bool { return run != 0 })
		}
	})
}
