package report_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/tarebench/tare/record"
	"github.com/tarebench/tare/report"
	"github.com/tarebench/tare/summary"
)

// tracedFork has functions that were called so often, 100 operations, each call taking
// 10 ns without probes.
func tracedFork(calls ...int64) *record.Trace {
	t := &record.Trace{Mode: record.TraceExact, Clock: record.TraceCycles, Window: record.AsmMarks, Windows: 1, Ops: 100}
	for i, n := range calls {
		t.Calls += n
		t.Funcs = append(t.Funcs, record.TraceFunc{
			Name: fmt.Sprintf("example.org/p.f%d", i), Calls: n, Timed: n, Total: 40 * float64(n), Corrected: 10 * float64(n), CorrectedSelf: 10 * float64(n),
		})
	}
	return t
}

func writeTraced(t *testing.T, o report.Options, x ...summary.Traced) string {
	t.Helper()
	var b bytes.Buffer
	if err := report.Write(&b, report.Text, &summary.Summary{Run: &record.Run{Config: record.Config{CPU: []int{1, 2}}}, Traced: x}, o); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestTraced: calls per operation of each benchmark, the range of its forks where they
// differ, and which times are the probe's.
func TestTraced(t *testing.T) {
	a := summary.Traced{Pkg: "example.org/p", Name: "A", Side: "old", Procs: 2, Traces: []*record.Trace{tracedFork(300, 100, 0), tracedFork(300, 150, 0)}}
	got := writeTraced(t, report.Options{UTF8: true}, a)
	for _, want := range []string{"calls of A-2, old\n", "in forks", "\n  f0       3                   71 %\n", "\n  f1       1.25  1 … 1.50      29 %\n", "\ntare trace, given the record, shows"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	if strings.Contains(got, "f2") || strings.Contains(got, "!") {
		t.Errorf("what was not called, or no probe's:\n%s", got)
	}

	one := tracedFork(300, 7, 6, 5, 4, 3, 2)
	one.Funcs[0].Dominated = true
	one.Window = record.AsmRough
	b := summary.Traced{Pkg: "example.org/p", Name: "B", Traces: []*record.Trace{one}}
	got = writeTraced(t, report.Options{}, b)
	for _, want := range []string{"~3", "~0.0700", "\n  and 2 functions more\n", "   !\n", "! its time is mostly that of the probe"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	if strings.Contains(got, "in forks") || strings.Contains(got, "f6") || strings.ContainsFunc(got, func(r rune) bool { return r > '~' }) {
		t.Errorf("%s", got)
	}
	if got = writeTraced(t, report.Options{Verbose: true, UTF8: true}, b); !strings.Contains(got, "  f6 ") || !strings.Contains(got, "≈0.0200") {
		t.Errorf("not all of\n%s", got)
	}

	other := tracedFork(1)
	got = writeTraced(t, report.Options{}, summary.Traced{Name: "C", Traces: []*record.Trace{one, other}}, summary.Traced{Name: "D", Traces: []*record.Trace{tracedFork(0)}})
	for _, want := range []string{"\n  the forks were traced in different ways", "\n  no function with probes was called\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}
