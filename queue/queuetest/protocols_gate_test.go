package queuetest

// gated is the gate of Blocking before a queue. Producers count themselves before they check
// whether it is closed, and a consumer of a closed queue waits until all producers have left.
// The queue is a count of elements here; other models check the queues.
type gated struct{ fault }

// Addresses of gated.
const gateShut, gateWithin, gateAdded, gateTaken = 0, 1, 2, 3

func (g gated) enqueue(t *Thread) {
	if g.fault == "looks before it counts" {
		if t.Load(gateShut) != 0 {
			return
		}
		t.Add(gateWithin, 1)
	} else {
		t.Add(gateWithin, 1)
		if t.Load(gateShut) != 0 {
			t.Add(gateWithin, -1)
			return
		}
	}
	if g.fault == "leaves before it adds" {
		t.Add(gateWithin, -1)
		t.Add(gateAdded, 1)
	} else {
		t.Add(gateAdded, 1)
		t.Add(gateWithin, -1)
	}
}

// drain takes elements until the queue is closed, and then finds no more.
func (g gated) drain(t *Thread) {
	t.Await(gateShut, func(v int) bool { return v != 0 })
	if g.fault != "does not wait for those within" {
		t.Await(gateWithin, func(n int) bool { return n == 0 })
	}
	n := t.Load(gateAdded)
	t.Xchg(gateTaken, n)
	for range 2 {
		t.Assert(t.Load(gateAdded) == n, "an element came after the consumer saw that the queue is closed")
	}
}

func exploreGate(f fault, met map[string]bool) Exploration {
	g := gated{f}
	return Exploration{Init: make([]int, 4), Threads: []func(*Thread){
		func(t *Thread) { g.enqueue(t); g.enqueue(t) },
		g.enqueue,
		func(t *Thread) { t.Xchg(gateShut, 1) },
		func(t *Thread) {
			g.drain(t)
			if t.Load(gateAdded) > 0 {
				met["took one of a closed queue"] = true
			}
		},
	}}
}
