package caches

import (
	"strings"
	"testing"
)

func TestEqual(t *testing.T) {
	const text = "100MB:otter=812000,theine=520000"
	e, err := ParseEqual("100MB:theine=520000,otter=812000")
	if err != nil || e.Budget != 100e6 || e.Entries["otter"] != 812_000 || e.String() != text {
		t.Errorf("%+v, %v", e, err)
	}
	for bad, want := range map[string]string{
		"":                       "want a budget and entries",
		"100MB":                  "want a budget and entries",
		"100MiB:otter=1":         `"100MiB": want a whole number of MB`,
		"0MB:otter=1":            `"0MB": want a whole number of MB`,
		"100MB:":                 "no such cache",
		"100MB:map=5":            "no such cache with a bound",
		"100MB:otter":            "want a number of entries",
		"100MB:otter=0":          "want a number of entries",
		"100MB:otter=1,otter=2":  "otter is there twice",
		"100MB:otter=1,theine=x": `"theine=x": want a number of entries`,
	} {
		if _, err := ParseEqual(bad); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q", bad, err, want)
		}
	}
}

func TestEqualFromEnv(t *testing.T) {
	t.Setenv(EqualVariable, "")
	if _, err := EqualFromEnv(); err == nil || !strings.Contains(err.Error(), "go run ./cmd/capacities") {
		t.Errorf("error %v", err)
	}
	t.Setenv(EqualVariable, "x")
	if _, err := EqualFromEnv(); err == nil || !strings.HasPrefix(err.Error(), EqualVariable+": ") {
		t.Errorf("error %v", err)
	}
}

// TestPeakRSS: memory that was touched and given back stays in the peak.
func TestPeakRSS(t *testing.T) {
	before, ok := PeakRSS()
	if !ok {
		t.Skip("this system does not report the peak")
	}
	const size = 64 << 20
	block := make([]byte, size)
	for i := range block {
		block[i] = 1
	}
	if after, _ := PeakRSS(); after < size || after < before {
		t.Errorf("%d bytes after touching %d, before %d", after, size, before)
	}
}
