package queuetest

// protocol is a protocol of package queue in a small program.
type protocol struct {
	name string
	// explore returns the program. The protocol in it has a fault, and notes what
	// it has met.
	explore func(f fault, met map[string]bool) Exploration
	// meets are what some execution must have come to.
	meets []string
	// faults are those that the exploration must find under each memory, and a part
	// of what it says of them.
	faults map[Memory]map[fault]string
}

func protocols() []protocol {
	return []protocol{
		{
			name: "lamport", explore: exploreLamport(1, Never),
			faults: map[Memory]map[fault]string{
				SC: {
					"publishes before it writes":          "dequeue() 0",
					"does not look for room":              "no order",
					"clears a slot that it has passed on": "dequeue() 0",
				},
				// What is known too late was not there: this is what a release
				// store instead of an exchange would do to TryDequeue.
				TSO: {"publishes by a plain store": "dequeue() nothing"},
			},
		},
		{
			name: "lamport, lazy", explore: exploreLamport(2, Anytime),
			faults: map[Memory]map[fault]string{SC: {"is called strict": "enqueue(3) false"}},
		},
		{name: "lamport, plain stores and weak", explore: func(f fault, _ map[string]bool) Exploration {
			e := exploreLamport(1, Anytime)("publishes by a plain store", nil)
			e.SpuriousEmpty = Anytime
			return e
		}},
		{
			name: "chain, unbounded", explore: exploreChain(1, 0),
			meets: []string{"linked", "used a ring again"},
			faults: map[Memory]map[fault]string{SC: {
				"looks for a link too early":      "no order",
				"links before it ends":            "no order",
				"leaves a ring at once":           "no order",
				"leaves its link in a spare ring": "for ever|no order",
			}},
		},
		{name: "chain, unbounded and lazy", explore: exploreChain(2, 0), meets: []string{"linked", "used a ring again"}},
		{
			name: "chain, growing", explore: exploreGrowing(1, Never), meets: []string{"linked", "grew"},
			faults: map[Memory]map[fault]string{SC: {
				"forgets what older rings hold": "no order",
			}},
		},
		{name: "chain, growing and lazy", explore: exploreGrowing(2, Anytime), meets: []string{"linked", "grew"}},
		{
			name: "chain, buffered", explore: exploreBuffered(2, 2), meets: []string{"hungry", "full"},
			faults: map[Memory]map[fault]string{SC: {"publishes one late": "dequeue() nothing"}},
		},
		{name: "chain, buffered over rings", explore: exploreBuffered(3, 100), meets: []string{"hungry", "linked"}},
		{
			name: "runs", explore: exploreRuns(1, Never, false),
			meets: []string{"claimed a batch", "cut a batch short", "lost a race", "waited for a bubble"},
			faults: map[Memory]map[fault]string{SC: {
				"publishes before it writes":    "() 0",
				"publishes one of a batch":      "TryDequeueStrict() nothing|no order|all threads wait",
				"claims a batch where one fits": "no order",
				"takes a lost race for won":     "no order",
				"does not wait for a bubble":    "TryDequeueStrict() nothing",
				"is called strict":              "dequeue() nothing",
			}},
		},
		{name: "runs, lazy", explore: exploreRuns(2, Anytime, false), meets: []string{"claimed a batch"}},
		{
			name: "runs, taken in batches", explore: exploreRuns(1, Never, true), meets: []string{"cut a batch short"},
			faults: map[Memory]map[fault]string{SC: {"claims a batch where one fits": "no order"}},
		},
		{
			name: "listed", explore: exploreListed, meets: []string{"waited for a bubble"},
			faults: map[Memory]map[fault]string{SC: {
				"takes a bubble for the end": "dequeue() nothing",
				"links before it swaps":      "no order|all threads wait",
				"swaps in two steps":         "no order|all threads wait",
			}},
		},
		{
			name: "chunked", explore: exploreChunked, meets: []string{"linked", "lost a race", "waited for a bubble"},
			faults: map[Memory]map[fault]string{SC: {
				"links what is linked":       "no order",
				"claims in two steps":        "no order",
				"does not wait for a bubble": "TryDequeueStrict() nothing",
			}},
		},
		{
			name: "shared, in batches", explore: exploreShared, meets: []string{"cut a run short", "lost a race to take"},
			faults: map[Memory]map[fault]string{SC: {
				"takes a lost race for won":      "no order",
				"forgets where the run ends":     "no order|nothing",
				"takes slots that are not there": "no order|dequeue() 0",
			}},
		},
		{
			name: "shared, at the end of a chunk", explore: exploreSharedEnd(1, 2), meets: []string{"went to the next chunk", "lost a race to take"},
			faults: map[Memory]map[fault]string{SC: {"takes a lost race for won": "no order"}},
		},
		{
			name: "shared, over chunks", explore: exploreSharedEnd(2, 1), meets: []string{"linked", "lost a race", "went to the next chunk"},
			faults: map[Memory]map[fault]string{SC: {
				"leaves a bubble behind": "nothing|no order",
				"is called strict":       "dequeue() nothing",
			}},
		},
		{
			name: "shared, strict", explore: exploreSharedStrict, meets: []string{"waited for a bubble"},
			faults: map[Memory]map[fault]string{SC: {"does not wait for a bubble": "TryDequeueStrict() nothing"}},
		},
		{
			name: "free", explore: exploreFree, meets: []string{"claimed a batch", "lost a race"},
			faults: map[Memory]map[fault]string{SC: {
				"takes claimed slots for free":      "no order",
				"claims a batch where there is one": "no order",
				"takes a lost race for won":         "no order",
				"frees before it reads":             "no order",
				"is called strict":                  "enqueue(3) false",
			}},
		},
		{
			name: "vyukov", explore: exploreVyukov, meets: []string{"lost a race"},
			faults: map[Memory]map[fault]string{SC: {
				"takes a lost race for won": "no order",
				"is called strict":          "dequeue() nothing",
			}},
		},
		{
			name: "gate", explore: exploreGate, meets: []string{"took one of a closed queue"},
			faults: map[Memory]map[fault]string{SC: {
				"looks before it counts":         "an element came after the consumer saw that the queue is closed",
				"leaves before it adds":          "an element came after the consumer saw that the queue is closed",
				"does not wait for those within": "an element came after the consumer saw that the queue is closed",
			}},
		},
		{
			name: "vyukov, batches", explore: exploreVyukovBatches, meets: []string{"claimed a batch", "lost a race"},
			faults: map[Memory]map[fault]string{SC: {
				"looks at the first slot only": "no order",
				"takes a lost race for won":    "no order",
			}},
		},
	}
}

