package units

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
		{7, -1e300, 1e300, false, "7.0 -1.00e+300 1.00e+300"}, // of a damaged record
	} {
		r := Round(c.v, c.lo, c.hi, c.scaled)
		got := r.Text(c.v) + " " + r.Text(c.lo) + " " + r.Text(c.hi)
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
		s := ScaleOf(c.unit, c.v)
		if math.Abs(c.v/s.Div-c.value) > 1e-9*math.Abs(c.value) || s.Long() != c.long || s.Short() != c.short {
			t.Errorf("%v %s: %v %q %q, want %v %q %q", c.v, c.unit, c.v/s.Div, s.Long(), s.Short(), c.value, c.long, c.short)
		}
	}
	for _, v := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), math.MaxFloat64, math.SmallestNonzeroFloat64} {
		for _, unit := range []string{"ns/op", "B/op", "MB/s", "B/s", "op/s", "x"} {
			if s := ScaleOf(unit, v); !(s.Div > 0) {
				t.Errorf("%v %s is divided by %v", v, unit, s.Div)
			}
		}
	}
}

func TestWords(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{Level(0.95), "95 %"},
		{Level(0.999), "99.9 %"},
		{Percent(0.0041), "0.4 %"},
		{Percent(0.0996), "10 %"},
		{Percent(0.24), "24 %"},
		{Percent(0), "0.0 %"},
		{Percent(math.NaN()), "–"},
		{Group("1234"), "1234"},
		{Group("12345"), "12 345"},
		{Group("-1234567.25"), "-1 234 567.25"},
		{Cost(0.263), "0.26 ns"},
		{Cost(22.1), "22 ns"},
		{Cost(412_000), "410 µs"},
		{Cost(3_140_000), "3.1 ms"},
		{Plural(1, "core"), "1 core"},
		{Duration(600e9), "10m"},
		{Duration(7200e9), "2h"},
		{Duration(50e6), "50ms"},
		{Duration(0), "0s"},
		{Duration(10e9), "10s"},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
}

func TestP(t *testing.T) {
	for _, c := range []struct {
		x    float64
		want string
	}{{1, "1.000"}, {0.0312, "0.031"}, {0.00098, "0.00098"}, {1e-9, "<0.00001"}, {0, "<0.00001"}, {math.NaN(), "–"}} {
		if got := Probability(c.x); got != c.want {
			t.Errorf("%v: %s, want %s", c.x, got, c.want)
		}
	}
}

// TestNumbers: numbers without a unit.
func TestNumbers(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct {
		name, got, want string
	}{
		{"Fixed", Fixed(1234567.25, 1), "1 234 567.2"}, {"Fixed", Fixed(-0.001, 0), "0"}, {"Fixed", Fixed(math.NaN(), 3), None}, {"Fixed", Fixed(-inf, 3), "-inf"},
		{"Significant", Significant(9.999, 3), "10.0"}, {"Significant", Significant(0, 3), "0"}, {"Significant", Significant(12345.6, 3), "12 346"},
		{"Significant", Significant(0.0012, 3), "0.00120"}, {"Significant", Significant(inf, 3), "inf"},
		{"Trimmed", Trimmed(3127.4, 2), "3100"}, {"Trimmed", Trimmed(12, 2), "12"}, {"Trimmed", Trimmed(0.123, 2), "0.12"}, {"Trimmed", Trimmed(1.10, 3), "1.1"},
		{"Trimmed", Trimmed(999_999, 2), "1 000 000"}, {"Trimmed", Trimmed(0, 2), "0"}, {"Trimmed", Trimmed(100, 3), "100"},
		{"Plain", Plain(99.99), "99.99"}, {"Plain", Plain(12500), "12 500"}, {"Plain", Plain(1e21), "1 000 000 000 000 000 000 000"},
		{"Signed", Signed(-0.5, "0.5"), "−0.5"}, {"Signed", Signed(3, "3"), "+3"}, {"Signed", Signed(-0.001, "0.00"), "0.00"},
		{"Brief", Brief(0), "0 ns"}, {"Brief", Brief(100), "100 ns"}, {"Brief", Brief(1_500_000), "1.5 ms"}, {"Brief", Brief(1_034_000), "1.03 ms"},
		{"Brief", Brief(999_600), "1 ms"}, {"Brief", Brief(90e9), "90 s"},
	} {
		if c.got != c.want {
			t.Errorf("%s: %q, want %q", c.name, c.got, c.want)
		}
	}
}
