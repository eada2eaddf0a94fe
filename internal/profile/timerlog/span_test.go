package timerlog

import (
	"math/rand/v2"
	"testing"
	"time"
)

// TestSpans: what is done to spans is the same as done to every single time in them.
func TestSpans(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	const most = 60
	for round := range 2000 {
		var list []Span
		in := [most]bool{}
		for range rng.IntN(8) {
			s := Span{rng.Int64N(most), rng.Int64N(most)} // some end before they begin
			list = append(list, s)
			for at := s.Begin; at < s.End; at++ {
				in[at] = true
			}
		}
		list = mergeSpans(list)
		for i := 1; i < len(list); i++ {
			if list[i].Begin <= list[i-1].End {
				t.Fatalf("round %d: %v touch each other", round, list)
			}
		}
		w := Span{rng.Int64N(most), rng.Int64N(most)}
		cut := Overlap(list, w)
		for at := range int64(most) {
			if Contains(list, at) != in[at] {
				t.Fatalf("round %d: %d in %v: %v", round, at, list, !in[at])
			}
			if want := in[at] && w.Begin <= at && at < w.End; Contains(cut, at) != want {
				t.Fatalf("round %d: %d in what of %v is in %v, %v: %v", round, at, list, w, cut, !want)
			}
		}
	}
}
