package chart

import (
	"errors"
	"io"
	"math"
	"strings"
	"testing"
)

// wave is a line of n points, each x after the one before. It differs for each seed.
func wave(n int, x, y float64, seed int) []Point {
	var out []Point
	state := uint64(seed + 1)
	for i := range n {
		state = state*6364136223846793005 + 1442695040888963407
		out = append(out, Point{float64(i) * x, y * (1 + 0.2*math.Sin(float64(i)/5) + float64(state>>40)/(1<<26))})
	}
	return out
}

func lineCases() map[string]Lines {
	stall := wave(60, 1, 2e-3, 2)
	stall[30].Y, stall[31].Y = 0.9, 0.4
	gap := wave(60, 1, 0.3e-3, 1)
	gap[40].Y = math.NaN()
	time := Axis{Name: "time since the start", Unit: "s", Plain: true}
	var many []Line
	for i := range 12 {
		many = append(many, Line{Label: strings.Repeat("name ", i) + "of a line", Hue: i, Points: wave(20, 1, 1+float64(i%3)/100, i)})
	}
	return map[string]Lines{
		"time": {
			Title: "Latency over time", Subtitle: "run.hlog", X: time, Y: Axis{Name: "latency", Unit: "s", Log: true},
			Lines: []Line{
				{Label: "READ p50", Points: gap, Stroke: Dotted},
				{Label: "READ p99", Points: wave(60, 1, 1.1e-3, 5), Stroke: Dashed},
				{Label: "READ max", Points: stall},
			},
			Notes: []string{"each point is an interval of 1 s"},
		},
		"sweep": {
			Title: "Latency over throughput", X: Axis{Name: "achieved", Unit: "op/s"}, Y: Axis{Name: "p99 response", Unit: "s"},
			Lines: []Line{{Label: "bolt", Marks: true, Points: []Point{{1000, 0.4e-3}, {2000, 0.5e-3}, {4000, 0.9e-3}, {5000, 4e-3}, {5100, 9.7e-3}}}},
		},
		"fitted": {
			Title: "Time over n", X: Axis{Name: "n", Plain: true, Log: true}, Y: Axis{Unit: "s", Log: true},
			Lines: []Line{
				{Label: "Sort", Plain: true, Points: []Point{{10, 1e-8}, {1000, 1e-6}}},
				{Label: "Sort", Unjoined: true, Marks: true, Points: []Point{{10, 1.1e-8}, {100, 1e-7}, {1000, 0.9e-6}}, Spans: [][2]float64{{1e-8, 1.3e-8}, {math.NaN(), 1}, {1e-6, 0.8e-6}}},
			},
		},
		"many":    {Title: "Many", X: time, Y: Axis{Unit: "B"}, Lines: many},
		"nothing": {Title: "No values", X: time, Y: Axis{Unit: "s", Log: true}, Lines: []Line{{Label: "x"}, {Label: "y", Points: []Point{{math.NaN(), 1}, {-1, 1}, {1, inf}}}}},
		"single":  {Title: "One point", X: time, Y: Axis{Unit: "s", Log: true}, Lines: []Line{{Label: "x", Points: []Point{{3, 1e-3}}}, {Label: "zero", Hue: 1, Points: []Point{{0, 0}, {1, 0}}}}},
		"hostile": {Title: `"</title><script>`, X: Axis{Name: "<x>", Unit: "&"}, Y: Axis{Name: "<y>", Unit: "'"}, Lines: []Line{{Label: `"><x`, Hue: -3, Stroke: 77, Points: []Point{{1, 1}, {most, most}, {math.MaxFloat64, 1}}}}},
	}
}

func TestNoLines(t *testing.T) {
	if err := (Lines{Title: "x"}).Write(io.Discard); !errors.Is(err, errNoLines) {
		t.Errorf("error %v", err)
	}
}

