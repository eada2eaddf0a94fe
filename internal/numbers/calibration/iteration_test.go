package calibration

import (
	"slices"
	"testing"

	"github.com/tarebench/tare/record"
)

// TestOwn: what an iteration takes alone, of all manners.
func TestOwn(t *testing.T) {
	for _, test := range []struct {
		name      string
		i         Iteration
		own, lost float64
	}{
		{"alone", Iteration{Wall: 50, CPU: 49, Delay: 1e-9}, 50 - 1e-9, 1e-9},
		{"waits for a processor for half of the time", Iteration{Wall: 100, CPU: 50, Delay: 50}, 50, 50},
		{"another of its threads waits for a processor", Iteration{Wall: 100, CPU: 95, Delay: 90}, 95, 5},
		{"sleeps", Iteration{Wall: 50, CPU: 1, Delay: 1}, 49, 1},
		{"two threads", Iteration{Wall: 50, CPU: 90, Delay: 5}, 50, 0},
		{"CPU time not known", Iteration{Wall: 50}, 50, 0},
		{"delay not known", Iteration{Wall: 50, CPU: 20}, 50, 0},
	} {
		if own, lost := test.i.Own(), test.i.lost(); own != test.own || lost != test.lost {
			t.Errorf("%s: own %g, lost %g, want %g, %g", test.name, own, lost, test.own, test.lost)
		}
	}
}

// TestIterations: the first iteration does not count, and results that arrived together share their times.
func TestIterations(t *testing.T) {
	sample := func(iter int, wall int64, batched bool) *record.Sample {
		return &record.Sample{Iter: iter, Wall: wall, CPU: wall / 2, Delay: wall / 4, Ns: 7, Batched: batched}
	}
	walls := func(samples ...*record.Sample) []float64 {
		var out []float64
		for _, i := range Iterations(samples) {
			if i.CPU != i.Wall/2 || i.Delay != i.Wall/4 || i.Timed != 7 {
				t.Errorf("%+v", i)
			}
			out = append(out, i.Wall)
		}
		return out
	}
	for _, test := range []struct {
		name    string
		samples []*record.Sample
		want    []float64
	}{
		{"one by one", []*record.Sample{sample(1, 80, false), sample(2, 40, false), sample(3, 48, false)}, []float64{40, 48}},
		{"two together", []*record.Sample{sample(1, 80, false), sample(2, 80, true), sample(3, 0, true), sample(4, 44, false)}, []float64{40, 40, 44}},
		{"with the first", []*record.Sample{sample(1, 80, true), sample(2, 0, true), sample(3, 44, false)}, []float64{44}},
		{"all together", []*record.Sample{sample(1, 80, true), sample(2, 0, true)}, nil},
		{"none", nil, nil},
	} {
		if got := walls(test.samples...); !slices.Equal(got, test.want) {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
	}
}

// TestTime: which clock an iteration of N operations is judged by.
func TestTime(t *testing.T) {
	b := Baseline{Untimed: 1, Limit: 4}
	for _, test := range []struct {
		name    string
		t       Typical
		n       int64
		want    float64
		stopped bool
	}{
		{"the clocks agree", Typical{Own: 52, Timed: 50}, 100, 50, false},
		{"the timer was stopped", Typical{Own: 60, Timed: 5}, 100, 58, true},
		{"waits for a processor with the timer on", Typical{Own: 50, Timed: 90}, 100, 49, false},
		{"waits for a processor, and the fixed costs are all of it", Typical{Own: 1, Timed: 30}, 100, 0.5, false},
		{"far too long", Typical{Own: 200, Timed: 198}, 100, 198, false},
		{"no ns/op", Typical{Own: 52}, 100, 50, false},
		{"no ns/op, one operation", Typical{Own: 52}, 1, 52, false},
	} {
		if got := b.Time(test.t, test.n, 50); got != test.want || b.Stopped(test.t) != test.stopped {
			t.Errorf("%s: %g, %v; want %g, %v", test.name, got, b.Stopped(test.t), test.want, test.stopped)
		}
	}
}
