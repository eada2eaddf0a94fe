package chart

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/tarebench/tare/internal/base/termtext"
)

func TestScale(t *testing.T) {
	for _, c := range []struct {
		largest   float64
		unit      string
		plain     bool
		max, step float64
		name      string
		lastTick  string
	}{
		{0, "B", false, 1, 0.2, "B", "1"},
		{math.NaN(), "B", false, 1, 0.2, "B", "1"},
		{1, "B", false, 1, 0.2, "B", "1"},
		{1.01, "B", false, 1.5, 0.5, "B", "1.5"},
		{999, "B", false, 1000, 200, "kB", "1"},
		{1.4e6, "op/s", false, 1.5e6, 0.5e6, "Mop/s", "1.5"},
		{2.3e9, "B", false, 2.5e9, 0.5e9, "GB", "2.5"},
		{3e-7, "s", false, 3e-7, 1e-7, "ns", "300"},
		{3e-12, "s", false, 3e-12, 1e-12, "s", "0"},
		{77, "%", true, 80, 20, "%", "80"},
		{1e6, "", false, 1e6, 2e5, "", "1 000 000"},
	} {
		s := newScale(c.largest, 5, 0, 100, c.unit, c.plain)
		ticks := s.ticks()
		last := ticks[len(ticks)-1]
		near := func(a, b float64) bool { return math.Abs(a-b) <= 1e-9*math.Abs(b) }
		if !near(s.max, c.max) || !near(s.step, c.step) || s.unit.name != c.name || s.tick(last) != c.lastTick || !near(last, s.max) {
			t.Errorf("%v %s: to %v by %v %s, last tick %s; want to %v by %v %s, last tick %s",
				c.largest, c.unit, s.max, s.step, s.unit.name, s.tick(last), c.max, c.step, c.name, c.lastTick)
		}
		if s.at(0) != 0 || s.at(s.max) != 100 {
			t.Errorf("%v: from %v to %v pixels", c.largest, s.at(0), s.at(s.max))
		}
	}
}

// TestScaleRoom: whatever the largest value, it has its place and there are
// neither few nor many ticks.
func TestScaleRoom(t *testing.T) {
	for x := 1e-8; x < 1e12; x *= 1.07 {
		s := newScale(x, 5, 0, 1, "B", false)
		if n := len(s.ticks()); s.max < x*(1-1e-8) || s.max > 2*x || n < 3 || n > 6 {
			t.Errorf("%v: to %v with %d ticks", x, s.max, n)
		}
	}
}

func TestFigure(t *testing.T) {
	for x, want := range map[float64]string{
		0: "0", 1: "1.00", 12.345: "12.3", 123.45: "123", 1234.5: "1234", 9.999: "10.0", 99.99: "100", 0.1234: "0.123", 0.9999: "1.00", -2.5: "-2.50",
	} {
		if got := (scale{unit: unit{"", 1}}).figure(x); got != want {
			t.Errorf("%v is %s, want %s", x, got, want)
		}
	}
}

func FuzzEscape(f *testing.F) {
	f.Add("<&>\"\x00\xff")
	f.Fuzz(func(t *testing.T, s string) {
		for i, r := range termtext.XML(s) {
			if (r < ' ' && r != '\t') || r == '<' || r == '>' || r == '"' {
				t.Fatalf("%q: %q at %d", s, r, i)
			}
		}
	})
}

// TestNearScale: every value has its place between the ends, which are ticks, and a tenth of the largest value at
// least is shown.
func TestNearScale(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	for range 2000 {
		largest := math.Exp(20 * r.NormFloat64() / 3)
		smallest := largest * math.Exp(-math.Abs(r.NormFloat64()))
		s := newNearScale(smallest, largest, 5, 0, 100, "", true)
		ticks := s.ticks()
		first, last := ticks[0], ticks[len(ticks)-1]
		if s.at(smallest) < -1e-6 || s.at(largest) > 100+1e-6 || math.Abs(s.at(first)) > 1e-6 || math.Abs(s.at(last)-100) > 1e-6 || len(ticks) < 2 || len(ticks) > 12 || last-first < 0.1*largest*(1-1e-6) {
			t.Fatalf("%g … %g: %+v, ticks %g", smallest, largest, s, ticks)
		}
	}
}

// TestScaleOfExtremes: whatever the values are, there are a few ticks with a step between them, and every place is a
// number.
func TestScaleOfExtremes(t *testing.T) {
	values := []float64{0, math.SmallestNonzeroFloat64, 1e-310, 1e-300, least, 1e-9, 1, most, 1e300, math.MaxFloat64, math.Inf(1), math.NaN(), -1, -1e300}
	for _, largest := range values {
		for _, smallest := range values {
			for _, s := range []scale{newScale(largest, 5, 0, 100, "s", false), newNearScale(smallest, largest, 5, 0, 100, "s", false)} {
				if !(s.step > 0) || !(s.max > s.min) || s.max/s.step > 1000 {
					t.Fatalf("%g … %g: %+v", smallest, largest, s)
				}
				if n := len(s.ticks()); n < 2 || n > 12 || math.IsNaN(s.at(1)) {
					t.Errorf("%g … %g: %d ticks of %+v", smallest, largest, n, s)
				}
			}
			s := newLogScale(smallest, largest, 0, 100, "s", false)
			if !(s.lo > 0) || !(s.hi > s.lo) || math.IsInf(s.hi/s.lo, 0) {
				t.Fatalf("%g … %g: %+v", smallest, largest, s)
			}
			if n := len(s.ticks()); n < 1 || n > 40 || math.IsNaN(s.at(1)) {
				t.Errorf("%g … %g: %d ticks of %+v", smallest, largest, n, s)
			}
		}
	}
}
