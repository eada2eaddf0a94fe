package asm

import (
	"math"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"github.com/tarebench/tare/prof"
)

// TestSpans: what is done to spans is the same as done to every single time in them.
func TestSpans(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	const most = 60
	for round := range 2000 {
		var list []span
		in := [most]bool{}
		for range rng.IntN(8) {
			s := span{rng.Int64N(most), rng.Int64N(most)} // some end before they begin
			list = append(list, s)
			for at := s.begin; at < s.end; at++ {
				in[at] = true
			}
		}
		list = apart(list)
		for i := 1; i < len(list); i++ {
			if list[i].begin <= list[i-1].end {
				t.Fatalf("round %d: %v touch each other", round, list)
			}
		}
		w := span{rng.Int64N(most), rng.Int64N(most)}
		cut := overlap(list, w)
		for at := range int64(most) {
			if holds(list, at) != in[at] {
				t.Fatalf("round %d: %d in %v: %v", round, at, list, !in[at])
			}
			if want := in[at] && w.begin <= at && at < w.end; holds(cut, at) != want {
				t.Fatalf("round %d: %d in what of %v is in %v, %v: %v", round, at, list, w, cut, !want)
			}
		}
	}
}

// TestTimed: samples count while the timer ran, as far as there are notes of it.
func TestTimed(t *testing.T) {
	two := []prof.Window{{Iter: 2, Begin: 1000, End: 2000, Ops: 10}, {Iter: 3, Begin: 3000, End: 5000, Ops: 20}}
	rough := []prof.Window{{Iter: 2, Begin: 1000, End: 2000, Ops: 10, Rough: true}}
	for _, c := range []struct {
		what    string
		windows []prof.Window
		notes   []span
		ran     []span
		ops     int64
		stood   float64
		noted   float64
	}{
		{"no windows", nil, []span{{1, 2}}, nil, 0, 0, 0},
		{"no notes", two, nil, []span{{1000, 2000}, {3000, 5000}}, 30, 0, 0},
		{"no stops", two, []span{{10, 20}, {1000, 2000}, {3000, 5000}}, []span{{1000, 2000}, {3000, 5000}}, 30, 0, 1},
		{"stops", two, []span{{1000, 1100}, {1900, 2000}, {3000, 3500}, {4900, 5000}}, []span{{1000, 1100}, {1900, 2000}, {3000, 3500}, {4900, 5000}}, 30, 2200. / 3000, 1},
		{"edges by another clock", two, []span{{990, 1500}, {1600, 1995}, {3000, 4990}, {4998, 5010}}, []span{{1000, 1500}, {1600, 1995}, {3000, 4990}, {4998, 5000}}, 30, 113. / 3000, 1},
		{"full in the second", two, []span{{1000, 2000}, {3000, 3100}, {3400, 3500}}, []span{{1000, 2000}, {3000, 3100}, {3400, 3500}}, 15, 300. / 1500, 0.5},
		{"full in the first", two, []span{{1000, 1250}}, []span{{1000, 1250}}, 3, 0, 250. / 3000}, // 2.5 operations
		{"full before", two, []span{{100, 200}}, []span{{1000, 2000}, {3000, 5000}}, 30, 0, 0},
		{"rough", rough, []span{{1100, 1200}}, []span{{1000, 2000}}, 10, 0, 0},
	} {
		got := timed(c.windows, c.notes)
		if len(got.ran)+len(c.ran) > 0 && !reflect.DeepEqual(got.ran, c.ran) || got.ops != c.ops || math.Abs(got.stood-c.stood) > 1e-9 || math.Abs(got.noted-c.noted) > 1e-9 {
			t.Errorf("%s: %+v, want %+v", c.what, got, c)
		}
	}
}
