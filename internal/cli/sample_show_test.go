package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"testing"

	pprof "github.com/google/pprof/profile"

	"github.com/tarebench/tare/internal/exit"
	"github.com/tarebench/tare/internal/session"
	"github.com/tarebench/tare/record"
)

func profileOf(ns int64) *pprof.Profile {
	f := &pprof.Function{ID: 1, Name: "main.f"}
	l := &pprof.Location{ID: 1, Line: []pprof.Line{{Function: f, Line: 1}}}
	return &pprof.Profile{
		SampleType: []*pprof.ValueType{{Type: "samples", Unit: "count"}, {Type: "wall", Unit: "nanoseconds"}},
		PeriodType: &pprof.ValueType{Type: "wall", Unit: "nanoseconds"}, Period: 1,
		Sample: []*pprof.Sample{{Location: []*pprof.Location{l}, Value: []int64{1, ns}}}, Function: []*pprof.Function{f}, Location: []*pprof.Location{l},
	}
}

func TestMergeSampled(t *testing.T) {
	a := &record.Sampled{Mode: record.SampledWall, Source: record.SampledLooks, Window: record.AsmMarks, Interval: 10, Achieved: 10, Looks: 100, Skipped: 1, Lost: 2, Goroutines: 5, Wall: 1000, CPU: 400, Look: 2, LongLook: 7, Cost: 0.01, Windows: 2, Ops: 10, Stopped: 0.5}
	b := &record.Sampled{Mode: record.SampledWall, Source: record.SampledLooks, Window: record.AsmRough, Interval: 10, Achieved: 20, Looks: 300, Skipped: 3, Lost: 4, Goroutines: 3, Wall: 3000, CPU: 600, Look: 6, LongLook: 5, Cost: 0.05, Windows: 1, Ops: 5, Stopped: 0.25, Unnoted: 0.6}
	got, p, err := mergeSampled([]*record.Sampled{a, b}, []*pprof.Profile{profileOf(1000), profileOf(500)})
	if err != nil {
		t.Fatal(err)
	}
	want := record.Sampled{Mode: record.SampledWall, Source: record.SampledLooks, Window: record.AsmRough, Interval: 10, Achieved: 17.5, Looks: 400, Skipped: 4, Lost: 6, Goroutines: 5, Wall: 4000, CPU: 1000, Look: 5, LongLook: 7, Cost: 0.04, Windows: 3, Ops: 15, Stopped: 2. / 6, Unnoted: 0.4}
	near := func(a, b float64) bool { return a-b < 1e-12 && b-a < 1e-12 }
	if !near(got.Cost, want.Cost) || !near(got.Achieved, want.Achieved) || !near(got.Look, want.Look) || !near(got.Stopped, want.Stopped) || !near(got.Unnoted, want.Unnoted) {
		t.Errorf("cost %v, interval %v, look %v, the timer stood for %v, unknown for %v, want %+v", got.Cost, got.Achieved, got.Look, got.Stopped, got.Unnoted, want)
	}
	if got.Looks != want.Looks || got.Skipped != want.Skipped || got.Lost != want.Lost || got.Goroutines != want.Goroutines || got.Wall != want.Wall ||
		got.CPU != want.CPU || got.LongLook != want.LongLook || got.Window != want.Window || got.Windows != want.Windows || got.Ops != want.Ops {
		t.Errorf("%+v, want\n%+v", *got, want)
	}
	if v := p.Sample[0].Value; len(p.Sample) != 1 || v[0] != 2 || v[1] != 1500 {
		t.Errorf("samples %v", p.Sample)
	}
	if a.Looks != 100 {
		t.Error("what was merged has changed")
	}
	b.Mode = record.SampledCPU
	if _, _, err := mergeSampled([]*record.Sampled{a, b}, []*pprof.Profile{profileOf(1), profileOf(1)}); err == nil {
		t.Error("looks by the clock and by CPU time are one")
	}
}

