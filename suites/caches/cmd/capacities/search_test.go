package main

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
)

// TestSearch: the result is within the budget and close to it, for costs of an entry from a tenth to ten times the usual,
// also if peaks differ between processes.
func TestSearch(t *testing.T) {
	const base, budget = 12e6, 100e6
	for _, cost := range []float64{8, 80, 235, 2000} {
		for _, noise := range []float64{0, 0.01} {
			rng := rand.New(rand.NewPCG(1, 2))
			n, err := search(budget, func(entries int) (int64, error) {
				return int64((base + cost*float64(entries)) * (1 + noise*rng.Float64())), nil
			})
			fits := (budget - base) / cost
			if err != nil || float64(n) > fits || float64(n) < 0.93*fits {
				t.Errorf("%v bytes an entry, noise %v: %d entries, %v; %.0f fit", cost, noise, n, err, fits)
			}
		}
	}
}

func TestSearchFails(t *testing.T) {
	constant := func(bytes int64) func(int) (int64, error) {
		return func(int) (int64, error) { return bytes, nil }
	}
	if _, err := search(100e6, constant(200e6)); err == nil || !strings.Contains(err.Error(), "too small") {
		t.Errorf("error %v", err)
	}
	if _, err := search(100e6, constant(1e6)); err == nil || !strings.Contains(err.Error(), "too large") {
		t.Errorf("error %v", err)
	}
	broken := errors.New("broken")
	if _, err := search(100e6, func(int) (int64, error) { return 0, broken }); !errors.Is(err, broken) {
		t.Errorf("error %v", err)
	}
}

func TestPeakOf(t *testing.T) {
	const line = "BenchmarkEqualMemory/budget=1MB/cache=otter-2 \t 8 \t 151 ns/op \t 0 B/op \t 31457280 peak-RSS-B\n"
	if n, err := peakOf("goos: linux\n" + line + "PASS\n"); n != 31457280 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
	if _, err := peakOf("PASS\n"); err == nil {
		t.Error("no error without a peak")
	}
}

func TestChosen(t *testing.T) {
	if ks, err := chosen("theine,otter"); err != nil || len(ks) != 2 || ks[0].Name != "theine" {
		t.Errorf("%v, %v", ks, err)
	}
	if _, err := chosen("none"); err == nil {
		t.Error("none has no bound")
	}
}