// TestSpread: names never touch, stay between the lines if they have room there,
// and are in the order of their ends.
func TestSpread(t *testing.T) {
	for _, ends := range [][]float64{{50}, {50, 50}, {0, 0, 0}, {100, 100, 100}, {10, 90, 50, 52, 54}, {100, 0, 99, 1}} {
		var tags []tag
		for _, y := range ends {
			tags = append(tags, tag{y: y})
		}
		spread(tags, 0, 100)
		for i, x := range tags {
			if x.place < 0 || x.place > 100 {
				t.Errorf("%v: a name at %v", ends, x.place)
			}
			if i > 0 && (x.place-tags[i-1].place < tagStep-1e-9 || x.y < tags[i-1].y) {
				t.Errorf("%v: %+v", ends, tags)
			}
		}
	}
}

func TestThin(t *testing.T) {
	points := []point{{0, 0}, {0.1, 0}, {0.2, 0.1}, {0.3, 0.2}, {5, 5}, {5, 5}}
	got := thin(points)
	want := []point{{0, 0}, {0.3, 0.2}, {5, 5}, {5, 5}}
	if len(got) != len(want) {
		t.Fatalf("%v, want %v", got, want)
	}
	for i := range got {
		if got[i] != want[i] {
			t.Errorf("%v, want %v", got, want)
		}
	}
	if points[1] != (point{0.1, 0}) {
		t.Error("thin changed its input")
	}
}

// TestLogScale: whatever the values, they have their place, and there are neither
// few nor many ticks.
func TestLogScale(t *testing.T) {
	for _, c := range []struct {
		smallest, largest float64
		lo, hi            float64
	}{
		{1, 10, 1, 10}, {1.1, 9, 1, 10}, {0.9, 1.1, 0.5, 2}, {5, 5, 2, 10}, {4.5e-6, 2.1, 2e-6, 5},
		{0, 0, 1, 10}, {0, 7, 5, 10}, {math.Inf(1), 0, 1, 10}, {math.NaN(), math.NaN(), 1, 10}, {1e-9, 1e4, 1e-9, 1e4},
	} {
		s := newLogScale(c.smallest, c.largest, 0, 100, "s", false)
		if math.Abs(s.lo/c.lo-1) > 1e-9 || math.Abs(s.hi/c.hi-1) > 1e-9 {
			t.Errorf("%v … %v: from %v to %v, want %v to %v", c.smallest, c.largest, s.lo, s.hi, c.lo, c.hi)
		}
	}
	for x := 1e-9; x < 1e6; x *= 1.31 {
		for ratio := 1.0; ratio < 1e13 && x*ratio < most; ratio *= 2.7 {
			s := newLogScale(x, x*ratio, 0, 100, "s", false)
			if s.lo > x*(1+1e-8) || s.hi < x*ratio*(1-1e-8) {
				t.Fatalf("%v … %v: from %v to %v", x, x*ratio, s.lo, s.hi)
			}
			if n := len(s.ticks()); n < 2 || n > 16 {
				t.Fatalf("%v … %v: %d ticks", x, x*ratio, n)
			}
			if a := s.at(x); a < -1e-6 || a > 100 {
				t.Fatalf("%v … %v: the smallest is at %v", x, x*ratio, a)
			}
		}
	}
}

func TestLogTicks(t *testing.T) {
	for _, c := range []struct {
		lo, hi float64
		want   string
	}{
		{0.5e-3, 5e-3, "500 µs, 1 ms, 2 ms, 5 ms"},
		{1e-6, 1, "1 µs, 10 µs, 100 µs, 1 ms, 10 ms, 100 ms, 1 s"},
		{1, 2000, "1 s, 10 s, 100 s, 1000 s"},
	} {
		s := newLogScale(c.lo, c.hi, 0, 100, "s", false)
		var got []string
		for _, v := range s.ticks() {
			got = append(got, s.tick(v))
		}
		if text := strings.Join(got, ", "); text != c.want {
			t.Errorf("%v … %v: %s, want %s", c.lo, c.hi, text, c.want)
		}
	}
}
