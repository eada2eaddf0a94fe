package timerun

import (
	"errors"
	"io/fs"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/tarebench/tare/internal/result"
)

func TestSlowFirst(t *testing.T) {
	for _, c := range []struct {
		values []result.Number
		want   float64
	}{
		{[]result.Number{20, 10, 10, 10, 10}, 2},
		{[]result.Number{14, 10, 10, 10, 10}, 0},
		{[]result.Number{20, 10, 25, 10, 10}, 0},
		{[]result.Number{20, 10, 10, 10}, 0},
		{nil, 0},
	} {
		if got := slowFirst(c.values); got != c.want {
			t.Errorf("%v: %v, want %v", c.values, got, c.want)
		}
	}
}

func TestWarnings(t *testing.T) {
	p := &program{failures: 3, lastFailed: "ended with status 3", noPeak: "not available: so small"}
	r := &result.Benchmark{Case: 1, Forks: 10, Interval: result.Interval{Median: 1e6}, Values: []result.Number{3e6, 1e6, 1e6, 1e6, 1e6}}
	var codes []string
	for _, w := range p.warnings(r, 5e5, false) {
		codes = append(codes, w.Code)
		if strings.Contains(w.Text, "not available") {
			t.Error(w.Text)
		}
	}
	if want := []string{codeExitStatus, codeStartCost, codeFirstRun, codeNoPeak}; !slices.Equal(codes, want) {
		t.Error(codes)
	}
	bounded := &program{peakBounds: 2, peakBelow: 2 << 20}
	small := &result.Benchmark{Case: 2, Forks: 4, Interval: result.Interval{Median: 1e9}}
	if ws := bounded.warnings(small, 1e6, false); len(ws) > 0 {
		t.Errorf("a bound is a figure: %+v", ws)
	}
	small.Metrics = result.Metrics{{Unit: result.UnitPeak}}
	if ws := bounded.warnings(small, 1e6, false); len(ws) != 1 || ws[0].Text != "peak RSS is that of 2 of 4 runs; that of the others is below 2.0 MiB" {
		t.Errorf("peaks of some runs: %+v", ws)
	}
	if ws := (&program{}).warnings(&result.Benchmark{Case: 2, Forks: 1, Interval: result.Interval{Median: 1e9}}, 1e6, false); len(ws) > 0 {
		t.Errorf("%+v", ws)
	}
}

func TestStderrFile(t *testing.T) {
	e, err := newStderrFile()
	if err != nil {
		t.Fatal(err)
	}
	name := e.f.Name()
	for _, c := range []struct{ said, want string }{
		{"", ""},
		{"one\n", "one"},
		{"\n\ttwo \r\nthree\n\n", "    two\nthree"},
		{strings.Repeat("line\n", 20) + "last", strings.Repeat("line\n", 9) + "last"},
		{strings.Repeat("x", 5000) + "\nafter", "after"},
		{"\x1b[31mred\xff", "?[31mred?"},
	} {
		f := e.begin()
		if _, err := f.WriteString(c.said); err != nil {
			t.Fatal(err)
		}
		if got := e.tail(); got != c.want {
			t.Errorf("%q: %q, want %q", c.said, got, c.want)
		}
	}
	e.close()
	if _, err := os.Stat(name); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("left behind: %v", err)
	}
	(*stderrFile)(nil).close()
}
