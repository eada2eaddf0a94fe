package queuetest

import "testing"

// TestHunger explores what a BufferedProducer owes to a consumer that has found
// nothing, and what no history shows: that the producer's next call makes everything
// visible, and that who finds the queue full is not the reason for it.
func TestHunger(t *testing.T) {
	const hungry, full = "after a look in vain the next element comes at once", "a full queue has something to take"
	for _, p := range []struct {
		name     string
		programs func(fault, map[string]bool) Exploration
		fault    fault
		says     string
	}{
		{"hungry", hungerProgram(hungry), "does not look who is hungry", hungry},
		{"full", fullProgram(full), "does not publish when full", full},
	} {
		for _, m := range []Memory{SC, TSO} {
			for _, f := range []fault{right, p.fault} {
				says := p.says
				if f == right {
					says = ""
				}
				t.Run(p.name+"/"+map[Memory]string{SC: "SC", TSO: "TSO"}[m]+"/"+string(f), func(t *testing.T) {
					met := map[string]bool{}
					e := p.programs(f, met)
					e.Memory = m
					states, err := e.Run()
					t.Logf("%d states", states)
					wantFault(t, err, says)
					if f == right && !met[p.name] {
						t.Errorf("no execution was %s", p.name)
					}
				})
			}
		}
	}
}

// hungerProgram has the consumer look once, say that it did, and look again when the
// producer has added another element.
func hungerProgram(claim string) func(fault, map[string]bool) Exploration {
	return func(f fault, met map[string]bool) Exploration {
		q := newChain(f, 4, 4, 4, 1, 10, met)
		looked := len(q().memory())
		added := looked + 1
		return Exploration{Capacity: 4, Unflushed: 9, Init: append(q().memory(), 0, 0), Threads: []func(*Thread){
			func(t *Thread) {
				q := q()
				q.enqueue(t, 1)
				t.Await(looked, func(v int) bool { return v == 1 })
				q.enqueue(t, 2)
				t.Xchg(added, 1)
			},
			func(t *Thread) {
				q := q()
				_, before := q.dequeue(t)
				t.Xchg(looked, 1)
				t.Await(added, func(v int) bool { return v == 1 })
				_, ok := q.dequeue(t)
				t.Assert(before || ok, claim)
			},
		}}
	}
}

// fullProgram has the producer fill the queue and say so.
func fullProgram(claim string) func(fault, map[string]bool) Exploration {
	return func(f fault, met map[string]bool) Exploration {
		q := newChain(f, 2, 2, 2, 1, 10, met)
		full := len(q().memory())
		return Exploration{Capacity: 2, Unflushed: 9, Init: append(q().memory(), 0), Threads: []func(*Thread){
			func(t *Thread) {
				q := q()
				q.enqueue(t, 1)
				q.enqueue(t, 2)
				if q.enqueue(t, 3) {
					t.Xchg(full, 2)
				} else {
					t.Xchg(full, 1)
				}
			},
			func(t *Thread) {
				q := q()
				_, before := q.dequeue(t)
				wasFull := t.Await(full, func(v int) bool { return v != 0 }) == 1
				_, ok := q.dequeue(t)
				t.Assert(!wasFull || before || ok, claim)
			},
		}}
	}
}
