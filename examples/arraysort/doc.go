// Package arraysort measures how long it takes to sort n random ints, for several
// n, by what the standard library offers. README.md says how to run it, and what
// came out.
//
// Sorting destroys its input, and every operation needs a fresh one. Stopping the
// timer to make it would cost more than most of the sorting does, so the
// inputs are made beforehand and an operation begins with a copy of one. The copy
// is measured too, by itself: it is the tare of this benchmark.
package arraysort

import "math/rand/v2"

// inputs hands out arrays of n random ints.
//
// There is more than one, because a processor remembers the branches that it has
// taken: sorting the same hundred ints over and over, it soon knows which way
// each comparison will go, as it never does in a program.
type inputs struct {
	all  [][]int
	next int
	work []int
}

const (
	least = 4       // inputs, of any length
	ints  = 1 << 18 // in all inputs together, about: 2 MiB
)

// newInputs makes as many arrays of n ints as it takes to surprise a processor.
func newInputs(n int) *inputs { return makeInputs(n, max(least, ints/n)) }

// makeInputs makes count arrays of n ints, the same ones each time.
func makeInputs(n, count int) *inputs {
	r := rand.New(rand.NewPCG(uint64(n), 1))
	in := &inputs{all: make([][]int, count), work: make([]int, n)}
	for i := range in.all {
		in.all[i] = make([]int, n)
		for j := range in.all[i] {
			in.all[i][j] = r.Int()
		}
	}
	return in
}

// take returns a copy of the next input. It is valid until the next take.
func (in *inputs) take() []int {
	copy(in.work, in.all[in.next])
	if in.next++; in.next == len(in.all) {
		in.next = 0
	}
	return in.work
}
