package pace

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestWakeLearns feeds wake-ups of known distributions: the margin ends near
// their 95th percentile, whatever it started from.
func TestWakeLearns(t *testing.T) {
	const seed = 9
	r := rand.New(rand.NewPCG(seed, 0))
	tests := []struct {
		name string
		late func() int64
	}{
		{"bare metal", func() int64 { return 5000 + r.Int64N(3000) }},
		{"virtual machine", func() int64 { return 20_000 + r.Int64N(20_000) }},
		{"skewed", func() int64 { return min(20_000+int64(r.ExpFloat64()*5000), mostMargin) }},
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
			w.reset()
			var seen []int64
			var margins []float64
			for i := range 20_000 {
				late := tt.late()
				w.learn(late)
				if late <= mostMargin {
					seen = append(seen, late)
				}
				if i >= 10_000 {
					margins = append(margins, float64(w.margin.Load()))
				}
			}
			slices.Sort(seen)
			slices.Sort(margins)
			want := float64(seen[len(seen)*95/100])
			if got := margins[len(margins)/2]; got < 0.85*want || got > 1.15*want {
				t.Errorf("seed %d: margin %.0f ns, want about %.0f", seed, got, want)
			}
		})
	}
}

func TestWakeKeepsLimits(t *testing.T) {
	var w wake
	w.reset()
	for range 10_000 {
		w.learn(-1)
	}
	if m := w.margin.Load(); m != leastMargin {
		t.Errorf("after punctual wake-ups the margin is %d ns, want %d", m, leastMargin)
	}
	for range 10_000 {
		w.learn(mostMargin)
	}
	if m := w.margin.Load(); m > mostMargin || m < mostMargin*9/10 {
		t.Errorf("after the latest wake-ups the margin is %d ns, want up to %d", m, mostMargin)
	}
}
