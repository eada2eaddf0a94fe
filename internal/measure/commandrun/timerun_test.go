package commandrun

import (
	"errors"
	"io/fs"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/tarebench/tare/internal/base/diagnosis"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/record"
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
	for _, w := range p.warnings(r, startCost{median: 5e5}, false) {
		codes = append(codes, w.Code)
		if strings.Contains(w.Text, "not available") {
			t.Error(w.Text)
		}
	}
	if want := []string{diagnosis.ExitStatus, diagnosis.StartCost, diagnosis.FirstRun, diagnosis.NoPeak}; !slices.Equal(codes, want) {
		t.Error(codes)
	}
	bounded := &program{peakBounds: 2, peakBelow: 2 << 20}
	small := &result.Benchmark{Case: 2, Forks: 4, Interval: result.Interval{Median: 1e9}}
	if ws := bounded.warnings(small, startCost{median: 1e6}, false); len(ws) > 0 {
		t.Errorf("a bound is a figure: %+v", ws)
	}
	small.Metrics = result.Metrics{{Unit: result.UnitPeak}}
	if ws := bounded.warnings(small, startCost{median: 1e6}, false); len(ws) != 1 || ws[0].Text != "peak RSS is that of 2 of 4 runs; that of the others is below 2.00 MiB" {
		t.Errorf("peaks of some runs: %+v", ws)
	}
	if ws := (&program{}).warnings(&result.Benchmark{Case: 2, Forks: 1, Interval: result.Interval{Median: 1e9}}, startCost{median: 1e6}, false); len(ws) > 0 {
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

// TestStartWarning: a start-up that was slow because others had the processors is not the command's.
func TestStartWarning(t *testing.T) {
	for _, c := range []struct {
		start  startCost
		median float64
		want   string
	}{
		{startCost{0.85e6, 0.8e6, 20}, 7e6, "starting a process alone takes 12 % of a run → start-up dominates; use a longer workload"},
		{startCost{0.85e6, 0.8e6, 20}, 70e6, ""},
		{startCost{4.85e6, 0.8e6, 20}, 7e6, "other processes had the processors: starting an empty process took 4.8 ms, the fastest of 20 took 800 µs. Starting takes 11 % of a run or more → repeat on a quieter machine; use a longer workload"},
		{startCost{4.85e6, 0.8e6, 20}, 9e6, "other processes had the processors: starting an empty process took 4.8 ms, the fastest of 20 took 800 µs → repeat on a quieter machine"},
		{startCost{4.85e6, 0.8e6, 20}, 90e6, ""},
		{startCost{4.85e6, 0.8e6, 3}, 7e6, "starting a process alone takes 69 % of a run → start-up dominates; use a longer workload"},
	} {
		got := ""
		if w := c.start.warning(c.median, false); w != nil {
			got = w.Text + " → " + w.Advice
		}
		if got != c.want {
			t.Errorf("%+v of %g: %q, want %q", c.start, c.median, got, c.want)
		}
	}
}

// TestFirstRun: that files were not cached is said where the kernel read them, and not where the run lost its processor.
func TestFirstRun(t *testing.T) {
	for _, c := range []struct {
		name    string
		first   record.Fork
		machine bool
		want    string
	}{
		{"reads", record.Fork{Majflt: 9, Lost: new(0.6)}, false, "its files were not cached yet"},
		{"lost", record.Fork{Majflt: 1, Lost: new(0.6)}, false, "other processes had the processors meanwhile"},
		{"others", record.Fork{Wall: 100, User: 20, Others: new(int64(150))}, false, "other processes had the processors meanwhile"},
		{"idle", record.Fork{Wall: 100, User: 20, Others: new(int64(50)), Idle: 80}, false, "its files may not have been cached yet"},
		{"quiet", record.Fork{Lost: new(0.0)}, false, "its files may not have been cached yet"},
		{"starts were slow", record.Fork{Lost: new(0.0)}, true, "other processes had the processors meanwhile"},
	} {
		p := &program{}
		p.note(&c.first, &record.Sample{Ns: 20})
		p.note(&record.Fork{Majflt: 1, Lost: new(0.9)}, &record.Sample{Ns: 10})
		if got, want := p.slowFirst(2, c.machine).Text, "the first run took 2.0 times as long as the median of the others: "+c.want; got != want {
			t.Errorf("%s: %q, want %q", c.name, got, want)
		}
	}
	p := &program{firstNs: 90}
	r := &result.Benchmark{Case: 1, Forks: 5, Interval: result.Interval{Median: 10}, Values: []result.Number{20, 10, 10, 10, 10}}
	if ws := p.warnings(r, startCost{}, false); len(ws) > 0 {
		t.Errorf("the first run does not count: %+v", ws)
	}
}
