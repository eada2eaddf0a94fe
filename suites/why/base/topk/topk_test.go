package topk

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func scores(n int) []Score {
	r := rand.New(rand.NewPCG(3, 4))
	all := make([]Score, n)
	for i := range all {
		all[i] = Score{Points: i + r.IntN(500), Player: uint32(i)} // grow slowly, so that many are kept
	}
	return all
}

func TestHeap(t *testing.T) {
	all := scores(2000)
	h := New(50)
	for _, s := range all {
		h.Offer(s)
	}
	slices.SortFunc(all, func(a, b Score) int {
		if less(a, b) {
			return 1
		}
		return -1
	})
	if h.Smallest() != all[49] {
		t.Errorf("the smallest is %v, want %v", h.Smallest(), all[49])
	}
}

func BenchmarkOffer(b *testing.B) {
	all := scores(2000)
	h := New(256)
	for b.Loop() {
		h.Reset()
		for _, s := range all {
			h.Offer(s)
		}
	}
}
