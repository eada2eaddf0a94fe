package pace

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestWakeLearns feeds wake-ups of known distributions: the margins end near
// their 95th and 99th percentiles, whatever they started from.
func TestWakeLearns(t *testing.T) {
	const seed = 9
	r := rand.New(rand.NewPCG(seed, 0))
	tests := []struct {
		name string
		late func() int64
	}{
		{"bare metal", func() int64 { return 5000 + r.Int64N(3000) }},
		{"virtual machine", func() int64 { return 20_000 + r.Int64N(20_000) }},
		{"skewed", func() int64 { return min(20_000+int64(r.ExpFloat64()*5000), mostNarrow) }},
		{"one in fourteen is late", func() int64 {
			if r.IntN(14) == 0 {
				return 60_000
			}
			return 20_000
		}},
		{"one in forty is late", func() int64 {
			if r.IntN(40) == 0 {
				return 60_000
			}
			return 20_000
		}},
		{"a tenth without a processor", func() int64 {
			if r.IntN(10) == 0 {
				return 4_000_000
			}
			return 20_000 + r.Int64N(20_000)
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var w wake
			w.reset(0)
			var seen []int64
			var narrow, wide []float64
			for i := range 20_000 {
				late := tt.late()
				w.learn(late)
				if late <= mostNarrow {
					seen = append(seen, late)
				}
				if i >= 10_000 {
					narrow = append(narrow, float64(w.narrow.ns.Load()))
					wide = append(wide, float64(w.wide.ns.Load()))
				}
			}
			slices.Sort(seen)
			near := func(margins []float64, percent int) {
				slices.Sort(margins)
				least, most := float64(seen[len(seen)*(percent-1)/100]), float64(seen[min(len(seen)*(percent+1)/100, len(seen)-1)])
				if got := margins[len(margins)/2]; got < 0.85*least || got > 1.15*most {
					t.Errorf("seed %d: margin %.0f ns, want about %.0f to %.0f, the %dth percentile", seed, got, least, most, percent)
				}
			}
			near(narrow, 95)
			near(wide, 99)
		})
	}
}

func TestWakeKeepsLimits(t *testing.T) {
	var w wake
	w.reset(0)
	for range 10_000 {
		w.learn(-1)
	}
	for _, m := range []*margin{&w.narrow, &w.wide} {
		if got := m.ns.Load(); got != leastMargin {
			t.Errorf("after punctual wake-ups the margin is %d ns, want %d", got, leastMargin)
		}
	}
	for range 10_000 {
		w.learn(mostNarrow)
		w.learn(mostWide)
	}
	for m, most := range map[*margin]int64{&w.narrow: mostNarrow, &w.wide: mostWide} {
		if got := m.ns.Load(); got > most || got < most*9/10 {
			t.Errorf("after the latest wake-ups the margin is %d ns, want up to %d", got, most)
		}
	}
}

// TestWakeTarget: sleeping ends by the wide margin before the due time if little time was spent spinning, and else by the narrow one.
// Where the machine is idle, a long sleep is divided into two.
func TestWakeTarget(t *testing.T) {
	const began, narrow, wide = 1_000_000, 50_000, 90_000
	far, near := int64(began+10*lead), int64(began+narrow/2)
	for _, c := range []struct {
		name  string
		spun  int64 // of the time until due
		due   int64
		idle  bool
		at    int64
		first bool
	}{
		{"mostly free", 0, far, false, far - wide, false},
		{"much spinning", (far - began) / 4, far, false, far - narrow, false},
		{"idle before", 0, far, true, far - wide - lead, true},
		{"within the margin", 0, near, true, near, false},
		{"a short sleep", 0, began + wide + 2*lead, true, began + 2*lead, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			var w wake
			w.reset(began - 10*lead)
			w.narrow.ns.Store(narrow)
			w.wide.ns.Store(wide)
			w.spun.Store(c.spun)
			if at, first := w.target(began, c.due, c.idle); at != c.at || first != c.first {
				t.Errorf("sleeps until %d (the first of two: %v), want %d (%v)", at, first, c.at, c.first)
			}
		})
	}
}
