package queuetest

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/anishathalye/porcupine"
)

// How much must overlap before a check of histories may pass, and how long it
// goes on trying. Both together keep it from passing without a check, and
// from failing on a machine that is merely busy: there it takes longer.
const (
	// A check of histories passes only after this many histories, and fails after
	// this time without enough overlaps. So it cannot pass without evidence, and on a
	// busy machine it takes longer instead of failing.
	needHistories  = 100
	overlapTimeout = 90 * time.Second
)

// evidence counts what a check of histories has observed.
type evidence struct {
	histories int
	meetings  int // histories in which operations of different clients overlapped
	overlaps  int // pairs of such operations
}

// enough requires at least 8 histories with overlaps and 80 overlaps, or 100 and 1000
// for each second of the budget, up to 2 s. Beyond 2 s the number of overlaps depends
// on the load of the machine.
func (e evidence) enough(budget time.Duration) bool {
	meetings := max(8, int(100*min(2, budget.Seconds())))
	return e.histories >= needHistories && e.meetings >= meetings && e.overlaps >= 10*meetings
}

// historiesPerBatch returns how many histories are played without a pause. Fewer are
// played with many clients: if there are more clients than processors, they wait long
// for each other.
func historiesPerBatch(clients int) int {
	if clients == 2 {
		return 48
	}
	return 4
}

// linearizability plays histories on queues of one capacity and has porcupine search
// for an order of the operations that explains each.
func linearizability(c Config, capacity int) error { return histories(c, capacity, false) }

// histories checks linearizability; with closes, a client closes the queue.
func histories(c Config, capacity int, closes bool) error {
	sets := clientSets(c)
	if c.Processors == 0 {
		// Every client has its own thread, which the system can preempt anywhere, so
		// that operations overlap on one processor, too.
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(max(runtime.GOMAXPROCS(0), len(sets[len(sets)-1]))))
	}
	var seen evidence
	start := time.Now()
	for turn := 0; ; turn++ {
		roles := sets[turn%len(sets)]
		var batch []*history
		for i := range historiesPerBatch(len(roles)) {
			h := newHistory(c, capacity, roles, uint64(seen.histories+i))
			if closes {
				h.addClose()
			}
			batch = append(batch, h)
		}
		playAll(batch)
		for i, h := range batch {
			number := seen.histories + i
			if closes {
				h.takeRest()
			}
			events := h.events(c)
			pairs := overlapping(events)
			if pairs == 0 && h.spec.explains(events) {
				continue
			}
			switch err := check(c, h.spec, events, number); {
			case errors.Is(err, errUndecided):
				continue // not counted as evidence
			case err != nil:
				return err
			case pairs > 0:
				seen.overlaps += pairs
				seen.meetings++
			}
		}
		seen.histories += len(batch)
		enough := seen.enough(c.Budget)
		switch spent := time.Since(start); {
		case enough && spent >= c.Budget:
			return nil
		case !enough && spent > overlapTimeout+c.Budget:
			return seen.insufficient(spent)
		}
	}
}

// insufficient returns the error of a check that observed too few overlaps.
func (e evidence) insufficient(spent time.Duration) error {
	err := fmt.Errorf("only %d pairs of operations overlapped, in %d of %d histories within %v (%d processors, GOMAXPROCS %d): too few for a result; run it on a machine with two free cores",
		e.overlaps, e.meetings, e.histories, spent.Round(time.Second), runtime.NumCPU(), runtime.GOMAXPROCS(0))
	if runtime.NumCPU() == 1 {
		return skipped(err.Error())
	}
	return err
}

// advanceIndices moves the indices of an empty queue by n, so that histories begin at
// any slot.
func advanceIndices(q Queue[int64], n int) {
	m := find(q)
	for range n {
		m.enqueue(1)
		m.publish()
		m.dequeue()
	}
	for _, ok := m.dequeue(); ok; _, ok = m.dequeue() {
	}
}

// explains reports whether the order in which the operations of one client took place
// explains their results. It decides histories without overlaps, and is much faster
// than a search.
func (f fifo) explains(events []event) bool {
	slices.SortStableFunc(events, func(a, b event) int { return cmp.Compare(a.call, b.call) })
	state, ok := f.init(), true
	for _, e := range events {
		if ok, state = f.step(state, e.op); !ok {
			return false
		}
	}
	return true
}

// errUndecided means that a history has too many possible orders to try.
var errUndecided = errors.New("undecided")

// longSearch is when the search for an order is abandoned. Most searches take
// microseconds; with several producers and no dequeues they grow without bound.
const longSearch = 5 * time.Second

// check returns an error that shows the history if it is not linearizable.
func check(c Config, spec fifo, events []event, number int) error {
	ops := make([]porcupine.Operation, len(events))
	for i, e := range events {
		ops[i] = porcupine.Operation{ClientId: e.client, Input: e.op, Call: e.call, Output: e.op, Return: e.back}
	}
	model := spec.porcupine()
	switch porcupine.CheckOperationsTimeout(model, ops, longSearch) {
	case porcupine.Ok:
		return nil
	case porcupine.Unknown:
		return errUndecided
	}
	_, info := porcupine.CheckOperationsVerbose(model, ops, 10*time.Second)
	return fmt.Errorf("history %d of seed %d at capacity %s cannot be explained by any order of its operations:\n%s%s",
		number, c.Seed, capacityText(spec.capacity), table(events), draw(c.Dir, model, info))
}

func capacityText(n int) string {
	if n == unbounded {
		return "unbounded"
	}
	return fmt.Sprint(n)
}

// table lists a history, one operation a line, in the order of the calls. A mark
// shows which operations may fail spuriously.
func table(events []event) string {
	events = slices.Clone(events)
	slices.SortStableFunc(events, func(a, b event) int { return cmp.Compare(a.call, b.call) })
	var b strings.Builder
	for _, e := range events {
		fmt.Fprintf(&b, "  %4d to %4d  %*s%s", e.call, e.back, 32*e.client, "", e.op)
		if e.op.maySpuriouslyFail && (len(e.op.ids) == 0 || e.op.kind == enqueue && e.op.n == 0) {
			b.WriteString(" (may fail spuriously)")
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// draw writes porcupine's picture of a failed search to a file and returns a note
// with its name.
func draw(dir string, model porcupine.Model, info porcupine.LinearizationInfo) string {
	f, err := os.CreateTemp(dir, "queuetest-*.html")
	if err == nil {
		err = porcupine.Visualize(model, info, f)
		if e := f.Close(); err == nil {
			err = e
		}
	}
	if err != nil {
		return "no picture: " + err.Error()
	}
	return "picture: " + f.Name()
}
