// Package arraysort measures how long the functions of the standard library take to
// sort n random ints. README.md has the commands and the results.
//
// Sorting destroys its input, and every operation needs a fresh one. Stopping the
// timer to make it would cost more than most of the sorting does, so the inputs are
// made beforehand and an operation begins with a copy of one. The copy is also
// measured separately: it is the overhead of this benchmark.
package arraysort

import "math/rand/v2"

// inputs hands out arrays of n random ints.
//
// There are several, because the branch predictor would learn the comparisons of a
// single small input, which does not happen in a program.
type inputs struct {
	all  [][]int
	next int
	work []int
}

const (
	least = 4       // inputs, of any length
	ints  = 1 << 18 // in all inputs together, about: 2 MiB
)

// newInputs returns so many arrays of n ints that the branch predictor cannot learn
// them.
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

// take returns a copy of the next input. It is valid until the next call.
func (in *inputs) take() []int {
	copy(in.work, in.all[in.next])
	if in.next++; in.next == len(in.all) {
		in.next = 0
	}
	return in.work
}
