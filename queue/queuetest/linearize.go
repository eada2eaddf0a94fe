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
// goes on trying. Both together keep it from passing without having looked, and
// from failing on a machine that is merely busy: there it takes longer.
const (
	needHistories = 100
	patience      = 90 * time.Second
)

// evidence is what a check of histories has seen.
type evidence struct {
	histories int
	meetings  int // histories in which operations of different clients overlapped
	overlaps  int // pairs of such operations
}

// enough asks for 8 meetings and 80 overlaps at least, and for more from a check that
// was given time: 100 and 1000 for each second, up to 2 s. Beyond, how much there is
// depends on what else the machine has to do.
func (e evidence) enough(budget time.Duration) bool {
	meetings := max(8, int(100*min(2, budget.Seconds())))
	return e.histories >= needHistories && e.meetings >= meetings && e.overlaps >= 10*meetings
}

// inOneGo is how many histories are played in one go. Clients that are more than
// the processors wait long for each other.
func inOneGo(clients int) int {
	if clients == 2 {
		return 48
	}
	return 4
}

// linearizability plays histories on queues of one capacity and has porcupine
// look for an order of the operations that explains each.
func linearizability(c Config, capacity int) error { return histories(c, capacity, false) }

// histories is linearizability, and with closes also that of Close.
func histories(c Config, capacity int, closes bool) error {
	sets := casts(c)
	if c.Processors == 0 {
		// Every client has a thread of its own, so that the system, too, stops it
		// wherever it is: also one processor shows overlaps then.
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(max(runtime.GOMAXPROCS(0), len(sets[len(sets)-1]))))
	}
	var seen evidence
	start := time.Now()
	for turn := 0; ; turn++ {
		cast := sets[turn%len(sets)]
		var batch []*history
		for i := range inOneGo(len(cast)) {
			h := newHistory(c, capacity, cast, uint64(seen.histories+i))
			if closes {
				h.willClose()
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
				continue // shows nothing, and is no evidence
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
		case !enough && spent > patience+c.Budget:
			return seen.tooLittle(spent)
		}
	}
}

// tooLittle is the result of a check that saw too few operations overlap.
func (e evidence) tooLittle(spent time.Duration) error {
	err := fmt.Errorf("only %d pairs of operations overlapped, in %d of %d histories within %v (%d processors, GOMAXPROCS %d): nothing was shown; run it on a machine with two free cores",
		e.overlaps, e.meetings, e.histories, spent.Round(time.Second), runtime.NumCPU(), runtime.GOMAXPROCS(0))
	if runtime.NumCPU() == 1 {
		return skipped(err.Error())
	}
	return err
}

// turnRound moves the indices of an empty queue, so that histories begin at any
// slot.
func turnRound(q Queue[int64], n int) {
	m := find(q)
	for range n {
		m.enqueue(1)
		m.publish()
		m.dequeue()
	}
	for _, ok := m.dequeue(); ok; _, ok = m.dequeue() {
	}
}

// explains says whether the operations of one client after the other make sense
// in the order in which they took place, which nothing can be said against if
// none overlap. It is much faster than a search.
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

// errUndecided is for a history whose possible orders are too many to be tried.
var errUndecided = errors.New("undecided")

// longSearch is when the search for an order is given up. Most take microseconds;
// with several producers and nothing dequeued meanwhile they grow without bound.
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

// table tells a history line by line, in the order of the calls. A mark says
// which operations may fail without reason.
func table(events []event) string {
	events = slices.Clone(events)
	slices.SortStableFunc(events, func(a, b event) int { return cmp.Compare(a.call, b.call) })
	var b strings.Builder
	for _, e := range events {
		fmt.Fprintf(&b, "  %4d to %4d  %*s%s", e.call, e.back, 32*e.client, "", e.op)
		if e.op.excused && (len(e.op.ids) == 0 || e.op.kind == enqueue && e.op.n == 0) {
			b.WriteString(" (excused)")
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// draw writes porcupine's picture of a failed search to a file and says where.
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
