package render

import (
	"math"
	"testing"
)

func TestRounding(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct {
		v, lo, hi float64
		scaled    bool
		want      string
	}{
		{6.8217, 6.7102, 6.9809, true, "6.82 6.71 6.98"},
		{302, 291, 455, false, "302 291 455"},
		{302, 120, 655, false, "300 120 660"},                     // the half-width has two digits
		{5, 1, 61, false, "5.0 1.0 61.0"},                         // but the value has two at least
		{98.123, 98.1229, 98.1231, false, "98.123 98.123 98.123"}, // and five at most
		{98.123, -inf, inf, false, "98.1 -inf inf"},               // no interval: three
		{7, -inf, inf, false, "7.00 -inf inf"},
		{0, -0.013, 0.021, false, "0.000 -0.013 0.021"},
		{0, 0, 0, false, "0 0 0"},
		{123456, 123456, 123456, false, "123 456 123 456 123 456"}, // exact counts keep all digits
		{1.5, 1.5, 1.5, true, "1.5 1.5 1.5"},
		{24.109375, 24.109375, 24.109375, true, "24.11 24.11 24.11"},
		{3e-9, 2.9e-9, 3.2e-9, false, "3.00e-09 2.90e-09 3.20e-09"},
		{-12.34, -12.5, -12.1, false, "-12.34 -12.50 -12.10"},
		{9.996, 9.9, 10.1, false, "10.00 9.90 10.10"},
	} {
		g := newGlyphs(false)
		r := roundingOf(c.v, c.lo, c.hi, c.scaled)
		got := g.number(c.v, r) + " " + g.number(c.lo, r) + " " + g.number(c.hi, r)
		if got != c.want {
			t.Errorf("%v (%v … %v): %s, want %s", c.v, c.lo, c.hi, got, c.want)
		}
	}
}

func TestScale(t *testing.T) {
	for _, c := range []struct {
		unit        string
		v           float64
		value       float64
		long, short string
	}{
		{"ns/op", 302, 302, "ns/op", ""},
		{"ns/op", 999.4, 999.4, "ns/op", ""},
		{"ns/op", 999.6, 0.9996, "µs/op", "µs/op"},
		{"ns/op", 3.2e6, 3.2, "ms/op", "ms/op"},
		{"ns/op", 1e12, 1000, "s/op", "s/op"},
		{"ns/op", 0, 0, "ns/op", ""},
		{"sec/op", 0.0032, 3.2, "ms/op", "ms/op"},
		{"sec/op", 2, 2, "s/op", ""},
		{"p99-ns", 18230, 18.23, "p99-µs", "µs"},
		{"producer-ns/op", 18230, 18.23, "producer-µs/op", "µs/op"},
		{"ns/GC", 18230, 18.23, "µs/GC", "µs/GC"},
		{"op/ns", 18230, 18230, "op/ns", ""},
		{"B/op", 10239, 10239, "B/op", ""},
		{"B/op", 10240, 10, "KiB/op", "KiB/op"},
		{"heap-B", 3 << 20, 3, "heap-MiB", "MiB"},
		{"MB/s", 98.4, 98.4, "MB/s", ""},
		{"MB/s", 1856.7, 1.8567, "GB/s", "GB/s"},
		{"MB/s", 0.5, 500, "kB/s", "kB/s"},
		{"B/s", 2.5e6, 2.5, "MB/s", "MB/s"},
		{"op/s", 3.412e7, 34.12, "M op/s", "M op/s"},
		{"producer-op/s", 3.412e7, 34.12, "M producer-op/s", "M op/s"},
		{"op/s", 12, 12, "op/s", ""},
		{"op/s", 1e18, 1e6, "T op/s", "T op/s"},
		{"widgets", 123456, 123456, "widgets", ""},
		{"widgets", 1234567, 1.234567, "M widgets", "M widgets"},
		{"allocs/op", 17, 17, "allocs/op", ""},
		{"", 17, 17, "", ""},
		{"/", 17, 17, "/", ""},
		{"-", 17, 17, "-", ""},
	} {
		s := scaleOf(c.unit, c.v, newGlyphs(true))
		if math.Abs(c.v/s.div-c.value) > 1e-9*math.Abs(c.value) || s.long() != c.long || s.short() != c.short {
			t.Errorf("%v %s: %v %q %q, want %v %q %q", c.v, c.unit, c.v/s.div, s.long(), s.short(), c.value, c.long, c.short)
		}
	}
	for _, v := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), math.MaxFloat64, math.SmallestNonzeroFloat64} {
		for _, unit := range []string{"ns/op", "B/op", "MB/s", "B/s", "op/s", "x"} {
			if s := scaleOf(unit, v, newGlyphs(true)); !(s.div > 0) {
				t.Errorf("%v %s is divided by %v", v, unit, s.div)
			}
		}
	}
}

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

func TestWords(t *testing.T) {
	g := newGlyphs(true)
	for _, c := range []struct{ got, want string }{
		{level(0.95), "95 %"},
		{level(0.999), "99.9 %"},
		{g.percent(0.0041), "0.4 %"},
		{g.percent(0.0996), "10 %"},
		{g.percent(0.24), "24 %"},
		{g.percent(0), "0.0 %"},
		{g.percent(math.NaN()), "–"},
		{group("1234"), "1234"},
		{group("12345"), "12 345"},
		{group("-1234567.25"), "-1 234 567.25"},
		{g.cost(0.263), "0.26 ns"},
		{g.cost(22.1), "22 ns"},
		{g.cost(412_000), "410 µs"},
		{g.cost(3_140_000), "3.1 ms"},
		{plural(1, "core"), "1 core"},
		{duration(600e9), "10m"},
		{duration(7200e9), "2h"},
		{duration(50e6), "50ms"},
		{duration(0), "0s"},
		{duration(10e9), "10s"},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
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
		if got := newGlyphs(true).sparkline(numbers(c.values...), c.median); got != c.want {
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
		got := []rune(newGlyphs(true).sparkline(numbers(xs...), 1))
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