// weakened gives an exploration the falsehoods of its protocol, unless the fault is
// to claim that there are none.
func weakened(e Exploration, f fault, full, empty SpuriousFailure) Exploration {
	if f != "is called strict" {
		e.SpuriousFull, e.SpuriousEmpty = full, empty
	}
	return e
}

func exploreLamport(lazy int, full SpuriousFailure) func(fault, map[string]bool) Exploration {
	return func(f fault, _ map[string]bool) Exploration {
		q := func() *lamport { return &lamport{fault: f, capacity: 2, lazy: lazy} }
		return weakened(Exploration{Capacity: 2, Init: q().memory(), Threads: []func(*Thread){
			func(t *Thread) {
				q := q()
				for v := 1; v <= 3; v++ {
					q.enqueue(t, v)
				}
			},
			func(t *Thread) {
				q := q()
				for range 3 {
					q.dequeue(t)
				}
			},
		}}, f, full, Never)
	}
}

// exploreChain has rings of 2 and enough elements for the first to be used again.
func exploreChain(lazy, every int) func(fault, map[string]bool) Exploration {
	return func(f fault, met map[string]bool) Exploration {
		q := newChain(f, 2, 2, 100, lazy, every, met)
		return Exploration{Init: q().memory(), Threads: []func(*Thread){
			func(t *Thread) {
				q := q()
				q.enqueueBatch(t, 1, 2, 3)
				q.enqueueBatch(t, 4, 5)
				q.enqueue(t, 6)
			},
			func(t *Thread) {
				q := q()
				q.dequeueBatch(t, 3)
				q.dequeueBatch(t, 2)
				q.dequeue(t)
			},
		}}
	}
}