// TestMergeErrors: of two runs, what they are off by adds up as squares, and looks, however they were
// weighed, count together.
func TestMergeErrors(t *testing.T) {
	how := func(wall int64, draws float64, errors ...record.SampledError) *record.Sampled {
		return &record.Sampled{Mode: record.SampledWall, Source: record.SampledLooks, Window: record.AsmMarks, Interval: 10, Looks: 100, Wall: wall, Draws: draws,
			Spared: 1, Late: 2, Unseen: 3, Cut: 0.5, Errors: errors}
	}
	hows := []*record.Sampled{
		how(1000, 50, record.SampledError{Name: "main.f", Self: 3, Total: 30, SelfShare: 0.1, TotalShare: 0.2}, record.SampledError{Name: "main.g", Total: 5}),
		how(3000, 150, record.SampledError{Name: "main.f", Self: 4, Total: 40, SelfShare: 0.1, TotalShare: 0.1}),
	}
	got, _, err := mergeSampled(hows, []*pprof.Profile{profileOf(1000), profileOf(3000)})
	if err != nil {
		t.Fatal(err)
	}
	if got.Draws != 200 || got.Spared != 2 || got.Late != 4 || got.Unseen != 6 || got.Cut != 0.5 {
		t.Errorf("%+v", got)
	}
	near := func(a, b float64) bool { return a-b < 1e-12 && b-a < 1e-12 }
	if len(got.Errors) != 2 || got.Errors[1] != (record.SampledError{Name: "main.g", Total: 5}) {
		t.Fatalf("%+v", got.Errors)
	}
	if f := got.Errors[0]; f.Name != "main.f" || f.Self != 5 || f.Total != 50 || !near(f.SelfShare, math.Sqrt(0.01*1+0.01*9)/4) || !near(f.TotalShare, math.Sqrt(0.04*1+0.01*9)/4) {
		t.Errorf("%+v", f)
	}
	hows[1].Errors = nil
	if got, _, err := mergeSampled(hows, []*pprof.Profile{profileOf(1000), profileOf(3000)}); err != nil || got.Errors != nil {
		t.Errorf("what is known of one is told of both: %+v, %v", got, err)
	}
}

// TestSampledBench: --bench chooses from a record as it chooses what is measured, and what there is is
// told where it chooses nothing.
func TestSampledBench(t *testing.T) {
	how, err := json.Marshal(&record.Sampled{Mode: record.SampledWall, Source: record.SampledLooks, Window: record.AsmMarks, Interval: 10, Looks: 5, Wall: 500})
	if err != nil {
		t.Fatal(err)
	}
	var p bytes.Buffer
	if err := profileOf(500).Write(&p); err != nil {
		t.Fatal(err)
	}
	r := &watchRecord{title: "b.jsonl", cases: map[int]*record.Case{}}
	for i, name := range []string{"Encode/codec=json", "Encode/codec=xml", "Decode/codec=json"} {
		r.cases[i] = &record.Case{ID: i, Pkg: "example.com/x", Name: name}
		r.forks = append(r.forks, &watchedFork{Fork: &record.Fork{ID: i, Case: i}, attached: map[string][]byte{record.AttachSampled: how, record.AttachSampledProfile: p.Bytes()}})
	}
	for _, c := range []struct {
		bench string
		views int
		hint  string
	}{
		{"", 3, ""},
		{"BenchmarkEncode", 2, ""},
		{"^BenchmarkEncode$/json", 1, ""},
		{"/json", 2, ""},
		{"json", 0, "there is Decode/codec=json, Encode/codec=json, Encode/codec=xml"},
		{"example.com", 0, "there is Encode/codec=xml, Decode/codec=json, Encode/codec=json"},
	} {
		f := &profileFlags{bench: c.bench}
		if err := f.check(); err != nil {
			t.Fatal(err)
		}
		views, err := f.views(r)
		hint := ""
		if bad := (*exit.Error)(nil); errors.As(err, &bad) {
			hint = bad.Hint
		}
		if len(views) != c.views || (err != nil) != (c.hint != "") || hint != c.hint {
			t.Errorf("--bench %s: %d, %v, hint %s", c.bench, len(views), err, hint)
		}
	}
	if err := (&profileFlags{bench: "("}).check(); err == nil {
		t.Error("( is a pattern")
	}
}

func TestHostOf(t *testing.T) {
	for address, want := range map[string]string{
		"http://me:secret@host:6060/debug/pprof/?key=secret#x": "http://host:6060/debug/pprof/",
		"http://127.0.0.1:6060":                                "http://127.0.0.1:6060",
		"nowhere":                                              "the address",
		"http://%zz":                                           "the address",
	} {
		if got := session.HostOf(address); got != want {
			t.Errorf("%s: %q, want %q", address, got, want)
		}
	}
}
