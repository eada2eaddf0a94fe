package stat

import (
	"math"
	"testing"
)

func TestMedianAndSpread(t *testing.T) {
	for _, c := range []struct {
		xs              []float64
		median, mad, cv float64
	}{
		{nil, nan, nan, nan},
		{[]float64{7}, 7, 0, 0},
		{[]float64{3, 1}, 2, 1, 1.4826 / 2},
		{[]float64{5, 1, 3}, 3, 2, 1.4826 * 2 / 3},
		{[]float64{1, 1, 2, 2, 4, 6, 9}, 2, 1, 1.4826 / 2}, // the worked example of Wikipedia's MAD
		{[]float64{4, 4, 4, 4}, 4, 0, 0},
		{[]float64{0, 0, 0}, 0, 0, nan},
		{[]float64{-2, -4, -3}, -3, 1, 1.4826 / 3},
		{[]float64{1, nan, 3}, nan, nan, nan},
		{[]float64{1, 2, inf}, 2, 1, 1.4826 / 2},
		{[]float64{inf, inf}, inf, 0, 0},
		{[]float64{math.MaxFloat64, math.MaxFloat64 / 2}, math.MaxFloat64 * 0.75, math.MaxFloat64 / 4, 1.4826 / 3},
	} {
		near(t, "Median", Median(c.xs), c.median, 1e-12)
		near(t, "MAD", MAD(c.xs), c.mad, 1e-12)
		near(t, "RobustCV", RobustCV(c.xs), c.cv, 1e-12)
	}
}

// The values are R's quantile(c(15, 20, 35, 40, 50), q), type 7.
func TestQuantile(t *testing.T) {
	xs := []float64{40, 15, 50, 20, 35}
	for _, c := range []struct{ q, want float64 }{
		{0, 15}, {0.05, 16}, {0.3, 23}, {0.4, 29}, {0.5, 35}, {0.95, 48}, {1, 50},
		{-0.1, nan}, {1.1, nan}, {nan, nan},
	} {
		near(t, "Quantile", Quantile(xs, c.q), c.want, 1e-12)
	}
	if xs[0] != 40 {
		t.Error("the argument was sorted")
	}
}

func TestTukey(t *testing.T) {
	// Quartiles 12 and 14, fences 9, 17 and 6, 20.
	xs := []float64{12, 13, 14, 12, 13, 14, 12, 13, 14, 8, 1, 18, 30}
	if got, want := Tukey(xs), (Outliers{1, 1, 1, 1}); got != want {
		t.Errorf("Tukey = %+v, want %+v", got, want)
	}
	if got := Tukey([]float64{5, 5, 5, 5, 5, 5.1}); got.HighSevere != 1 || got.Total() != 1 {
		t.Errorf("one off a constant: %+v", got)
	}
	for _, xs := range [][]float64{nil, {1}, {1, 2, 300}, {1, 2, 3, nan}, {1, 2, inf, inf}, {3, 3, 3, 3}} {
		if got := Tukey(xs); got.Total() != 0 {
			t.Errorf("Tukey(%v) = %+v", xs, got)
		}
	}
}

func TestInterimAnalyses(t *testing.T) {
	for _, c := range []struct {
		most  int
		forks []int
	}{
		{-1, nil}, {0, nil}, {1, []int{1}}, {6, []int{6}}, {10, []int{10}}, {13, []int{13}},
		{20, []int{10, 20}}, {25, []int{10, 25}}, {30, []int{10, 20, 30}},
		{80, []int{10, 20, 40, 80}}, {100, []int{10, 20, 40, 100}}, {math.MaxInt, nil},
	} {
		analyses := InterimAnalyses(c.most, 0.95)
		if c.forks == nil {
			continue
		}
		if len(analyses) != len(c.forks) {
			t.Fatalf("InterimAnalyses(%d) = %v, want %v", c.most, analyses, c.forks)
		}
		for i, l := range analyses {
			if l.Forks != c.forks[i] {
				t.Errorf("InterimAnalyses(%d) = %v, want %v", c.most, analyses, c.forks)
			}
			near(t, "alpha of an analysis", 1-l.Confidence, 0.05/float64(len(analyses)), 1e-9)
		}
	}
}
