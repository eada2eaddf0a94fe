package result

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tarebench/tare/internal/base/diagnosis"
	"github.com/tarebench/tare/record"
)

// addForks adds a benchmark whose forks have these times.
func addForks(b *Builder, id int, name string, ns ...float64) {
	b.Add(&record.Case{ID: id, Pkg: "p", Name: name, Params: record.ParseName(name), Bin: 1, Procs: 1, Mode: record.ModeN, N: 1, Code: "same digest"})
	for i, v := range ns {
		f := 100*id + i
		b.Add(&record.Sample{Fork: f, Iter: 1, Phase: record.PhaseMeasure, Ops: 1, V: record.Values{{Unit: "ns/op", Value: v}}})
		b.Add(&record.Fork{ID: f, Case: id, Bin: 1, Round: i + 1, State: record.StateOK, Purpose: record.PurposeTiming})
	}
}

// TestSideBy: benchmarks that differ in one key of their names are compared as sides. The first value is the base, no
// verdict is called one of the same binary or code, and what has no such key, or not all values, is named.
func TestSideBy(t *testing.T) {
	slow, fast := []float64{200, 201, 202, 203, 204, 205, 206, 207}, []float64{100, 101, 102, 103, 104, 105, 106, 107}
	for _, c := range []struct {
		name        string
		recorded    string // side_by of the record
		by          string // asked for
		whole       bool
		sides       []record.Side
		rows, notes string
	}{
		{"recorded", "impl", "", false, nil, "Sort/n=1 b/a slower true", "no /impl= in the name of Other; b lacks Sort/n=2"},
		{"asked for", "", "/impl", false, nil, "Sort/n=1 b/a slower true", "no /impl= in the name of Other; b lacks Sort/n=2"},
		{"other key", "impl", "n", false, nil, "Sort/impl=a 2/1 equivalent true", "no /n= in the name of Other; 2 lacks Sort/impl=b"},
		{"whole names", "impl", "", true, nil, "", ""},
		{"sides of its own", "impl", "impl", false, []record.Side{{Name: "x"}, {Name: "y"}}, "", ""},
		{"no such key", "", "zz", false, nil, "", ""},
	} {
		b := NewBuilder()
		b.SideBy(c.by)
		if c.whole {
			b.WholeNames()
		}
		run := &record.Run{Kind: record.KindBench, Sides: c.sides, Config: record.Config{Forks: 8, Iterations: 1, SideBy: c.recorded, Threshold: 0.03, Order: "interleaved"}}
		b.Add(run)
		b.Add(&record.Bin{ID: 1, Pkg: "p", SHA256: "x", Files: "y"}) // one program, which says nothing here
		addForks(b, 1, "Sort/impl=a/n=1", fast...)
		addForks(b, 2, "Sort/impl=b/n=1", slow...)
		addForks(b, 3, "Sort/impl=a/n=2", fast...)
		addForks(b, 4, "Other", fast...)
		res := b.Result()
		var rows, notes []string
		for _, x := range res.Comparisons {
			if i := slices.IndexFunc(x.Warnings, func(w Warning) bool { return w.Code == diagnosis.SameCode || w.Code == diagnosis.OneBinary }); i >= 0 {
				t.Errorf("%s: %s: %s", c.name, x.Name, x.Warnings[i].Text)
			}
			rows = append(rows, fmt.Sprint(x.Name, " ", x.Side, "/", x.Base, " ", x.Verdict, " ", x.Trusted))
		}
		for _, w := range res.Warnings {
			if w.Code == diagnosis.OneSide {
				notes = append(notes, w.Text)
			}
		}
		if got := strings.Join(rows, "; "); got != c.rows || c.sides == nil && strings.Join(notes, "; ") != c.notes {
			t.Errorf("%s: %q, %q, want %q, %q", c.name, got, notes, c.rows, c.notes)
		}
		if len(run.Sides) != len(c.sides) {
			t.Errorf("%s: the line of the record was changed", c.name)
		}
		if len(res.Lost) > 0 && c.sides == nil {
			t.Errorf("%s: lost: %v", c.name, res.Lost)
		}
	}
}
