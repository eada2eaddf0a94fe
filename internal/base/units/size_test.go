package units

import (
	"math"
	"testing"
)

func TestParseSize(t *testing.T) {
	for s, want := range map[string]float64{
		"1": 1, "1000": 1000, "0": 0, "1e6": 1e6, "1E6": 1e6, "1e+3": 1000, "2.5": 2.5, "1_000_000": 1e6,
		"1k": 1e3, "1K": 1e3, "1.5k": 1500, "10M": 1e7, "2G": 2e9, "1T": 1e12, "1P": 1e15, "8m": 8e6,
		"1Ki": 1024, "4KiB": 4096, "4kib": 4096, "64MiB": 64 << 20, "1GiB": 1 << 30, "64B": 64, "64b": 64, "4KB": 4000, "1MB": 1e6,
		"2^10": 1024, "10^6": 1e6, "1<<20": 1 << 20, "3<<2": 12, "007": 7,
	} {
		if n, ok := ParseSize(s); !ok || math.Abs(n-want) > 1e-9*want {
			t.Errorf("%q: %v %v, want %v", s, n, ok, want)
		}
	}
	for _, s := range []string{
		"", "small", "-1", "+1", "k", "B", "1kk", "1kBB", "1BB", "1i", "1iB", "10ms", "1x", "1k#01", "1 k", "0x10", "NaN", "Inf", "1e999",
		"9^999", "1<<9999", "2^", "^2", "<<3", "1<<", "1,000", "1_", "½", "1kB/s", "1e6k6", "3^-1", "1P9",
	} {
		if n, ok := ParseSize(s); ok {
			t.Errorf("%q is %v", s, n)
		}
	}
}

// TestParseBytes: flags take every size that parameters of benchmarks may have.
func TestParseBytes(t *testing.T) {
	for text, want := range map[string]int64{"64M": 64e6, "64MiB": 64 << 20, "1.5 GiB": 3 << 29, "2TiB": 2 << 40, "1000000": 1e6, "0": 0, "10B": 10, "1<<20": 1 << 20} {
		if n, err := ParseBytes(text); err != nil || n != want {
			t.Errorf("%s: %d, %v", text, n, err)
		}
	}
	for _, text := range []string{"", "lots", "-1", "1e30", "NaN", "KiB", "1XB"} {
		if n, err := ParseBytes(text); err == nil {
			t.Errorf("%q: %d", text, n)
		}
	}
}

func FuzzParseSize(f *testing.F) {
	for _, s := range []string{"1k", "4KiB", "1e6", "2^10", "1<<20", "1_000", "B", "1iB"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if n, ok := ParseSize(s); ok && (!(n >= 0) || math.IsInf(n, 0)) {
			t.Errorf("%q: %v", s, n)
		}
	})
}

func TestRate(t *testing.T) {
	for x, want := range map[float64]string{
		0: "0/s", 0.5: "0.5/s", 2: "2/s", 12.34: "12.3/s", 238.9: "239/s", 99.96: "100/s", 5000: "5000/s", 12345: "12 345/s", 2741000: "2.74 M/s",
	} {
		if got := Rate(x); got != want {
			t.Errorf("Rate(%v) = %q, want %q", x, got, want)
		}
	}
}
