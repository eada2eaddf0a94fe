package result

import (
	"slices"
	"testing"

	"github.com/tarebench/tare/internal/base/diagnosis"
	"github.com/tarebench/tare/record"
)

// loopCase is a benchmark whose loop is judged: ns/op, and what its iterations took while N was searched.
type loopCase struct {
	ns    float64
	n     int64
	looks []record.CalibrationLook
	lost  float64
}

// looped returns a record with a case, and empty loops of its binary.
func looped(side string, id int, x loopCase) []record.Line {
	out := []record.Line{
		&record.Bin{ID: id, Side: side, SHA256: side},
		&record.Case{ID: id, Name: "X", Side: side, Bin: id, Procs: 2, Mode: record.ModeN, N: x.n, Forms: []string{record.FormN}, Calibration: &record.Calibration{Looks: x.looks, Lost: x.lost}},
	}
	for f := range 8 {
		fork := 100*id + f
		out = append(out,
			&record.Sample{Fork: fork, Iter: 2, Phase: record.PhaseMeasure, Ns: 12e6, Wall: 13e6, Ops: x.n, V: record.Values{{Unit: "ns/op", Value: x.ns * (1 + float64(f)/1000)}}},
			&record.Fork{ID: fork, Case: id, Bin: id, Round: f + 1, Purpose: record.PurposeTiming, State: record.StateOK, Wall: 30e6})
	}
	return append(out, &record.Overhead{Bins: []int{id}, EmptyLoops: []record.EmptyLoop{
		{Form: record.FormN, Procs: 2, Min: 0.27, Max: 0.54, First: 100}, {Form: record.FormLoop, Procs: 2, Min: 2, Max: 3, First: 100},
	}})
}

var (
	steps  = loopCase{ns: 0.59, n: 20e6, looks: []record.CalibrationLook{{N: 1, Ns: 176e3}, {N: 30, Ns: 176e3}, {N: 900, Ns: 177e3}}}
	faster = loopCase{ns: 0.45, n: 20e6, looks: steps.looks}
	setUp  = loopCase{ns: 20e3, n: 600, looks: []record.CalibrationLook{{N: 1, Ns: 6.01e6}, {N: 30, Ns: 6.3e6}}}
	calls  = loopCase{ns: 1.6, n: 8e6, looks: []record.CalibrationLook{{N: 1, Ns: 170}, {N: 30, Ns: 220}}}
)

// TestLoopWarnings: what a record says of a loop.
func TestLoopWarnings(t *testing.T) {
	lost := setUp
	lost.lost = 0.3
	for _, test := range []struct {
		name string
		x    loopCase
		want []string
	}{
		{"consumes its input in the first operation", steps, []string{diagnosis.EmptyLoop}},
		{"set-up in the iteration", setUp, []string{diagnosis.FixedCost}},
		{"likewise, while others had the processors", lost, nil},
		{"a call", calls, nil},
		{"a getter", loopCase{ns: 0.8, n: 15e6, looks: calls.looks}, []string{diagnosis.NearLoop}},
	} {
		b := NewBuilder()
		b.Add(&record.Run{Kind: record.KindBench})
		for _, l := range looped("", 1, test.x) {
			b.Add(l)
		}
		var codes []string
		for _, w := range b.Result().Results[0].Warnings {
			codes = append(codes, w.Code)
		}
		if !slices.Equal(codes, test.want) {
			t.Errorf("%s: %q, want %q", test.name, codes, test.want)
		}
	}
}

// TestLoopVerdict: a verdict on loops that measure nothing is not trusted, in one run and of two records.
func TestLoopVerdict(t *testing.T) {
	separate := func(x, y loopCase) *Builder {
		out := NewBuilder()
		for name, c := range map[string]loopCase{"old": x, "new": y} {
			b := NewBuilder()
			b.Add(&record.Run{Kind: record.KindBench})
			for _, l := range looped(name, 7, c) {
				b.Add(l)
			}
			if err := out.Absorb(b, name); err != nil {
				t.Fatal(err)
			}
		}
		return out
	}
	together := func(x, y loopCase) *Builder {
		b := NewBuilder()
		b.Add(&record.Run{Kind: record.KindBench, Sides: []record.Side{{Name: "old"}, {Name: "new"}}})
		for _, l := range append(looped("old", 1, x), looped("new", 2, y)...) {
			b.Add(l)
		}
		return b
	}
	for name, compared := range map[string]func(x, y loopCase) *Builder{"in one run": together, "of two": separate} {
		for _, test := range []struct {
			x, y loopCase
			want string // reason
		}{
			{steps, faster, diagnosis.EmptyLoop},
			{calls, faster, diagnosis.EmptyLoop},
			{setUp, loopCase{ns: 15e3, n: 600, looks: setUp.looks}, diagnosis.FixedCost},
			{calls, loopCase{ns: 1.8, n: 8e6, looks: calls.looks}, ""},
		} {
			rows := compared(test.x, test.y).Result().Comparisons
			if len(rows) != 1 {
				t.Fatalf("%s: %d rows", name, len(rows))
			}
			named := slices.Contains(rows[0].Reasons, diagnosis.EmptyLoop) || slices.Contains(rows[0].Reasons, diagnosis.FixedCost)
			if test.want != "" && (rows[0].Trusted || !slices.Contains(rows[0].Reasons, test.want)) || test.want == "" && named {
				t.Errorf("%s, %g and %g ns: %s, trusted %v, %q; want %q", name, test.x.ns, test.y.ns, rows[0].Verdict, rows[0].Trusted, rows[0].Reasons, test.want)
			}
		}
	}
}
