package bench

import (
	"fmt"
	"testing"
)

// TestWorkSteps counts steps instead of time: a tokens and then b tokens are the
// steps of a+b tokens, none is left out, and none comes back to a state that
// was there before.
func TestWorkSteps(t *testing.T) {
	const all = 100_000
	seen := map[uint64]int{}
	x := uint64(0)
	for i := range all {
		if j, again := seen[x]; again {
			t.Fatalf("the state after %d tokens is that after %d", i, j)
		}
		seen[x] = i
		x = workChain(x, 1)
	}
	for _, a := range []int{0, 1, 2, 10, 1000, all} {
		if got := workChain(workChain(0, a), all-a); got != x {
			t.Errorf("%d tokens and then %d end at %#x, all at once at %#x", a, all-a, got, x)
		}
	}
	if got := workChain(7, -3); got != 7 {
		t.Errorf("a negative number of tokens made steps, to %#x", got)
	}
}

func TestWorkAllocatesNothing(t *testing.T) {
	if n := testing.AllocsPerRun(100, func() { Work(10) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkWork(b *testing.B) {
	for _, tokens := range []int{0, 1, 10, 100, 1000} {
		b.Run(fmt.Sprintf("tokens=%d", tokens), func(b *testing.B) {
			for range b.N {
				Work(tokens)
			}
			b.ReportMetric(float64(b.Elapsed())/float64(b.N)/float64(max(tokens, 1)), "ns/token")
		})
	}
}

// TestWorkIsDone looks at the machine code: the steps are there, and a caller
// that uses nothing of it calls it still.
func TestWorkIsDone(t *testing.T) {
	if calls := disassembled(t, "main.work").calls(); len(calls) != 1 {
		t.Errorf("the caller calls %q", calls)
	}
	w := disassembled(t, "github.com/tarebench/tare/bench.Work")
	if !w.loops() || !w.multiplies() || len(w.calls()) > 0 {
		t.Errorf("loops %v, multiplies %v, calls %q:\n%v", w.loops(), w.multiplies(), w.calls(), w)
	}
}
