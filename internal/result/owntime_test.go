package result

import (
	"slices"
	"strings"
	"testing"

	"github.com/tarebench/tare/internal/base/diagnosis"
	"github.com/tarebench/tare/record"
)

// timedSides is a comparison of two sides of 20 forks with 3 iterations of 1000 operations and 1 ms each. value is
// what the new side reports.
func timedSides(t *testing.T, ops, ns int64, value func(i int) float64) Comparison {
	t.Helper()
	s := newSided(record.Config{}, "old", "new")
	for side, name := range []string{"old", "new"} {
		id := side + 1
		s.Add(&record.Case{ID: id, Pkg: "p", Name: "X", Side: name, Bin: id, Procs: 1, Mode: record.ModeN, N: 1000})
		for range 20 {
			s.forks++
			for i := range 3 {
				x := &record.Sample{Fork: s.forks, Iter: i + 2, Phase: record.PhaseMeasure, Wall: 1e6, Delay: 1, Ns: 990_000, Ops: 1000, V: record.Values{{Unit: "ns/op", Value: 990 + float64((s.forks+i)%7)}}}
				if side == 1 {
					x.Ops, x.Ns, x.V[0].Value = ops, ns, value(s.forks+i)
				}
				s.Add(x)
			}
			s.Add(&record.Fork{ID: s.forks, Case: id, Bin: id, Round: s.forks, Purpose: record.PurposeTiming, State: record.StateOK})
		}
	}
	return only(t, s.Result())
}

// TestReportedTime: a time that the clock contradicts, and operations that did not run, take the trust of a verdict.
// A timer that is stopped does not.
func TestReportedTime(t *testing.T) {
	constant := func(x float64) func(int) float64 { return func(int) float64 { return x } }
	around := func(x float64) func(int) float64 { return func(i int) float64 { return x + float64(i%7) } }
	for _, c := range []struct {
		what    string
		ops, ns int64
		value   func(int) float64
		code    string
		text    string
	}{
		{"plain", 1000, 990_000, around(990), "", ""},
		{"constant, and no other than the clock", 1000, 900_000, constant(900), "", ""},
		{"a timer that is stopped", 1000, 200_000, around(200), "", ""},
		{"reported", 1000, 200_000, constant(200), diagnosis.OwnTime, "5.0 times less"},
		{"more than passed", 1000, 6_000_000, around(6000), diagnosis.OwnTime, "6.0 times more"},
		{"b.N *= 100", 100_000, 990_000, around(9.9), diagnosis.ChangedN, "000 operations, and was to run 1000"},
	} {
		got := timedSides(t, c.ops, c.ns, c.value)
		for _, code := range []string{diagnosis.OwnTime, diagnosis.ChangedN} {
			found := texts(got.Warnings, code)
			if slices.Contains(got.Reasons, code) != (c.code == code) || (len(found) > 0) != (c.code == code) || len(found) > 0 && !strings.Contains(found[0], c.text) {
				t.Errorf("%s: %s: %v, %q", c.what, code, got.Reasons, found)
			}
		}
	}
}
