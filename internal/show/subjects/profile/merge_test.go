package profile

import (
	"math"
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

func TestMerge(t *testing.T) {
	a := &record.Sampled{Mode: record.SampledWall, Source: record.SampledStacks, Window: record.AsmMarks, Interval: 10, Achieved: 10, Samples: 100, Skipped: 1, Lost: 2, Goroutines: 5, Wall: 1000, CPU: 400, SampleCost: 2, MaxSampleCost: 7, Cost: 0.01, Windows: 2, Ops: 10, Stopped: 0.5}
	b := &record.Sampled{Mode: record.SampledWall, Source: record.SampledStacks, Window: record.AsmRough, Interval: 10, Achieved: 20, Samples: 300, Skipped: 3, Lost: 4, Goroutines: 3, Wall: 3000, CPU: 600, SampleCost: 6, MaxSampleCost: 5, Cost: 0.05, Windows: 1, Ops: 5, Stopped: 0.25, Unlogged: 0.6}
	got, p, err := Merge([]*record.Sampled{a, b}, []*pprof.Profile{profileOf(1000), profileOf(500)})
	if err != nil {
		t.Fatal(err)
	}
	want := record.Sampled{Mode: record.SampledWall, Source: record.SampledStacks, Window: record.AsmRough, Interval: 10, Achieved: 17.5, Samples: 400, Skipped: 4, Lost: 6, Goroutines: 5, Wall: 4000, CPU: 1000, SampleCost: 5, MaxSampleCost: 7, Cost: 0.04, Windows: 3, Ops: 15, Stopped: 2. / 6, Unlogged: 0.4}
	near := func(a, b float64) bool { return a-b < 1e-12 && b-a < 1e-12 }
	if !near(got.Cost, want.Cost) || !near(got.Achieved, want.Achieved) || !near(got.SampleCost, want.SampleCost) || !near(got.Stopped, want.Stopped) || !near(got.Unlogged, want.Unlogged) {
		t.Errorf("cost %v, interval %v, look %v, the timer stood for %v, unknown for %v, want %+v", got.Cost, got.Achieved, got.SampleCost, got.Stopped, got.Unlogged, want)
	}
	if got.Samples != want.Samples || got.Skipped != want.Skipped || got.Lost != want.Lost || got.Goroutines != want.Goroutines || got.Wall != want.Wall ||
		got.CPU != want.CPU || got.MaxSampleCost != want.MaxSampleCost || got.Window != want.Window || got.Windows != want.Windows || got.Ops != want.Ops {
		t.Errorf("%+v, want\n%+v", *got, want)
	}
	if v := p.Sample[0].Value; len(p.Sample) != 1 || v[0] != 2 || v[1] != 1500 {
		t.Errorf("samples %v", p.Sample)
	}
	if a.Samples != 100 {
		t.Error("what was merged has changed")
	}
	b.Mode = record.SampledCPU
	if _, _, err := Merge([]*record.Sampled{a, b}, []*pprof.Profile{profileOf(1), profileOf(1)}); err == nil {
		t.Error("looks by the clock and by CPU time are one")
	}
}

// TestMergeErrors: of two runs, what they are off by adds up as squares, and looks, however they were
// weighed, count together.
func TestMergeErrors(t *testing.T) {
	how := func(wall int64, draws float64, errors ...record.SampledError) *record.Sampled {
		return &record.Sampled{Mode: record.SampledWall, Source: record.SampledStacks, Window: record.AsmMarks, Interval: 10, Samples: 100, Wall: wall, EffectiveSamples: draws,
			Spared: 1, Late: 2, Unseen: 3, Cut: 0.5, Errors: errors}
	}
	hows := []*record.Sampled{
		how(1000, 50, record.SampledError{Name: "main.f", Self: 3, Total: 30, SelfShare: 0.1, TotalShare: 0.2}, record.SampledError{Name: "main.g", Total: 5}),
		how(3000, 150, record.SampledError{Name: "main.f", Self: 4, Total: 40, SelfShare: 0.1, TotalShare: 0.1}),
	}
	got, _, err := Merge(hows, []*pprof.Profile{profileOf(1000), profileOf(3000)})
	if err != nil {
		t.Fatal(err)
	}
	if got.EffectiveSamples != 200 || got.Spared != 2 || got.Late != 4 || got.Unseen != 6 || got.Cut != 0.5 {
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
	if got, _, err := Merge(hows, []*pprof.Profile{profileOf(1000), profileOf(3000)}); err != nil || got.Errors != nil {
		t.Errorf("what is known of one side is shown of both: %+v, %v", got, err)
	}
}