// exploreGrowing has a ring of 2 that is followed by one of 4.
func exploreGrowing(lazy int, full SpuriousFailure) func(fault, map[string]bool) Exploration {
	return func(f fault, met map[string]bool) Exploration {
		q := newChain(f, 2, 4, 4, lazy, 0, met)
		return weakened(Exploration{Capacity: 4, Init: q().memory(), Threads: []func(*Thread){
			func(t *Thread) {
				q := q()
				q.enqueueBatch(t, 1, 2, 3)
				q.enqueue(t, 4)
				q.enqueueBatch(t, 5, 6)
			},
			func(t *Thread) {
				q := q()
				q.dequeue(t)
				q.dequeueBatch(t, 3)
				q.dequeue(t)
			},
		}}, f, full, Never)
	}
}

func exploreBuffered(every, bound int) func(fault, map[string]bool) Exploration {
	return func(f fault, met map[string]bool) Exploration {
		q := newChain(f, 2, 2, bound, 1, every, met)
		e := Exploration{Capacity: bound, Unflushed: every - 1, Init: q().memory()}
		e.Threads = []func(*Thread){
			func(t *Thread) {
				q := q()
				for v := 1; v <= 3; v++ {
					q.enqueue(t, v)
				}
				q.flush(t)
				q.enqueue(t, 4)
			},
			func(t *Thread) {
				q := q()
				for range 4 {
					q.dequeue(t)
				}
			},
		}
		return e
	}
}

// exploreRuns has a batch of two and a single element come together in a queue for
// two, and a consumer that takes one by one, the second strictly, or a batch.
func exploreRuns(lazy int, full SpuriousFailure, batches bool) func(fault, map[string]bool) Exploration {
	return func(f fault, met map[string]bool) Exploration {
		q := newRuns(f, 2, lazy, met)
		return weakened(Exploration{Capacity: 2, Init: q().memory(), Threads: []func(*Thread){
			func(t *Thread) {
				q := q()
				if batches {
					q.dequeueBatch(t, 2)
				}
				q.dequeue(t)
				if !batches {
					q.dequeueStrict(t)
				}
			},
			func(t *Thread) {
				q := q()
				q.enqueueBatch(t, 1, 2)
			},
			func(t *Thread) {
				q := q()
				q.enqueue(t, 3)
			},
		}}, f, full, WhileBusy)
	}
}

func exploreListed(f fault, met map[string]bool) Exploration {
	q := newListed(f, met)
	return Exploration{Init: q(0).memory(), Threads: []func(*Thread){
		func(t *Thread) {
			q := q(0)
			q.dequeue(t)
			q.dequeueBatch(t, 2)
		},
		func(t *Thread) {
			q := q(1)
			q.enqueueBatch(t, 1, 2)
		},
		func(t *Thread) {
			q := q(5)
			q.enqueue(t, 3)
		},
	}}
}

// exploreChunked begins at the end of a chunk, which has one slot as all others, so
// that two producers meet where the next one is linked.
func exploreChunked(f fault, met map[string]bool) Exploration {
	q := newChunked(f, 1, met)
	e := weakened(Exploration{Init: q(0).memory(), Threads: []func(*Thread){
		func(t *Thread) {
			q := q(0)
			q.index = q.size
			q.dequeueStrict(t)
			q.dequeue(t)
		},
		func(t *Thread) {
			q := q(1)
			q.enqueue(t, 1)
		},
		func(t *Thread) {
			q := q(4)
			q.enqueue(t, 2)
		},
	}}, f, Never, WhileBusy)
	e.Init[q(0).claim(1)] = 1
	return e
}

