package stat

import (
	"math"
	"slices"
	"testing"
)

func TestMannKendall(t *testing.T) {
	for _, c := range []struct {
		xs []float64
		s  int
		p  float64
	}{
		{nil, 0, 1}, {[]float64{3}, 0, 1}, {[]float64{1, 2}, 1, 1}, {[]float64{7, 7, 7, 7}, 0, 1},
		{[]float64{1, 2, 3, 4}, 6, 2.0 / 24}, {[]float64{5, 4, 3, 2, 1}, -10, 2.0 / 120},
		{[]float64{1, 2, 4, 3}, 4, 8.0 / 24}, {[]float64{-inf, 0, inf}, 3, 2.0 / 6},
	} {
		k := MannKendall(c.xs)
		if k.S != c.s {
			t.Errorf("S of %v = %d, want %d", c.xs, k.S, c.s)
		}
		near(t, "P", k.P, c.p, 1e-12)
	}
	if k := MannKendall([]float64{1, nan, 2}); !math.IsNaN(k.P) || !math.IsNaN(k.Tau) {
		t.Errorf("%+v", k)
	}
	// Ties: variance (7·6·19 - 2·1·9)/18 = 130/3, S = 13.
	k := MannKendall([]float64{1, 2, 2, 3, 4, 6, 5})
	if k.S != 18 {
		t.Errorf("S = %d", k.S)
	}
	near(t, "P", k.P, normalTail(17/math.Sqrt(130.0/3)), 1e-12)
	near(t, "Tau", k.Tau, 18.0/21, 1e-12)
}

// The exact distribution against all orders of up to seven values.
func TestKendallExact(t *testing.T) {
	for n := 2; n <= 7; n++ {
		counts, all := map[int]int{}, 0
		permute(make([]float64, 0, n), n, func(xs []float64) {
			k := MannKendall(xs)
			counts[max(k.S, -k.S)]++
			all++
		})
		for s := range counts {
			tail := 0
			for other, count := range counts {
				if other >= s {
					tail += count
				}
			}
			near(t, "P", kendallExactP(n, s), float64(tail)/float64(all), 1e-12)
		}
	}
	// At the limit the exact and the normal form meet.
	xs := make([]float64, 51)
	for i := range xs {
		xs[i] = float64(i*29%51) + float64(i)/4
	}
	near(t, "P of 51 against 50", MannKendall(xs).P, MannKendall(xs[:50]).P, 0.3)
}

func permute(xs []float64, n int, visit func([]float64)) {
	if len(xs) == n {
		visit(xs)
		return
	}
	for i := 1; i <= n; i++ {
		if !slices.Contains(xs, float64(i)) {
			permute(append(xs, float64(i)), n, visit)
		}
	}
}

func TestIterationTrend(t *testing.T) {
	forks := [][]float64{{100, 97, 90}, {200, 170}, {100, 99, 95}, {100, 80}, {50, 46}, {100, 89},
		{7}, nil, {0, 3}, {nan, 1}, {3, 1, 3}}
	got := IterationTrend(forks)
	if got.Forks != 7 || got.Up != 0 || got.Down != 6 {
		t.Errorf("%+v", got)
	}
	near(t, "P", got.P, 0.03125, 1e-12)
	near(t, "Ratio", got.Ratio, 0.9, 1e-12)
	if got := IterationTrend(nil); !math.IsNaN(got.Ratio) || got.P != 1 {
		t.Errorf("%+v", got)
	}
}
