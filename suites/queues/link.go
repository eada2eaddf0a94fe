package queues

import (
	"fmt"
	"sync/atomic"

	"github.com/tarebench/tare/bench"
	"github.com/tarebench/tare/internal/base/cacheline"
)

// chunk is how many elements stand for one Next: the loop of bench, some 1 ns, is
// then nothing beside them.
const chunk = 64

// A Setup is who uses a queue, and how.
type Setup struct {
	Producers, Consumers int
	Capacity             int
	Elem                 Elem
	Wait                 Wait
	Batch                int // elements that are handed over at a time; 1: one by one
}

// A Link is a queue with the loops of its two sides, for one window.
type Link struct {
	setup      Setup
	prime      func() // touches all of its memory, and leaves it empty; nil: it cannot
	give, take func(w *bench.Worker, t *tally)
	rest       func(t *tally) // takes what has remained; nil: nothing can
	ring       func() Ring    // nil: is not measured
	tallies    []tally        // of the producers, then the consumers

	// giveBurst waits until takeBurst has reported that it has all of the burst.
	giveBurst, takeBurst func(w *bench.Worker, done *counter, size int) // nil: is not measured
}

// A tally is what one worker has handed over in one window.
type tally struct {
	items, sum int64
	_          cacheline.Line
}

// Prime makes the link ready for its window.
func (l *Link) Prime() {
	if l.prime != nil {
		l.prime()
	}
	l.tallies = make([]tally, l.setup.Producers+l.setup.Consumers)
}

// Give is the body of a producer, and index its number among those of the link.
func (l *Link) Give(w *bench.Worker, index int) { l.give(w, &l.tallies[index]) }

// Take is the body of a consumer.
func (l *Link) Take(w *bench.Worker, index int) { l.take(w, &l.tallies[l.setup.Producers+index]) }

// Check takes what the window has left in the queue and reports whether anything
// was lost or came twice.
func (l *Link) Check() error {
	var in, out tally
	for i, t := range l.tallies {
		if i < l.setup.Producers {
			in.items += t.items
			in.sum += l.setup.Elem.sumOf(t.items)
			continue
		}
		out.items += t.items
		out.sum += t.sum
	}
	if l.rest != nil {
		l.rest(&out)
	}
	if in.items != out.items || in.sum != out.sum {
		return fmt.Errorf("%d elements with the sum %d went in, %d with the sum %d came out", in.items, in.sum, out.items, out.sum)
	}
	return nil
}

// A parting tells the last of several producers that it is the last to leave.
type parting struct{ left atomic.Int64 }

func newParting(s Setup) *parting {
	p := new(parting)
	p.left.Store(int64(s.Producers))
	return p
}

func (p *parting) last() bool { return p.left.Add(-1) == 0 }
