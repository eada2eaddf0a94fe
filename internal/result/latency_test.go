package result

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/tarebench/tare/hist"
	"github.com/tarebench/tare/internal/base/diagnosis"
	"github.com/tarebench/tare/record"
)

// encoded is a histogram of n values of v.
func encoded(t *testing.T, v, n int64) []byte {
	h := hist.New(hist.Config{})
	h.RecordN(v, n)
	data, err := h.Encode()
	must(t, err)
	return data
}

// TestLatencies: the histograms of measured windows of forks that count are
// merged, by role and kind.
func TestLatencies(t *testing.T) {
	b := NewBuilder()
	b.Add(&record.Run{Config: record.Config{Confidence: 0.95, Warmup: 1}})
	b.Add(&record.Case{ID: 1, Pkg: "p", Name: "Q", Mode: record.ModeTime, Procs: 1})
	fork := func(id int, state string) {
		for iter := 1; iter <= 3; iter++ {
			n := int64(id * 100)
			if iter == 1 {
				n = 1_000_000 // warm-up
			}
			b.Add(&record.Hist{Fork: id, Iter: iter, Role: "reader", Tag: record.TagService, Unit: "ns", Data: encoded(t, 1000, n)})
			b.Add(&record.Hist{Fork: id, Iter: iter, Role: "reader", Tag: record.TagResponse, Unit: "ns", Data: encoded(t, 2000, n)})
			b.Add(&record.Sample{Fork: id, Iter: iter, Phase: record.PhaseMeasure, Role: "reader", Ns: 20 * ms, Ops: n, V: record.Values{{Unit: "ns/op", Value: 5}}})
		}
		b.Add(&record.Fork{ID: id, Case: 1, Round: id, Purpose: record.PurposeTiming, State: state})
	}
	fork(1, record.StateOK)
	fork(2, record.StateFailed)
	fork(3, record.StateOK)
	b.Add(&record.Hist{Fork: 4, Iter: 2, Tag: record.TagService, Unit: "ns", Data: []byte("rubbish")})
	b.Add(&record.Fork{ID: 4, Case: 1, Round: 4, Purpose: record.PurposeTiming, State: record.StateOK})

	s := b.Result()
	if len(s.Latencies) != 2 {
		t.Fatalf("%+v", s.Latencies)
	}
	first, second := s.Latencies[0], s.Latencies[1]
	if first.Kind != record.TagResponse || first.Role != "reader" || first.Count != 2*(100+300) || first.Min != 2000 || first.Max != 2000 {
		t.Errorf("%+v", first)
	}
	if second.Kind != record.TagService || second.Count != 800 || second.P99 != 1000 {
		t.Errorf("%+v", second)
	}
	var warning string
	for _, w := range s.Results[0].Warnings {
		if w.Code == diagnosis.DamagedHist {
			warning = w.Text
		}
	}
	if !strings.HasPrefix(warning, "1 histograms could not be read") {
		t.Errorf("doubts %+v", s.Results[0].Warnings)
	}
	text, err := json.Marshal(first)
	must(t, err)
	if want := `{"pkg":"p","name":"Q","role":"reader","kind":"response","count":800,"min":2000,`; !bytes.HasPrefix(text, []byte(want)) || !bytes.Contains(text, []byte(`"p99.9":2000,`)) || !bytes.HasSuffix(text, []byte(`"unit":"ns"}`)) {
		t.Errorf("%s", text)
	}
}
