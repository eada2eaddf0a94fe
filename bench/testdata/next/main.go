// Command next has the loops whose machine code the tests of package bench look
// at.
package main

import (
	"testing"

	"github.com/tarebench/tare/bench"
)

func main() {
	testing.Benchmark(func(b *testing.B) { bench.Run(b, empty) })
	testing.Benchmark(func(b *testing.B) { bench.Run(b, adding) })
	testing.Benchmark(func(b *testing.B) { bench.Run(b, calling) })
}

func empty(w *bench.Worker) {
	for w.Next() {
	}
}

var sum int

func adding(w *bench.Worker) {
	s := 0
	for w.Next() {
		s += w.Index()
	}
	sum = s
}

// calling has one call more: the test can fail.
func calling(w *bench.Worker) {
	for w.Next() {
		other()
	}
}

//go:noinline
func other() {}
