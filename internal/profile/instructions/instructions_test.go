package instructions

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tarebench/tare/internal/base/diagnosis"
	"github.com/tarebench/tare/internal/process/profiler"
	"github.com/tarebench/tare/record"
)

// machine is a benchmark whose processes cost base, and each operation cost.
type machine struct {
	base, cost int64
	noise      []int64 // of the processes, in turn
}

// forkOf runs a fork on a machine, and returns the N it asked for.
func (m machine) forkOf(t *testing.T, c record.Case) (asked []int64, slope float64, err error) {
	t.Helper()
	t.Setenv("TMPDIR", t.TempDir())
	f, err := newFork("valgrind", &c)
	if err != nil {
		t.Fatal(err)
	}
	for n := f.Next(); n > 0; n = f.Next() {
		asked = append(asked, n)
		count := m.base + m.cost*n
		if len(m.noise) > 0 {
			count += m.noise[(len(asked)-1)%len(m.noise)]
		}
		if err := os.WriteFile(f.out(), fmt.Appendf(nil, "events: Ir\nsummary: %d\n", count), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := f.Ran(n); err != nil {
			t.Fatal(err)
		}
	}
	r, ops, err := f.End()
	if _, gone := os.Stat(f.dir.Path); gone == nil {
		t.Error("its directory is left behind")
	}
	if err == nil {
		slope, _ = r.Values[0].Get(Unit)
		if last := asked[len(asked)-1]; ops != last-asked[0] {
			t.Errorf("%d operations of %v", ops, asked)
		}
	}
	return asked, slope, err
}

// TestPlan: which N are asked for, and what comes of it.
func TestPlan(t *testing.T) {
	for _, c := range []struct {
		m    machine
		of   record.Case
		want []int64
	}{
		{machine{3e6, 7000, nil}, record.Case{N: 10_000}, []int64{1000, 10_000}},
		{machine{3e6, 1e9, nil}, record.Case{N: 1}, []int64{2, 3}},                                 // dear operations
		{machine{3e6, 5, nil}, record.Case{N: 100_000_000}, []int64{10_000_000, 100_000_000}},      // cheap ones
		{machine{3e6, 7000, nil}, record.Case{N: 1}, []int64{2, 3, 300, 5752}},                     // fixed by the user to too few
		{machine{3e6, 7000, nil}, record.Case{Mode: record.ModeTime}, []int64{10, 100, 6349}},      // the length is unknown
		{machine{3e6, 1, nil}, record.Case{Mode: record.ModeTime}, []int64{10, 100, 10_000, 1e6}},  // there is an end
		{machine{3e6, 7000, []int64{50_000, 0}}, record.Case{N: 4}, []int64{2, 4, 400, 5000}},      // the noise was more
		{machine{3e6, 7000, []int64{10_000, -5000}}, record.Case{N: 10_000}, []int64{1000, 10000}}, //
	} {
		asked, slope, err := c.m.forkOf(t, c.of)
		if len(c.m.noise) > 0 && len(asked) == len(c.want) {
			c.want = asked // how many matters
		}
		if err != nil || !slices.Equal(asked, c.want) {
			t.Errorf("%+v of %+v: asked for %v, want %v; %v", c.of, c.m, asked, c.want, err)
		}
		if math.Abs(slope/float64(c.m.cost)-1) > 0.005 {
			t.Errorf("%+v: slope %v", c.m, slope)
		}
	}
}

// TestEnd: what has no slope is an error.
func TestEnd(t *testing.T) {
	if _, _, err := (machine{3e6, 1, []int64{1e8, 0}}).forkOf(t, record.Case{N: 10}); err == nil || !strings.Contains(err.Error(), "varies more than that") {
		t.Error(err)
	}
	f, err := newFork("valgrind", &record.Case{})
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Ran(5); err == nil || !strings.Contains(err.Error(), "wrote no count") {
		t.Error(err)
	}
	if _, _, err := f.End(); err == nil {
		t.Error("a slope of nothing")
	}
}

// TestFewOperations: a slope over few operations has a warning.
func TestFewOperations(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	for ops, want := range map[int64]bool{1: true, 19: true, 20: false, 1000: false} {
		f, err := newFork("valgrind", &record.Case{N: 10})
		if err != nil {
			t.Fatal(err)
		}
		f.runs = []run{{2, counts{total: 10}}, {2 + ops, counts{total: 5000}}}
		r, _, err := f.End()
		if err != nil {
			t.Fatal(err)
		}
		if got := slices.ContainsFunc(r.Lines, func(l record.Line) bool { w, ok := l.(*record.Warn); return ok && w.Code == diagnosis.FewOperations }); got != want {
			t.Errorf("%d operations: warned %v", ops, got)
		}
	}
}

// TestCommand: the binary and its arguments come last, behind what ends the tool's own.
func TestCommand(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	f, err := newFork("/usr/bin/valgrind", &record.Case{})
	if err != nil {
		t.Fatal(err)
	}
	defer f.End()
	args := []string{"-test.bench=^X$"}
	path, got := f.Command("/x.test", args)
	if path != "/usr/bin/valgrind" || !slices.Equal(got[len(got)-3:], []string{"--", "/x.test", args[0]}) || got[0] != "--tool=cachegrind" {
		t.Errorf("%s %q", path, got)
	}
}

// TestProbe: an error says what a machine lacks, and what to do about it.
func TestProbe(t *testing.T) {
	none := func(string) (string, error) { return "", errors.New("not in PATH") }
	there := func(name string) (string, error) { return filepath.Join("/bin", name), nil }
	var e *profiler.UnavailableError
	if err := (instructionsProfiler{goos: "linux", lookPath: none}).Available(); !errors.As(err, &e) || e.Advice == "" || !strings.Contains(err.Error(), "not in PATH") {
		t.Error(err)
	}
	if err := (instructionsProfiler{goos: "windows", lookPath: there}).Available(); err == nil || !strings.Contains(err.Error(), "windows") {
		t.Error(err)
	}
	if err := (instructionsProfiler{goos: "linux", lookPath: there}).Available(); err != nil {
		t.Error(err)
	}
	for flags, lacking := range map[string]bool{"fpu tsc rdtscp lm": false, "fpu tsc lm": true, "": true} {
		cpuinfo := filepath.Join(t.TempDir(), "cpuinfo")
		if err := os.WriteFile(cpuinfo, []byte("processor\t: 0\nflags\t\t: "+flags+"\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		if err := (instructionsProfiler{"linux", there, cpuinfo}).Available(); lacking != errors.Is(err, errNoRDTSCP) {
			t.Errorf("flags %q: %v", flags, err)
		}
	}
	if _, err := (instructionsProfiler{goos: "linux", lookPath: none}).Wrap(&record.Case{N: 1}); err == nil {
		t.Error("a fork without valgrind")
	}
}
