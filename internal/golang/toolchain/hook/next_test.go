package hook

import (
	"math"
	"testing"
)

func TestNext(t *testing.T) {
	for _, c := range []struct{ goal, n, ns, want int64 }{
		{100, 10, 100, 10}, // as asked: stays
		{100, 10, 150, 10},
		{100, 10, 151, 7},   // too long: a fifth above what is needed
		{100, 10, 99, 12},   // too short
		{100, 10, 50, 24},   //
		{100, 10, 1, 1000},  // at most a hundred times as many
		{100, 10, 0, 1000},  // the timer stood
		{100, 1, 100000, 1}, // at least one
		{100, 1000, 100_000, 1},
		{100, 1000, 1_000_000_000, 1},
		{1e9, 1e9, 1, 1e9}, // at most as many as testing
		{math.MaxInt64, 1e9, math.MaxInt64, 1e9},
		{math.MaxInt64, 1e9, 1, 1e9},
		{1, 1e9, math.MaxInt64, 1},
		{100, 0, 0, 1},
	} {
		if got := tareNext(c.goal, c.n, c.ns); got != c.want {
			t.Errorf("tareNext(%d, %d, %d) = %d, want %d", c.goal, c.n, c.ns, got, c.want)
		}
	}
}

func FuzzNext(f *testing.F) {
	f.Add(int64(100), int64(10), int64(90))
	f.Fuzz(func(t *testing.T, goal, n, ns int64) {
		if goal < 1 || n < 1 || n > 1e9 || ns < 0 {
			t.Skip()
		}
		if x := tareNext(goal, n, ns); x < 1 || x > 1e9 || x > n && x/100 > n {
			t.Errorf("tareNext(%d, %d, %d) = %d", goal, n, ns, x)
		}
	})
}
