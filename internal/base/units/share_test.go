package units

import "testing"

// TestParseWholeShare: 3% and 0.03 are the same, and both ends belong to it.
func TestParseWholeShare(t *testing.T) {
	for s, want := range map[string]float64{"10%": 0.1, "0.1": 0.1, " 5 % ": 0.05, "0": 0, "0%": 0, "1": 1, "100%": 1} {
		if got, err := ParseWholeShare(s); err != nil || got != want {
			t.Errorf("%q: %v, %v; want %v", s, got, err, want)
		}
	}
	for _, s := range []string{"", "x", "-1", "-5%", "1.1", "101%", "NaN", "10%%"} {
		if got, err := ParseWholeShare(s); err == nil {
			t.Errorf("%q: %v", s, got)
		}
	}
	for _, s := range []string{"0", "100%", "1"} {
		if got, err := ParseShare(s); err == nil {
			t.Errorf("%q is a share: %v", s, got)
		}
	}
}

// TestPercentTo: a share beyond all numbers has no digits.
func TestPercentTo(t *testing.T) {
	for share, want := range map[float64]string{0.125: "12.5 %", 1e308: "∞ %"} {
		if got := PercentTo(share, 1); got != want {
			t.Errorf("%v: %q, want %q", share, got, want)
		}
	}
}
