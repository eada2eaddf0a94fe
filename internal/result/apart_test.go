package result

import (
	"math"
	"slices"
	"testing"

	"github.com/tarebench/tare/record"
	"github.com/tarebench/tare/stat"
)

// TestApart: sides of two runs are judged by what two runs on their machine may differ by.
func TestApart(t *testing.T) {
	side := func(ns, half float64, cpu string) *Builder {
		b := NewBuilder()
		b.Add(&record.Run{Version: 1, Config: record.Config{Forks: 10, Confidence: 0.95}, Env: record.Env{CPU: cpu}})
		b.Add(&record.Case{ID: 1, Pkg: "p", Name: "X", Bin: 1, Mode: record.ModeN, N: 100_000})
		for i := 1; i <= 10; i++ {
			x := ns * (1 + 0.002*float64(i%5))
			b.Add(&record.Sample{Fork: i, Iter: 1, Phase: record.PhaseMeasure, Ns: int64(1e5 * x), Ops: 100_000, Wall: int64(1.1e5 * x),
				V: record.Values{{Unit: "ns/op", Value: x}}})
			b.Add(&record.Fork{ID: i, Case: 1, Bin: 1, Round: i, Order: i, Purpose: record.PurposeTiming, State: record.StateOK, Wall: 1e9})
		}
		b.Add(&record.AnotherRun{Case: 1, Half: half, Confidence: 0.95, Runs: 9, Seen: 9})
		return b
	}
	for what, tt := range map[string]struct {
		ratio, old, new float64
		cpu             string
		verdict         stat.Verdict
		trusted         bool
		note            bool
	}{
		"larger than runs differ": {1.3, 0.1, 0.1, "a", stat.Slower, true, false},
		"smaller":                 {1.05, 0.1, 0.1, "a", stat.Undecided, true, true},
		"one run is less certain": {1.3, 0.1, 0.4, "a", stat.Undecided, true, true},
		"not known for one":       {1.3, 0.1, 0, "a", stat.Slower, false, false},
		"equal, as runs are":      {1.001, 0.01, 0.01, "a", stat.Equivalent, true, false},
		"equal, but runs differ":  {1.001, 0.1, 0.1, "a", stat.Undecided, true, true},
		"another machine":         {1.3, 0.1, 0.1, "b", stat.Slower, false, false},
	} {
		t.Run(what, func(t *testing.T) {
			all := NewBuilder()
			for name, b := range map[string]*Builder{"old": side(100, tt.old, "a")} {
				if err := all.Absorb(b, name); err != nil {
					t.Fatal(err)
				}
			}
			if err := all.Absorb(side(100*tt.ratio, tt.new, tt.cpu), "new"); err != nil {
				t.Fatal(err)
			}
			c := all.Result().Comparisons[0]
			note := slices.ContainsFunc(c.Warnings, func(w Warning) bool { return w.Code == CodeApart })
			if c.Verdict != string(tt.verdict) || c.Trusted != tt.trusted || note != tt.note {
				t.Errorf("%s, trusted %v %v, note %v, %v … %v", c.Verdict, c.Trusted, c.Reasons, note, c.Lo, c.Hi)
			}
			if want := math.Log(float64(c.Hi / c.Ratio)); c.Apart > 0 && want < max(tt.old, tt.new)-1e-9 {
				t.Errorf("half-width %v", want)
			}
			rows := []Comparison{c}
			if Correct(rows, stat.Holm); rows[0].Verdict != c.Verdict {
				t.Errorf("judged anew: %s", rows[0].Verdict)
			}
		})
	}
}