// exploreShared has a producer that adds a batch of two, and two consumers, of whom one
// takes a batch, too.
func exploreShared(f fault, met map[string]bool) Exploration {
	q := newShared(f, 3, met)
	return weakened(Exploration{Init: q(0).memory(), Threads: []func(*Thread){
		func(t *Thread) { q(1).enqueueBatch(t, 1, 2) },
		func(t *Thread) { q(0).dequeueBatch(t, 2) },
		func(t *Thread) { q(0).dequeue(t) },
	}}, f, Never, WhileBusy)
}

// exploreSharedEnd begins at the end of a chunk, which has one slot as all others. One
// producer and two consumers, or two producers and one consumer that dequeues twice, meet
// where the next one is linked.
func exploreSharedEnd(producers, consumers int) func(fault, map[string]bool) Exploration {
	return func(f fault, met map[string]bool) Exploration {
		q := newShared(f, 1, met)
		e := weakened(Exploration{Init: q(0).memory()}, f, Never, WhileBusy)
		q(0).startAt(e.Init, 1)
		for i := range producers {
			e.Threads = append(e.Threads, func(t *Thread) { q(1+3*i).enqueue(t, 1+i) })
		}
		for range consumers {
			e.Threads = append(e.Threads, func(t *Thread) {
				q := q(0)
				for range producers {
					q.dequeue(t)
				}
			})
		}
		return e
	}
}

// exploreSharedStrict has a strict consumer beside one that is weak.
func exploreSharedStrict(f fault, met map[string]bool) Exploration {
	q := newShared(f, 2, met)
	return Exploration{Init: q(0).memory(), SpuriousEmpty: WhileBusy, Threads: []func(*Thread){
		func(t *Thread) { q(1).enqueue(t, 1) },
		func(t *Thread) {
			q := q(4)
			q.enqueue(t, 2)
			q.dequeue(t)
		},
		func(t *Thread) { q(0).dequeueStrict(t) },
	}}
}

func exploreFree(f fault, met map[string]bool) Exploration {
	q := newFree(f, 2, met)
	return weakened(Exploration{Capacity: 2, Init: q().memory(), Threads: []func(*Thread){
		func(t *Thread) {
			q := q()
			q.enqueueBatch(t, 1, 2)
			q.enqueue(t, 3)
		},
		func(t *Thread) {
			q := q()
			q.dequeue(t)
		},
		func(t *Thread) {
			q := q()
			q.dequeueBatch(t, 2)
		},
	}}, f, WhileBusy, Never)
}

// exploreVyukov has threads that enqueue one element each and then dequeue one; the
// last two of three do only one of both: all executions of the rest are too many.
func exploreVyukov(f fault, met map[string]bool) Exploration {
	q := newVyukov(f, 2, met)()
	return weakened(Exploration{Capacity: 2, Init: q.memory(), Threads: []func(*Thread){
		func(t *Thread) {
			q.enqueue(t, 1)
			q.dequeue(t)
		},
		func(t *Thread) { q.enqueue(t, 2) },
		func(t *Thread) { q.dequeue(t) },
	}}, f, WhileBusy, WhileBusy)
}

func exploreVyukovBatches(f fault, met map[string]bool) Exploration {
	q := newVyukov(f, 2, met)()
	return weakened(Exploration{Capacity: 2, Init: q.memory(), Threads: []func(*Thread){
		func(t *Thread) {
			q.enqueueBatch(t, 1, 2)
			q.dequeue(t)
		},
		func(t *Thread) {
			q.enqueue(t, 3)
			q.dequeueBatch(t, 2)
		},
	}}, f, WhileBusy, WhileBusy)
}
