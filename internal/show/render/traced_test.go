package render_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/show/render"
	"github.com/tarebench/tare/record"
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

func writeTraced(t *testing.T, o render.Options, x ...result.Profiled[record.Trace]) string {
	t.Helper()
	return writeTracedAs(t, render.Text, o, x...)
}

func writeTracedAs(t *testing.T, format render.Format, o render.Options, x ...result.Profiled[record.Trace]) string {
	t.Helper()
	var b bytes.Buffer
	if err := render.Write(&b, format, &result.Result{Run: &record.Run{Config: record.Config{CPU: []int{1, 2}}}, Calls: x}, o); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestTraced: calls per operation of each benchmark, the range of its forks where they
// differ, and which times are the probe's.
func TestTraced(t *testing.T) {
	a := result.Profiled[record.Trace]{Pkg: "example.org/p", Name: "A", Side: "old", Procs: 2, Forks: []*record.Trace{tracedFork(300, 100, 0), tracedFork(300, 150, 0)}}
	got := writeTraced(t, render.Options{UTF8: true}, a)
	for _, want := range []string{"calls of A-2, old\n", "in forks", "\n  f0       3                   71 %\n", "\n  f1       1.25  1 … 1.50      29 %\n", "\ntare trace, given the record, shows"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	if strings.Contains(got, "f2") || strings.Contains(got, "!") {
		t.Errorf("what was not called, or no probe's:\n%s", got)
	}

	one := tracedFork(300, 7, 6, 5, 4, 3, 2)
	one.Funcs[0].Dominated, one.Funcs[0].Corrected = true, 1500
	one.Window = record.AsmRough
	b := result.Profiled[record.Trace]{Pkg: "example.org/p", Name: "B", Forks: []*record.Trace{one}}
	got = writeTraced(t, render.Options{}, b)
	for _, want := range []string{"~3", "~0.0700", "\n  and 2 functions more\n", "   !\n", "! its time is mostly that of the probe"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	if strings.Contains(got, "in forks") || strings.Contains(got, "f6") || strings.ContainsFunc(got, func(r rune) bool { return r > '~' }) {
		t.Errorf("%s", got)
	}
	if got = writeTraced(t, render.Options{Verbose: true, UTF8: true}, b); !strings.Contains(got, "  f6 ") || !strings.Contains(got, "≈0.0200") {
		t.Errorf("not all of\n%s", got)
	}

	other := tracedFork(1)
	got = writeTraced(t, render.Options{}, result.Profiled[record.Trace]{Name: "C", Forks: []*record.Trace{one, other}}, result.Profiled[record.Trace]{Name: "D", Forks: []*record.Trace{tracedFork(0)}})
	for _, want := range []string{"\n  the forks were traced in different modes, or with different functions", "\n  no function with probes was called\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}

// TestTracedLong: a call in which the thread lost its processor does not put a function to
// the top, in none of the forks.
func TestTracedLong(t *testing.T) {
	fork := func() *record.Trace {
		x := tracedFork(2016, 30_000, 10_000)
		x.Probe = record.TraceProbe{Inside: 30, Outside: 60}
		f := &x.Funcs[0]
		f.Max = 4.2e5
		for _, ns := range []*float64{&f.Total, &f.Self, &f.Corrected, &f.CorrectedSelf} {
			*ns += 4.2e5
		}
		f.Self, f.Mean = f.Total, f.Total/float64(f.Timed)
		return x
	}
	got := writeTraced(t, render.Options{Width: 80}, result.Profiled[record.Trace]{Pkg: "example.org/p", Name: "A", Forks: []*record.Trace{fork(), fork(), fork()}})
	want := "  f1      300        71 %\n  f2      100        24 %\n  f0       20.2   4.8 % *\n" +
		"own times not checked: there are no forks without probes\n" +
		"* 1.3 ms of the 1.3 ms of f0 are 3 calls of 6048: its first, of more work, or\n"
	if !strings.Contains(got, want) {
		t.Errorf("no\n%s in\n%s", want, got)
	}
}

// TestTracedFormats: the calls are in Markdown and JSON, too.
func TestTracedFormats(t *testing.T) {
	x := result.Profiled[record.Trace]{Pkg: "example.org/p", Name: "A", Side: "old", Procs: 2, Forks: []*record.Trace{tracedFork(300, 100, 0), tracedFork(300, 150, 0)}}
	other := result.Profiled[record.Trace]{Pkg: "example.org/p", Name: "B", Forks: []*record.Trace{tracedFork(1), tracedFork(1, 2)}}
	md := writeTracedAs(t, render.Markdown, render.Options{}, x, other)
	for _, want := range []string{"**calls of A-2, old**", "| `f0`     |        3 |          |     71 % |\n", "| `f1`     |     1.25 | 1 … 1.50 |     29 % |\n", "the forks were traced in different modes, or with different functions", "tare trace, given the record"} {
		if !strings.Contains(md, want) {
			t.Errorf("no %q in\n%s", want, md)
		}
	}
	var got struct {
		Traced []struct {
			Name, Side, Error string
			Procs, Forks      int
			Ops               int64
			Functions         []struct {
				Name   string
				Calls  int64
				PerOp  float64 `json:"calls_per_op"`
				Fewest float64 `json:"fewest_calls_per_op"`
				Own    float64 `json:"own_ns"`
			}
		}
	}
	if err := json.Unmarshal([]byte(writeTracedAs(t, render.JSON, render.Options{}, x, other)), &got); err != nil {
		t.Fatal(err)
	}
	if len(got.Traced) != 2 || len(got.Traced[0].Functions) != 2 || got.Traced[1].Error == "" {
		t.Fatalf("%+v", got)
	}
	if f := got.Traced[0].Functions[1]; got.Traced[0].Ops != 200 || f.Name != "example.org/p.f1" || f.Calls != 250 || f.PerOp != 1.25 || f.Fewest != 1 || f.Own != 2500 {
		t.Errorf("%+v", got.Traced[0])
	}
	if text := writeTracedAs(t, render.JSON, render.Options{}); strings.Contains(text, "traced") {
		t.Errorf("nothing was traced: %s", text)
	}
}
