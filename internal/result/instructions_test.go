package result

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/tarebench/tare/internal/base/diagnosis"
	"github.com/tarebench/tare/record"
)

// instructionsRecord is the record of a benchmark on two sides, each with forks that counted instructions of one line.
func instructionsRecord(t *testing.T, counts ...[]int64) string {
	t.Helper()
	var b bytes.Buffer
	w := record.NewWriter(&b)
	run := &record.Run{Version: 1, Kind: record.KindBench, Config: record.Config{Confidence: 0.95}}
	for i := range counts {
		run.Sides = append(run.Sides, record.Side{Name: []string{"old", "new"}[i]})
	}
	must(t, w.Write(run))
	id := 0
	fork := func(side int, purpose string, lines ...record.Line) {
		id++
		for _, l := range lines {
			if a, ok := l.(*record.Attach); ok {
				a.Fork = id
			}
			must(t, w.Write(l))
		}
		must(t, w.Write(&record.Sample{Fork: id, Iter: 2, Phase: record.PhaseMeasure, Ns: 100, Ops: 1, V: record.Values{{Unit: "ns/op", Value: 100}}}))
		must(t, w.Write(&record.Fork{ID: id, Case: side + 1, Round: 1, Purpose: purpose, State: record.StateOK}))
	}
	for side, forks := range counts {
		must(t, w.Write(&record.Case{ID: side + 1, Pkg: "p", Name: "Sum", Procs: 1, Side: run.Sides[side].Name, Mode: record.ModeN, N: 5}))
		fork(side, record.PurposeTiming)
		for _, n := range forks {
			x := &record.Instructions{Ops: 10, Total: n, Files: []string{"p.go"}, Functions: []record.InstructionFunction{
				{Name: "p.Sum", Part: record.PartOwn, Count: n, Lines: []record.InstructionLine{{File: 0, Line: 7, Count: n}}},
			}}
			data, err := json.Marshal(x)
			must(t, err)
			if n < 0 {
				data = []byte("no JSON")
			}
			fork(side, "instructions", &record.Attach{Name: record.AttachInstructions, Media: "application/json", Data: data})
		}
	}
	return b.String()
}

// TestInstructions: forks are added up, sides compared, and an attachment that cannot be read is a warning.
func TestInstructions(t *testing.T) {
	s, err := Read(strings.NewReader(instructionsRecord(t, []int64{1000, 1001, -1}, []int64{1100})), "test")
	must(t, err)
	if len(s.Results) != 2 || s.Results[0].Instructions == nil || s.Results[1].Instructions == nil {
		t.Fatalf("%+v", s.Results)
	}
	if x := s.Results[0].Instructions; x.Forks != 2 || x.Ops != 20 || x.Count != 2001 || x.Own().Count != 2001 {
		t.Errorf("%+v", x)
	}
	if codes := Codes(s.Results[0].Warnings); !strings.Contains(strings.Join(codes, " "), diagnosis.DamagedAttached) {
		t.Errorf("warnings %v", codes)
	}
	if len(s.Counted) != 1 {
		t.Fatalf("%d comparisons of instructions", len(s.Counted))
	}
	c := s.Counted[0]
	if c.Name != "Sum" || c.Base != "old" || c.Side != "new" || c.OldForks != 2 || c.NewForks != 1 || !c.Beyond || len(c.Functions) != 1 || len(c.Functions[0].Lines) != 1 {
		t.Errorf("%+v", c)
	}
	text, err := json.Marshal(s)
	must(t, err)
	for _, want := range []string{`"instructions":[{"pkg":"p","name":"Sum"`, `"delta":9.95`, `"instructions":{"forks":2,"ops":20,"count":2001,`} {
		if !strings.Contains(string(text), want) {
			t.Errorf("%s is not in %s", want, text)
		}
	}
}

// TestInstructionsOneSide: there is no comparison where only one side was counted.
func TestInstructionsOneSide(t *testing.T) {
	s, err := Read(strings.NewReader(instructionsRecord(t, []int64{1000}, nil)), "test")
	must(t, err)
	if len(s.Counted) != 0 || s.Results[0].Instructions == nil {
		t.Errorf("%+v", s.Counted)
	}
}
