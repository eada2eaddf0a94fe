package calls

import (
	"strings"
	"testing"

	"github.com/tarebench/tare/record"
)

// TestTooLong: where a program waited for processors, or its functions take longer than without probes, corrected and self
// times are upper bounds, and the text says why.
func TestTooLong(t *testing.T) {
	work := func(change func(*record.Trace)) string {
		tr := &record.Trace{Mode: record.TraceExact, Clock: record.TraceCycles, Tick: 0.5, Ended: true, Calls: 10_000, Goroutines: 1, Window: record.AsmMarks, Ops: 10,
			Probe: record.TraceProbe{Outside: 35, Inside: 19}, Added: 350e3,
			Funcs: []record.TraceFunc{{Name: "m.work", Calls: 10_000, Timed: 10_000, Total: 4.19e6, Self: 4.19e6, Corrected: 4e6, CorrectedSelf: 4e6, Min: 10, Max: 1e6, Mean: 419}}}
		change(tr)
		if err := tr.Validate(); err != nil {
			t.Fatal(err)
		}
		return textOf(t, mustNew(t, tr, Config{}), Options{Width: 160})
	}
	for _, test := range []struct {
		name   string
		change func(*record.Trace)
		want   []string
	}{
		{"quiet", func(*record.Trace) {}, nil},
		{"hardly waited", func(tr *record.Trace) { tr.Waited = 0.04 }, nil},
		{"waited", func(tr *record.Trace) { tr.Waited = 0.61 }, []string{"<=4", "waited for 61 % of its time"}},
		{"as without probes", func(tr *record.Trace) { tr.Plain = 4e6 }, nil},
		{"four times what it takes without probes", func(tr *record.Trace) { tr.Plain = 1e6 }, []string{"<=4", "take 4 times what the operations take"}},
		{"others had the processors", func(tr *record.Trace) { tr.Others = 0.5 }, []string{"<=4", "upper bounds"}},
		{"only counted", func(tr *record.Trace) { tr.Mode, tr.Waited = record.TraceCount, 0.61 }, nil},
	} {
		text := work(test.change)
		for _, w := range test.want {
			if !strings.Contains(text, w) {
				t.Errorf("%s: no %q in\n%s", test.name, w, text)
			}
		}
		if len(test.want) == 0 && (strings.Contains(text, "<=") || strings.Contains(text, "upper bound")) {
			t.Errorf("%s: a bound in\n%s", test.name, text)
		}
	}
}
