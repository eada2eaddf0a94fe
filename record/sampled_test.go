package record_test

import (
	"encoding/json"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/tarebench/tare/record"
)

func sampled() record.Sampled {
	return record.Sampled{
		Program: "server", Mode: record.SampledWall, Source: record.SampledStacks, Window: record.AsmWhole,
		Interval: 10_000_000, Achieved: 10_200_000, Samples: 98, Skipped: 1, Goroutines: 12, Wall: 1_000_000_000, SampleCost: 30_000, Cost: 0.003,
	}
}

func TestSampledRoundTrip(t *testing.T) {
	s := sampled()
	s.Limitations = []string{"what C does"}
	s.Window, s.Windows, s.Stopped, s.Unlogged = record.AsmMarks, 2, 0.5, 0.1
	s.Errors = []record.SampledError{{Name: "main.f", Self: 1e6, Total: 2.5e6, SelfShare: 0.01, TotalShare: 0.025}, {Name: "main.main"}}
	text, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	var back record.Sampled
	if err := json.Unmarshal(text, &back); err != nil || !reflect.DeepEqual(s, back) {
		t.Errorf("%+v, %v\n%s", back, err, text)
	}
	if err := back.Validate(); err != nil {
		t.Error(err)
	}
}

func TestSampledValidate(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*record.Sampled)
		want   string
	}{
		{"mode", func(s *record.Sampled) { s.Mode = "sometimes" }, `sampled by "sometimes"`},
		{"source", func(s *record.Sampled) { s.Source = "" }, `samples from ""`},
		{"interval", func(s *record.Sampled) { s.Interval = 0 }, "an interval of 0 ns"},
		{"looks", func(s *record.Sampled) { s.Samples = -1 }, "a count of"},
		{"windows", func(s *record.Sampled) { s.Windows = -1 }, "a count of"},
		{"stopped", func(s *record.Sampled) { s.Stopped = 1.1 }, "the timer stood for a share of 1.1"},
		{"unnoted", func(s *record.Sampled) { s.Unlogged = math.NaN() }, "is not known of for one of NaN"},
		{"NaN", func(s *record.Sampled) { s.Cost = math.NaN() }, "a rate or cost"},
		{"error", func(s *record.Sampled) { s.Errors = []record.SampledError{{Name: "main.f", Total: -1}} }, `"main.f" is off by -1`},
		{"no error", func(s *record.Sampled) {
			s.Errors = []record.SampledError{{Name: "main.f", SelfShare: math.NaN()}}
		}, `"main.f" is off by NaN`},
		{"both", func(s *record.Sampled) { s.Mode, s.Interval = "", -1 }, "sampled by \"\"\nan interval of -1 ns"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := sampled()
			c.change(&s)
			if err := s.Validate(); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want %q", err, c.want)
			}
		})
	}
}

func TestSampledTypes(t *testing.T) {
	s := sampled()
	if got := s.Types(); !reflect.DeepEqual(got, []string{"samples", "wall", "twice"}) {
		t.Errorf("wall: %q", got)
	}
	s.Mode = record.SampledCPU
	if got := s.Types(); !reflect.DeepEqual(got, []string{"samples", "cpu"}) {
		t.Errorf("cpu: %q", got)
	}
}
