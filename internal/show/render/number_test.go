package render

import (
	"math"
	"testing"
)

func TestForksNeeded(t *testing.T) {
	for _, c := range []struct {
		confidence float64
		want       int
	}{{0.95, 6}, {0.99, 8}, {0.999, 11}, {0.5, 2}, {0.9375, 5}, {1, 0}, {math.NaN(), 0}} {
		if got := forksNeeded(c.confidence); got != c.want {
			t.Errorf("%v: %d, want %d", c.confidence, got, c.want)
		}
	}
}

func TestSparkline(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		values []float64
		median float64
		want   string
	}{
		{nil, 1, ""},
		{[]float64{5}, 5, "▄"},
		{[]float64{0, 0}, 0, "▄▄"},
		{[]float64{1, 2, 8}, 2, "▁▂█"},
		{[]float64{100, 100.1, 99.9, 100}, 100, "▄▄▄▄"}, // quiet
		{[]float64{1, nan, 8}, 4, "▁ █"},
		{[]float64{-8, -1}, -4, "▁█"},
		{[]float64{nan}, nan, ""},
	} {
		if got := sparkline(numbers(c.values...), c.median); got != c.want {
			t.Errorf("%v: %q, want %q", c.values, got, c.want)
		}
	}
	for n := range 200 {
		xs := make([]float64, n)
		for i := range xs {
			xs[i] = 1
		}
		if n > 0 {
			xs[n/2] = 9
		}
		got := []rune(sparkline(numbers(xs...), 1))
		if len(got) != min(n, sparkWidth) {
			t.Errorf("%d values: %d bars", n, len(got))
		}
		slow := 0
		for _, r := range got {
			if r == '█' {
				slow++
			}
		}
		if n > 1 && slow != 1 {
			t.Errorf("%d values with one slow: %q", n, string(got))
		}
	}
}
