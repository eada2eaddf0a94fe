//go:build !windows

package clock

import (
	"math/rand/v2"
	"testing"
)

func readKernel() (int64, bool) { return kernel() }

// TestDrop anchors against simulated clocks whose constant is known.
func TestDrop(t *testing.T) {
	const constant = 86_400_000_000_123
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 1))
		var b bounds
		b.reset()
		now := int64(0)
		read := func(cost int64) int64 { now += cost; at := now; now += cost; return at }
		tightest := int64(1 << 62)
		for range brackets {
			cost := 20 + r.Int64N(40)
			if r.IntN(10) == 0 {
				cost += r.Int64N(1_000_000) // preempted
			}
			before := read(cost) + constant
			e := read(10 + r.Int64N(20))
			after := read(20+r.Int64N(40)) + constant
			tightest = min(tightest, after-before)
			b.add(before, e, after)
		}
		base, err := b.middle()
		if d := float64(base - constant); d > err+1 || d < -err-1 {
			t.Fatalf("seed %d: base misses by %v ns, promised %v", seed, d, err)
		}
		if 2*err > float64(tightest) {
			t.Fatalf("seed %d: bounds of ± %v ns are wider than the tightest bracket, %d ns", seed, err, tightest)
		}
	}
}

func TestDropWithoutKernelClock(t *testing.T) {
	a := measureAnchor(func() (int64, bool) { return 0, false }, brackets)
	if a.ok || a.base != 0 {
		t.Errorf("anchor %+v, want none", a)
	}
}

// TestBoundsContradict: brackets that exclude each other leave the tightest.
func TestBoundsContradict(t *testing.T) {
	var b bounds
	b.reset()
	b.add(100, 0, 110)
	b.add(120, 0, 150)
	if base, err := b.middle(); base != 105 || err != 5 {
		t.Errorf("got %d ± %v, want 105 ± 5", base, err)
	}
}

func BenchmarkDrop(b *testing.B) {
	for b.Loop() {
		measureAnchor(kernel, brackets)
	}
}
