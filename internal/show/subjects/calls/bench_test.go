package calls

import (
	"io"
	"math/rand/v2"
	"testing"

	"github.com/tarebench/tare/record"
)

// large is a trace of a large program: 3000 functions, 60 000 elements of the tree.
func large() *record.Trace {
	rng := rand.New(rand.NewPCG(1, 1))
	t := deep(3000)
	for i := range t.Tree {
		t.Tree[i].Parent = min(i-1, i/3)
	}
	for len(t.Tree) < 60_000 {
		t.Tree = append(t.Tree, record.TraceCall{Func: rng.IntN(3000), Parent: rng.IntN(len(t.Tree)), Calls: 1, Timed: 1, Total: rng.Float64(), Self: rng.Float64()})
	}
	return t
}

func BenchmarkText(b *testing.B) {
	t := large()
	for b.Loop() {
		c, err := New(t, Config{})
		if err != nil {
			b.Fatal(err)
		}
		if err := c.Text(io.Discard, Options{UTF8: true}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkPprof(b *testing.B) {
	c, err := New(large(), Config{})
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if err := c.Pprof(io.Discard); err != nil {
			b.Fatal(err)
		}
	}
}
