package timerlog

import (
	"math"
	"reflect"
	"testing"

	"github.com/tarebench/tare/internal/process/profiler"
)

// TestTimed: samples count while the timer ran, as far as there are notes of it.
func TestTimed(t *testing.T) {
	two := []profiler.Window{{Iter: 2, Begin: 1000, End: 2000, Ops: 10}, {Iter: 3, Begin: 3000, End: 5000, Ops: 20}}
	rough := []profiler.Window{{Iter: 2, Begin: 1000, End: 2000, Ops: 10, Approximate: true}}
	for _, c := range []struct {
		what    string
		windows []profiler.Window
		notes   []Span
		ran     []Span
		ops     int64
		stood   float64
		noted   float64
	}{
		{"no windows", nil, []Span{{1, 2}}, nil, 0, 0, 0},
		{"no notes", two, nil, []Span{{1000, 2000}, {3000, 5000}}, 30, 0, 0},
		{"no stops", two, []Span{{10, 20}, {1000, 2000}, {3000, 5000}}, []Span{{1000, 2000}, {3000, 5000}}, 30, 0, 1},
		{"stops", two, []Span{{1000, 1100}, {1900, 2000}, {3000, 3500}, {4900, 5000}}, []Span{{1000, 1100}, {1900, 2000}, {3000, 3500}, {4900, 5000}}, 30, 2200. / 3000, 1},
		{"edges by another clock", two, []Span{{990, 1500}, {1600, 1995}, {3000, 4990}, {4998, 5010}}, []Span{{1000, 1500}, {1600, 1995}, {3000, 4990}, {4998, 5000}}, 30, 113. / 3000, 1},
		{"full in the second", two, []Span{{1000, 2000}, {3000, 3100}, {3400, 3500}}, []Span{{1000, 2000}, {3000, 3100}, {3400, 3500}}, 15, 300. / 1500, 0.5},
		{"full in the first", two, []Span{{1000, 1250}}, []Span{{1000, 1250}}, 3, 0, 250. / 3000}, // 2.5 operations
		{"full before", two, []Span{{100, 200}}, []Span{{1000, 2000}, {3000, 5000}}, 30, 0, 0},
		{"rough", rough, []Span{{1100, 1200}}, []Span{{1000, 2000}}, 10, 0, 0},
	} {
		got := NewTiming(c.windows, c.notes)
		if len(got.Ran)+len(c.ran) > 0 && !reflect.DeepEqual(got.Ran, c.ran) || got.Ops != c.ops || math.Abs(got.Stopped-c.stood) > 1e-9 || math.Abs(got.Logged-c.noted) > 1e-9 {
			t.Errorf("%s: %+v, want %+v", c.what, got, c)
		}
	}
}
