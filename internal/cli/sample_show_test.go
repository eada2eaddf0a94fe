package cli

import (
	"testing"

	pprof "github.com/google/pprof/profile"

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

func TestHostOf(t *testing.T) {
	for address, want := range map[string]string{
		"http://me:secret@host:6060/debug/pprof/?key=secret#x": "http://host:6060/debug/pprof/",
		"http://127.0.0.1:6060":                                "http://127.0.0.1:6060",
		"nowhere":                                              "the address",
		"http://%zz":                                           "the address",
	} {
		if got := hostOf(address); got != want {
			t.Errorf("%s: %q, want %q", address, got, want)
		}
	}
}
