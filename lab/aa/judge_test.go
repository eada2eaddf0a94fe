package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/tarebench/tare/internal/measure/session/runlog"
	"github.com/tarebench/tare/record"
)

// lines returns the record of a run of two sides: 12 forks each, whose times are drawn from the same few values.
func lines() []record.Line {
	out := []record.Line{
		&record.Run{Version: record.Version, Config: record.Config{Forks: 12, Iterations: 1, Confidence: 0.95, Test: record.TestSavage}, Sides: []record.Side{{Name: "a"}, {Name: "b"}}},
	}
	for i, side := range []string{"a", "b"} {
		out = append(out,
			&record.Bin{ID: i + 1, Pkg: "p", Side: side, SHA256: side},
			&record.Case{ID: i + 1, Pkg: "p", Name: "Same", Side: side, Bin: i + 1, Procs: 1, Mode: record.ModeN, N: 1000})
	}
	lost := 0.02
	for k := range 24 {
		ns := 10e6 + 1e4*float64(k/2*7%5) + float64(k)
		id := k%2 + 1
		out = append(out,
			&record.Sample{Fork: k + 1, Iter: 1, Phase: record.PhaseMeasure, T: int64(k+1) * 1e9, Ns: int64(ns), Ops: 1000, V: record.Values{{Unit: "ns/op", Value: ns / 1000}}},
			&record.Fork{ID: k + 1, Case: id, Bin: id, Round: k/2 + 1, Order: k + 1, Purpose: record.PurposeTiming, Lost: &lost, Exit: "0", State: record.StateOK})
	}
	return append(out, &record.End{State: record.EndCompleted})
}

// TestJudge: the same code is not different, the change is found, and the record is left as it is.
func TestJudge(t *testing.T) {
	table := table{of: map[string]*counts{}}
	run := lines()
	table.add(run)
	table.add(run)
	x := table.of["p Same"]
	if x == nil || x.runs != 2 || x.different != 0 || x.found != 2 {
		t.Fatalf("%+v; want 2 runs, none different, the change found in both", x)
	}
	var text bytes.Buffer
	table.print(&text)
	for _, want := range []string{"| p Same |", "| all |", "48 forks lost 2.0 %"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("no %q in:\n%s", want, &text)
		}
	}
}

// TestParse: bad flags are errors.
func TestParse(t *testing.T) {
	for _, args := range [][]string{{"-runs", "-1"}, {"-hogs", "-1"}, {"x"}} {
		if _, err := parse(args); err == nil {
			t.Errorf("%q: no error", args)
		}
	}
}

// TestHeld: each run from the sixth on predicts the next; a median far off is not held.
func TestHeld(t *testing.T) {
	var entries []runlog.Entry
	for i := range 12 {
		entries = append(entries, runlog.Entry{Benchmarks: []runlog.Median{{Name: "a", Bin: "a", Median: 100 + float64(i%3)}}})
	}
	if n, of, half := coverage(entries); n != 6 || of != 6 || half < 0.01 {
		t.Errorf("%d of %d held within %.3f; want all of 6", n, of, half)
	}
	entries[11].Benchmarks[0].Median = 150
	if n, of, _ := coverage(entries); n != 5 || of != 6 {
		t.Errorf("%d of %d held; want 5 of 6, the last is half as large again", n, of)
	}
}
