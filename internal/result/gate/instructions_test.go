package gate

import (
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/result/attached"
	"github.com/tarebench/tare/record"
)

func changed(old, new float64, beyond bool) attached.InstructionChange {
	return attached.InstructionChange{Old: result.Number(old), New: result.Number(new), Delta: result.Number(new - old), Beyond: beyond}
}

func countedResult() *result.Result {
	return &result.Result{
		Results: []result.Benchmark{{Name: "Sort", Instructions: &result.Instructions{}}},
		Counted: []result.CountedInstructions{{Pkg: "m", Name: "Sort", Procs: 1, Base: "old", Side: "new", InstructionChanges: attached.InstructionChanges{
			Parts: []attached.PartChange{{Part: record.PartOwn, InstructionChange: changed(1000, 1010, true)}, {Part: record.PartGC, InstructionChange: changed(100, 110, false)}},
			Functions: []attached.FunctionChange{
				{Name: "m.less", Part: record.PartOwn, InstructionChange: changed(200, 208, true)},
				{Name: "m.swap", Part: record.PartOwn, InstructionChange: changed(0, 7, true)},
				{Name: "m.fast", Part: record.PartOwn, InstructionChange: changed(500, 400, true)},
				{Name: "runtime.gcDrain", Part: record.PartGC, InstructionChange: changed(100, 110, false)},
			},
		}}},
	}
}

// TestInstructions: a gate on functions is about each by itself, one on parts about the whole; noise passes.
func TestInstructions(t *testing.T) {
	for text, want := range map[string][]string{
		"more:0.5%@part:own":                 {"part own"},
		"more:2%@part:own":                   nil,
		"more:0%@part:gc":                    nil,
		"more:0.5%@func:m.less":              {"m.less"},
		"more:5%@func:m.less":                nil,
		"more:5%@func:/./":                   {"m.swap"},
		"more:0%@func:/./ part:own":          {"m.less", "m.swap"},
		"more:0%@-func:m.less":               {"m.swap"},
		"more:0%@func:(m.less OR m.swap)":    {"m.less", "m.swap"},
		"more:0%@func:m.less .name:Sort":     {"m.less"},
		"more:0%@.name:Other part:own":       nil,
		"more:0%@(part:own OR part:gc)":      {"part own"},
		`more:0%@.name:"func:x" part:own`:    nil,
		"more:0%@.name:/So/ -.name:/part:x/": nil, // no key of functions: it is about rows, of which there are none
	} {
		gates, err := Parse([]string{text})
		if err != nil {
			t.Fatal(err)
		}
		res := countedResult()
		if err := Check(gates, res, LostNotDecided); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		missed := Report(io.Discard, gates, res) != nil
		var got []string
		for _, g := range res.Gates {
			what, _, _ := strings.Cut(strings.TrimPrefix(g.Text, "Sort: "), " on new executes ")
			got = append(got, what)
		}
		if !slices.Equal(got, want) || missed != (len(want) > 0) {
			t.Errorf("%s: %q, missed %v; want %q", text, got, missed, want)
		}
	}
	gates, _ := Parse([]string{"more:0%@func:m.less"})
	if err := Check(gates, &result.Result{Results: []result.Benchmark{{Name: "Sort"}}}, LostNotDecided); exit.As(err) == nil {
		t.Errorf("a gate on functions where none were counted: %v", err)
	}
	if _, err := Parse([]string{"slower:1%@func:m.less"}); err == nil {
		t.Error("a time of functions")
	}
}
