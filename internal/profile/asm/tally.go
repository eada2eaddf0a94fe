package asm

import "github.com/tarebench/tare/record"

// spot is where samples were taken: in a file, in the kernel, or at an unknown address.
type spot struct {
	kind kind
	path string // of the file, or the kernel's name of the memory
	at   uint64 // see kind
}

type kind uint8

const (
	inFile       kind = iota // at is the offset in the file
	linked                   // at is an address for which the file was linked
	inKernel                 // at is the kernel's own address, path the symbol if it is known
	inVDSO                   // at is the distance from its beginning
	unknownPlace             // at is the address in the process
)

// tally counts samples by place and event.
type tally struct {
	events []record.AsmEvent
	counts map[spot][]int64
	main   map[string]int64 // samples by the executable of their process
}

func newTally(events []record.AsmEvent) *tally {
	return &tally{events: events, counts: map[spot][]int64{}, main: map[string]int64{}}
}

// add counts n samples of an event.
func (t *tally) add(s spot, event int, n int64) {
	c := t.counts[s]
	if c == nil {
		c = make([]int64, len(t.events))
		t.counts[s] = c
	}
	c[event] += n
	e := &t.events[event]
	e.Samples += n
	if s.kind == inKernel {
		e.Kernel += n
	}
}

// samples returns the number of samples of all events.
func (t *tally) samples() (n int64) {
	for _, e := range t.events {
		n += e.Samples
	}
	return n
}
