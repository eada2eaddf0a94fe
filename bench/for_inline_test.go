package bench

import (
	"strings"
	"testing"
)

// TestForInlined looks at the machine code of callers of For. The one call that
// must be left is that of the function between batches. The last case shows
// that the test can fail.
func TestForInlined(t *testing.T) {
	for _, tt := range []struct {
		name       string
		calls      int
		multiplies bool
	}{
		{"forEmpty", 1, false},
		{"forLiteral", 1, true},
		{"forNamed", 1, true},
		{"forPrinted", 1, true},
		{"forOpaque", 2, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a := disassembled(t, "main."+tt.name)
			calls := a.calls()
			calls = without(calls, "runtime.duff") // of the result
			if len(calls) != tt.calls || a.multiplies() != tt.multiplies || !a.loops() {
				t.Errorf("calls %q, want %d; multiplies %v; loops %v:\n%v", calls, tt.calls, a.multiplies(), a.loops(), a)
			}
		})
	}
}

func without(calls []string, name string) (kept []string) {
	for _, c := range calls {
		if !strings.Contains(c, name) {
			kept = append(kept, c)
		}
	}
	return kept
}

// forOnce is a next for one batch, so that the loop of For can be measured by
// other means.
func forOnce(r *forRun) bool {
	more := r.d == 0
	r.d = 1
	return more
}

// callAll calls f by a harness that is not inlined.
//
//go:noinline
func callAll(n int, f func()) {
	for range n {
		f()
	}
}

//go:noinline
func callAllUnrolled(n int, f func()) {
	for ; n >= 16; n -= 16 {
		f()
		f()
		f()
		f()
		f()
		f()
		f()
		f()
		f()
		f()
		f()
		f()
		f()
		f()
		f()
		f()
	}
	for range n {
		f()
	}
}

type empty struct{}

func (empty) run() {}

//go:noinline
func callAllGeneric[T interface{ run() }](n int, body T) {
	for range n {
		body.run()
	}
}

// BenchmarkFor compares the loop of For to an empty loop, to the ways that were
// not taken, and, for a body that is a chain of 6 cycles, to the body written
// into a loop: there is nothing to subtract from such a body when it is inlined,
// and less than the tare when it is called.
func BenchmarkFor(b *testing.B) {
	noop := Opaque(func() {})
	chain := func() { cell = workChain(cell, 1) }
	hidden := Opaque(chain)
	b.Run("empty/range", func(b *testing.B) {
		for range b.N {
		}
	})
	b.Run("empty/literal", func(b *testing.B) { forDrive(forRun{n: b.N}, func() {}, forOnce) })
	b.Run("empty/value", func(b *testing.B) { forDrive(forRun{n: b.N}, noop, forOnce) })
	b.Run("empty/noinline", func(b *testing.B) { callAll(b.N, noop) })
	b.Run("empty/unrolled", func(b *testing.B) { callAllUnrolled(b.N, noop) })
	b.Run("empty/generic", func(b *testing.B) { callAllGeneric(b.N, empty{}) })
	b.Run("chain/range", func(b *testing.B) {
		for range b.N {
			cell = workChain(cell, 1)
		}
	})
	b.Run("chain/literal", func(b *testing.B) {
		forDrive(forRun{n: b.N}, func() { cell = workChain(cell, 1) }, forOnce)
	})
	b.Run("chain/value", func(b *testing.B) { forDrive(forRun{n: b.N}, hidden, forOnce) })
}
