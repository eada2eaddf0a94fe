package queue

import (
	"math"
	"testing"
)

// TestNear recovers positions from their lower 48 bits, also where these or all overflow.
func TestNear(t *testing.T) {
	for _, position := range []uint64{0, 1, 1<<47 - 1, 1 << 47, 1<<48 - 1, 1 << 48, 1<<48 + 1, math.MaxInt64, 1 << 63, math.MaxUint64} {
		w := newTailWord(position)
		for _, ahead := range []uint64{0, 1, 2, 1 << 30, 1<<47 - 1} {
			if got := w.position(position - ahead); got != position {
				t.Errorf("%#x is taken for %#x by one who knows of %d less", position, got, ahead)
			}
			if got := w.position(position + ahead); got != position {
				t.Errorf("%#x is taken for %#x by one who knows of %d more", position, got, ahead)
			}
		}
	}
}

// TestTailWord claims and reserves at a position where the lower 48 bits overflow.
func TestTailWord(t *testing.T) {
	const first = 3<<48 - 2
	var tail sharedTail
	tail.init(first)
	check := func(position, reserved uint64) {
		t.Helper()
		if w := tail.load(); w.position(first) != position || w.reserved() != reserved {
			t.Errorf("position %#x and %d reserved, want %#x and %d", w.position(first), w.reserved(), position, reserved)
		}
	}
	stale := tail.load()
	if !tail.add(stale, 5, oneReserved) || tail.add(stale, 1, oneClaimed) {
		t.Error("the word is exchanged although it has changed, or not although it has not")
	}
	check(first, 5)
	tail.add(tail.load(), 1, oneClaimed)
	check(first+1, 5)
	if w := tail.redeem(2, 3); w.position(first) != first+1 {
		t.Errorf("claimed from %#x on, want %#x", w.position(first), uint64(first)+1)
	}
	check(first+3, 2)
	tail.redeem(0, 2)
	check(first+3, 0)
}

// TestReservationsHaveALimit: what the word cannot count is not reserved.
func TestReservationsHaveALimit(t *testing.T) {
	w := newTailWord(7) + maxReserved - 3
	for _, c := range []struct{ n, unit, want uint64 }{{2, oneReserved, 2}, {3, oneReserved, 3}, {4, oneReserved, 3}, {9, oneClaimed, 9}} {
		if got := w.limitAdd(c.n, c.unit); got != c.want {
			t.Errorf("limitAdd(%d, %d) = %d, want %d", c.n, c.unit, got, c.want)
		}
	}
	mpmc, mpsc := NewMPMC[int](1<<17), NewMPSC[int](1<<17)
	for name, reserve := range map[string]func() int{
		"MPMC": func() int { _, n := mpmc.claimFree(40_000, oneReserved); return n },
		"MPSC": func() int { _, n := mpsc.claim(40_000, oneReserved, false); return int(n) },
	} {
		if first, second, third := reserve(), reserve(), reserve(); first != 40_000 || second != maxReserved-40_000 || third != 0 {
			t.Errorf("%s: %d, %d and %d slots reserved", name, first, second, third)
		}
	}
	if !mpmc.TryEnqueue(1) || !mpsc.TryEnqueue(1) {
		t.Error("nothing can be added beside reservations")
	}
}
