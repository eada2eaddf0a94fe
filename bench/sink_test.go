package bench

import (
	"errors"
	"sync/atomic"
	"testing"
)

// TestSinkComputes looks at the machine code. The first of each pair drops what
// it computes, and the compiler must have dropped the computation, or else the
// pair proves nothing; the second sinks it.
func TestSinkComputes(t *testing.T) {
	for _, kind := range []string{
		"int", "float", "string", "slice", "struct", "array", "pointer", "error", "any", "loop", "viaGeneric", "constant",
	} {
		t.Run(kind, func(t *testing.T) {
			dropped, sunk := disassembled(t, "main."+kind+"Dropped"), disassembled(t, "main."+kind+"Sunk")
			if dropped.multiplies() {
				t.Errorf("it is computed without being sunk:\n%v", dropped)
			}
			if !sunk.multiplies() {
				t.Errorf("it is sunk but not computed:\n%v", sunk)
			}
			if calls := sunk.calls(); len(calls) > 0 {
				t.Errorf("sinking calls %q:\n%v", calls, sunk)
			}
		})
	}
}

func TestSinkAllocatesNothing(t *testing.T) {
	type big [64]int
	x, s, err := 300, make([]int, 10), errors.New("x")
	if n := testing.AllocsPerRun(100, func() {
		x++
		Sink(x)
		Sink(float64(x))
		Sink("abc"[x&1:])
		Sink(s[x&1:])
		Sink(big{})
		Sink(&s[1])
		Sink(err)
		Sink[any](x)
		Sink(&big{}) // and thus hides an allocation, as documented
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestOpaqueIsIdentity(t *testing.T) {
	p := new(int)
	f := func() int { return 7 }
	if Opaque(42) != 42 || Opaque("abc") != "abc" || Opaque(p) != p || Opaque(f)() != 7 {
		t.Error("another value came back")
	}
	if Opaque[error](nil) != nil || len(Opaque([]int(nil))) != 0 || Opaque([2]int{1, 2}) != [2]int{1, 2} {
		t.Error("another value came back")
	}
	if n := testing.AllocsPerRun(100, func() { Sink(Opaque([8]int{1})) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// The ways to keep a value that were tried. A hundred at a time, because
// RunParallel's own cost would hide them. The branch is as fast as nothing because
// it is nothing: the multiplication is done behind it, that is never (Go 1.26.8,
// amd64).
var (
	neverTrue bool
	anyCell   any
	cell      uint64
	atomCell  atomic.Uint64
)

func sinkNever[T any](v T) {
	if neverTrue {
		anyCell = v
	}
}

//go:noinline
func sinkCall(uint64) {}

func BenchmarkSink(b *testing.B) {
	ways := []struct {
		name string
		run  func(i uint64) uint64 // a hundred
	}{
		{"nothing", func(i uint64) uint64 {
			for range 100 {
				i++
			}
			return i
		}},
		{"Sink", func(i uint64) uint64 {
			for range 100 {
				i++
				Sink(i * i)
			}
			return i
		}},
		{"branch", func(i uint64) uint64 {
			for range 100 {
				i++
				sinkNever(i * i)
			}
			return i
		}},
		{"package", func(i uint64) uint64 {
			for range 100 {
				i++
				cell = i * i
			}
			return i
		}},
		{"call", func(i uint64) uint64 {
			for range 100 {
				i++
				sinkCall(i * i)
			}
			return i
		}},
		{"atomic", func(i uint64) uint64 {
			for range 100 {
				i++
				atomCell.Store(i * i)
			}
			return i
		}},
	}
	for _, w := range ways {
		b.Run(w.name, func(b *testing.B) {
			b.RunParallel(func(pb *testing.PB) {
				i := uint64(0)
				for pb.Next() {
					i = w.run(i)
				}
			})
			b.ReportMetric(float64(b.Elapsed())/float64(b.N)/100, "ns/value")
		})
	}
}

func BenchmarkOpaque(b *testing.B) {
	x := uint64(3)
	b.Run("without", func(b *testing.B) {
		for range b.N {
			x = x*5 + 1
		}
	})
	b.Run("waited-for", func(b *testing.B) {
		for range b.N {
			x = Opaque(x)*5 + 1
		}
	})
	b.Run("not-waited-for", func(b *testing.B) {
		for i := range b.N {
			Sink(Opaque(uint64(i))*5 + 1)
		}
	})
	cell = x
}
