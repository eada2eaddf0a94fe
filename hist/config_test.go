package hist_test

import (
	"math"
	"testing"

	"github.com/tarebench/tare/hist"
)

func TestConfigValidate(t *testing.T) {
	for _, c := range []struct {
		config hist.Config
		want   string
	}{
		{hist.Config{}, ""},
		{hist.Config{Digits: 5, Lowest: 1, Highest: 2}, ""},
		{hist.Config{Digits: 1, Lowest: math.MaxInt64 >> 6, Highest: math.MaxInt64}, ""},
		{hist.Config{Digits: 6}, "hist: 6 digits: must be 1 to 5, or 0 for 3"},
		{hist.Config{Digits: -1, Lowest: -2, Highest: -3},
			"hist: -1 digits: must be 1 to 5, or 0 for 3\n" +
				"hist: lowest value -2 is negative: must be at least 1, or 0 for 1\n" +
				"hist: highest value -3 is negative: must be at least twice the lowest, or 0 for no limit"},
		{hist.Config{Lowest: 10, Highest: 19}, "hist: highest value 19 is less than twice the lowest, 10"},
		{hist.Config{Digits: 3, Lowest: 1 << 52}, "hist: lowest value 4503599627370496 is too large for 3 digits"},
		{hist.Config{Lowest: math.MaxInt64, Highest: 5},
			"hist: highest value 5 is less than twice the lowest, 9223372036854775807\n" +
				"hist: lowest value 9223372036854775807 is too large for 3 digits"},
	} {
		got := ""
		if err := c.config.Validate(); err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%+v: %q, want %q", c.config, got, c.want)
		}
	}
	panics(t, "hist: 9 digits: must be 1 to 5, or 0 for 3", func() { hist.New(hist.Config{Digits: 9}) })
}

// TestResolution holds every bucket that a value can fall into against what
// Config promises of it.
func TestResolution(t *testing.T) {
	r := random(t)
	for range 1000 {
		c := hist.Config{Digits: 1 + r.IntN(5), Lowest: 1 + r.Int64N(5000)}
		v := anySize(r)
		h := fill(hist.New(c), v)
		for b, n := range h.Buckets() {
			width := float64(b.Highest-b.Lowest) + 1
			if n != 1 || v < b.Lowest || v > b.Highest {
				t.Fatalf("%+v: %d is counted %d times from %d to %d", c, v, n, b.Lowest, b.Highest)
			}
			if width > float64(c.Lowest) && width > float64(v)/math.Pow10(c.Digits) {
				t.Fatalf("%+v: %d is in a bucket of %g values", c, v, width)
			}
		}
	}
}
