package clock

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestGrain(t *testing.T) {
	tests := []struct {
		name  string
		steps []int64
		want  int64
	}{
		{"no readings", nil, 0},
		{"stands still", []int64{0, 0, 0}, 0},
		{"coarse, seen standing", []int64{0, 0, 1000, 0, 1000, 2000}, 1000},
		{"apple: 41.67 ns, seen standing", []int64{0, 41, 42, 0, 83}, 41},
		{"one value only", []int64{22, 22, 22}, 22},
		{"rounding of one value", []int64{22, 23, 22}, 22},
		{"fine", []int64{20, 21, 22, 23, 40}, 1},
		{"two", []int64{20, 22, 24, 30}, 2},
		{"ten", []int64{20, 30, 20, 50}, 10},
		{"hpet: 69.84 ns", []int64{977, 978, 1047, 1048, 1117}, 70},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := grain(tt.steps); got != tt.want {
				t.Errorf("grain = %d, want %d", got, tt.want)
			}
		})
	}
}

// TestGrainOfSimulatedClocks reads clocks of known step at random times.
func TestGrainOfSimulatedClocks(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	for _, tick := range []float64{0.4, 1, 2, 10, 41.67, 69.84, 100, 1000} {
		for _, cost := range []float64{5, 22, 300} {
			var steps []int64
			at, last := 0.0, int64(0)
			for range 2000 {
				at += cost * (1 + r.Float64())
				now := int64(math.Floor(at/tick) * tick)
				steps = append(steps, now-last)
				last = now
			}
			want := max(1, math.Floor(tick))
			if got := float64(grain(steps)); math.Abs(got-want) > 1 {
				t.Errorf("tick %v read every %v ns: grain = %v", tick, cost, got)
			}
		}
	}
}

func FuzzGrain(f *testing.F) {
	f.Add([]byte{0, 1, 2, 200})
	f.Fuzz(func(t *testing.T, raw []byte) {
		steps := make([]int64, len(raw))
		for i, v := range raw {
			steps[i] = int64(v)
		}
		g := grain(steps)
		for _, s := range steps {
			if s > 0 && g > s {
				t.Fatalf("grain %d is larger than a step of %d", g, s)
			}
		}
	})
}
